"""Table documents in a JSON file, one or a list of them, as recorded hands."""

from collections.abc import Iterator
from json import JSONDecodeError

from pitboss.notation.document.fields import DocumentError, from_fields, read_json
from pitboss.notation.document.records import written_out
from pitboss.notation.found import HandFound, ReadError, describe_json_fault
from pitboss.notation.lines import Lines


def scan_documents(lines: Lines, name: str, lenient: bool) -> Iterator[HandFound]:
    """Every document of a file as a record, actions written out."""
    try:
        value = read_json("\n".join(line for _, line in lines))
    except DocumentError as error:
        yield HandFound(1, error=_not_json(error, name))
        return
    for number, fields in enumerate(value if isinstance(value, list) else [value], 1):
        try:
            if not isinstance(fields, dict):
                raise DocumentError("a document must be a JSON object")
            yield HandFound(1, written_out(from_fields(fields)), label=str(number))
        except ValueError as error:
            yield HandFound(1, error=ReadError(f"document {number}: {error}", name=name), label=str(number))


def _not_json(error: DocumentError, name: str) -> ReadError:
    """The same fault with the line at which it is."""
    cause = error.__cause__
    if not isinstance(cause, JSONDecodeError):
        return ReadError(str(error), name=name, line=1)
    return ReadError(f"this is not JSON: {describe_json_fault(cause)}", name=name, line=cause.lineno)
