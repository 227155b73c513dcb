"""How many files and sockets this process may have open at a time: as many as the system lets it."""

MOST = 65_536
"""More are not asked for: some programs look at every handle there could be."""


def raise_handles() -> int:
    """Ask for as many handles as this process may have; gives how many it has now."""
    try:
        import resource
    except ImportError:  # a platform without such limits
        return MOST
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST if hard == resource.RLIM_INFINITY else min(hard, MOST)
    if soft == resource.RLIM_INFINITY or soft >= most:
        return MOST if soft == resource.RLIM_INFINITY else soft
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most
