"""Ask an OpenAI-compatible chat endpoint. The key appears only in the header of the request."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from pitboss.arena.agents.models import Model
from pitboss.errors import PitbossError
from pitboss.printing import printable

if TYPE_CHECKING:
    import aiohttp

LARGEST_ANSWER = 1 << 20
"""The largest answer of an endpoint, in bytes."""
LONGEST_SENTENCE = 200
PAUSE = 1.0
"""Seconds before the second try, if the endpoint does not give a time."""
RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""The status codes after which a second try can succeed."""


class EndpointError(PitbossError):
    """The endpoint gave no answer; the message says why, without the key."""


class Reply(Struct, frozen=True):
    """The text of an answer, the model's reasoning if the endpoint sends it apart, and the tokens it counted."""

    text: str
    reasoning: str = ""
    tokens_in: int = 0
    tokens_out: int = 0


class Endpoint:
    """One model's endpoint. The connection is kept between requests, in the event loop of the first one."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._http: aiohttp.ClientSession | None = None

    async def ask(self, messages: Sequence[Mapping[str, str]], seconds: float) -> Reply:
        """Return the answer to a chat. Raise `EndpointError` if there is none within `seconds`.

        A request that failed for a passing reason is sent once more, if there is time.
        """
        end = time.monotonic() + seconds
        try:
            async with asyncio.timeout(seconds):
                try:
                    return await self._request(messages)
                except PassingError as first:
                    wait = PAUSE if first.wait is None else first.wait
                    if time.monotonic() + wait >= end:
                        raise EndpointError(str(first)) from None
                    await asyncio.sleep(wait)
                try:
                    return await self._request(messages)
                except PassingError as second:
                    raise EndpointError(str(second)) from None
        except TimeoutError:
            raise EndpointError(f"did not answer within {seconds:.1f} s") from None

    async def close(self) -> None:
        """Close the connection."""
        if self._http is not None:
            await self._http.close()
            self._http = None

    async def _request(self, messages: Sequence[Mapping[str, str]]) -> Reply:
        import aiohttp

        if self._http is None:
            self._http = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None))
        key = self.model.key
        headers = {} if not key else {"Authorization": f"Bearer {key}"}
        try:
            async with self._http.post(
                self.model.address, json=self._body(messages), headers=headers, allow_redirects=False
            ) as answer:
                data = await _read(answer)
                if answer.status != 200:
                    self._refuse(answer, data)
                return read_reply(data)
        except (aiohttp.ClientError, OSError) as error:
            raise PassingError(f"cannot be reached: {self._safe(str(error) or type(error).__name__)}") from None

    def _body(self, messages: Sequence[Mapping[str, str]]) -> dict[str, Any]:
        model = self.model
        body: dict[str, Any] = {"model": model.model, "messages": list(messages)}
        if model.temperature is not None:
            body["temperature"] = model.temperature
        if model.max_tokens is not None:
            body["max_tokens"] = model.max_tokens
        return body

    def _refuse(self, answer: "aiohttp.ClientResponse", data: bytes) -> None:
        """Raise the error for an answer with a status other than 200."""
        said = self._safe(data.decode("utf-8", "replace"))
        sentence = f"answered with status {answer.status}" + (f": {said}" if said else "")
        if answer.status not in RETRIED:
            raise EndpointError(sentence)
        raise PassingError(sentence, _seconds(answer.headers.get("Retry-After")))

    def _safe(self, text: str) -> str:
        """Return a stranger's text in one short line, without the key."""
        key = self.model.key
        shown = text.replace(key, "***") if key else text
        return printable(" ".join(shown.split()))[:LONGEST_SENTENCE]


class PassingError(EndpointError):
    """The endpoint failed for a reason that may pass; `wait` is the seconds that it gives."""

    def __init__(self, sentence: str, wait: float | None = None) -> None:
        super().__init__(sentence)
        self.wait = wait


def _seconds(text: str | None) -> float | None:
    """Return the seconds of a `Retry-After` header; None for a date or anything else."""
    try:
        seconds = float(text) if text is not None else -1.0
    except ValueError:
        return None
    return seconds if 0 <= seconds < 1e6 else None


async def _read(answer: "aiohttp.ClientResponse") -> bytes:
    data = bytearray()
    async for part in answer.content.iter_any():
        data += part
        if len(data) > LARGEST_ANSWER:
            raise EndpointError(f"sent more than {LARGEST_ANSWER:,} bytes")
    return bytes(data)


class _Text(Struct):
    content: Any = None
    reasoning_content: Any = None
    reasoning: Any = None


class _Choice(Struct):
    message: _Text = msgspec.field(default_factory=_Text)
    delta: _Text = msgspec.field(default_factory=_Text)


class _Usage(Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Completion(Struct):
    choices: list[_Choice] = []
    usage: _Usage | None = None


_completions = msgspec.json.Decoder(_Completion)


def _decode(data: bytes | str) -> _Completion:
    try:
        return _completions.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise EndpointError("sent something that is not a chat completion") from None


def read_reply(data: bytes) -> Reply:
    """Return the reply in an answer of an endpoint. Raise `EndpointError` if there is none."""
    if data.lstrip().startswith(b"data:"):
        return _read_stream(data)
    found = _decode(data)
    if not found.choices:
        raise EndpointError("sent a chat completion without an answer")
    message = found.choices[0].message
    return _reply(_plain(message.content), _plain(message.reasoning_content or message.reasoning), found.usage)


def _read_stream(data: bytes) -> Reply:
    """Return the reply of an endpoint that streams although it was not asked to."""
    text, reasoning, usage = "", "", None
    for line in data.decode("utf-8", "replace").splitlines():
        part = line.removeprefix("data:").strip()
        if not line.startswith("data:") or not part or part == "[DONE]":
            continue
        found = _decode(part)
        usage = found.usage or usage
        if found.choices:
            text += _plain(found.choices[0].delta.content)
            reasoning += _plain(found.choices[0].delta.reasoning_content or found.choices[0].delta.reasoning)
    return _reply(text, reasoning, usage)


def _reply(text: str, reasoning: str, usage: _Usage | None) -> Reply:
    tokens = usage or _Usage()
    return Reply(text, reasoning, max(0, tokens.prompt_tokens), max(0, tokens.completion_tokens))


def _plain(content: object) -> str:
    """Return the text of a message's content, which may be a list of parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""
