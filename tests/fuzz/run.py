"""One target under the fuzzer: `python -m tests.fuzz.run TARGET FOLDER…`, with libFuzzer's own options after."""

import sys


def main() -> None:
    """Run until the time is up or a fault is found; the fuzzer learns which lines of the modules imported here run."""
    import atheris  # only where `make fuzz` has installed it

    with atheris.instrument_imports(include=["pitboss"]):
        from tests.fuzz.targets import try_target

    target, arguments = sys.argv[1], [sys.argv[0], *sys.argv[2:]]
    atheris.Setup(arguments, lambda data: try_target(target, data))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
