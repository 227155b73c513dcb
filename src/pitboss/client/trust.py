"""Whose certificates a bot trusts beyond those that its machine trusts: an organiser's own, out of a file."""

import ssl
from pathlib import Path

from pitboss.client.errors import ArenaError


def trusting(authority: str | Path | None) -> ssl.SSLContext | bool:
    """What aiohttp is given as `ssl`: True where the machine's trust is enough (SSL_CERT_FILE counts too)."""
    if authority is None:
        return True
    context = ssl.create_default_context()
    try:
        context.load_verify_locations(authority)
    except OSError as error:  # an SSLError is one too
        reason = "there is no certificate in it" if isinstance(error, ssl.SSLError) else error.strerror
        raise ArenaError(f"{authority} cannot be trusted: {reason}") from None
    return context
