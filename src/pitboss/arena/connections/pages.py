"""What is asked for over HTTP: the page's files, read once, and long answers piece by piece as they are read."""

import mimetypes
from functools import cache
from hashlib import sha256
from pathlib import Path

from aiohttp import web
from msgspec import Struct

PAGE = Path(__file__).parents[1] / "page"
PIECE = 64 * 1024
mimetypes.add_type("text/javascript", ".js")  # whatever the machine says: a module under another name is not run
HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
}


class PageFile(Struct, frozen=True):
    """A file of the page as it is sent."""

    body: bytes
    kind: str
    tag: str


@cache
def _read_files(folder: Path) -> dict[str, PageFile]:
    """The files in a folder, by name."""
    return {
        file.relative_to(folder).as_posix(): PageFile(
            body, mimetypes.guess_type(file.name)[0] or "application/octet-stream", sha256(body).hexdigest()[:32]
        )
        for file in sorted(folder.rglob("*"))
        if file.is_file() and (body := file.read_bytes()) is not None
    }


class Pages:
    """The files of the page, by name."""

    def __init__(self, folder: Path = PAGE) -> None:
        self._files = _read_files(folder)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Send a file, or say that it is the one the browser has."""
        name = request.match_info.get("name", "index.html")
        if not name:
            raise web.HTTPForbidden(text="a folder is not shown")
        file = self._files.get(name)
        if file is None:
            raise web.HTTPNotFound(text="there is no such file")
        if any(tag.value == file.tag for tag in request.if_none_match or ()):
            return web.Response(status=304, headers={"ETag": f'"{file.tag}"'})
        return await send_bytes(request, file.body, file.kind, {"ETag": f'"{file.tag}"'})


async def send_bytes(
    request: web.Request, body: bytes, kind: str, headers: dict[str, str] | None = None
) -> web.StreamResponse:
    """Answer a request piece by piece, the next when the one before it is nearly read."""
    response = web.StreamResponse(headers=headers)
    response.content_type = kind
    if kind.startswith("text/") or kind == "application/json":
        response.charset = "utf-8"
    response.content_length = len(body)
    await response.prepare(request)
    for first in range(0, len(body) if request.method != "HEAD" else 0, PIECE):
        await response.write(body[first : first + PIECE])
    await response.write_eof()
    return response


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Give every answer the headers that keep browsers careful."""
    response.headers.update(HEADERS)
