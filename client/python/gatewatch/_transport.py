"""Sends requests, retries those that failed for a reason that passes, and reads lists page by page."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any, AsyncIterator, Callable, Dict, Generic, Iterator, List, Mapping, Optional, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, build_opener
from urllib.request import Request as HttpRequest

Item = TypeVar("Item")

_PASSING = (429, 502, 503, 504)
_FIRST_PAUSE = 0.5
_MAX_BYTES = 64 * 1024 * 1024
_VERSION = "0.1.0"


class GatewatchError(Exception):
    """The service refused a request. `status` is None if it sent no response."""

    def __init__(self, status: Optional[int], code: str, message: str, details: Any = None) -> None:
        super().__init__(f"{message} ({code})")
        self.status = status
        self.code = code
        self.message = message
        self.details = details


@dataclass(frozen=True)
class Page(Generic[Item]):
    """One page of a list. `next_cursor` is None on the last page."""

    data: List[Item]
    next_cursor: Optional[str]


@dataclass(frozen=True)
class Options:
    """Keys are secrets: they are not part of the text of this object."""

    control_key: Optional[str] = field(default=None, repr=False)
    coins_key: Optional[str] = field(default=None, repr=False)
    timeout: float = 30.0
    retries: int = 4
    #: The longest pause that the service may ask for, in seconds. A longer one is an error.
    max_pause: float = 120.0
    sleep: Callable[[float], None] = time.sleep


@dataclass(frozen=True)
class Request:
    api: str
    method: str
    template: str
    path: Mapping[str, Any]
    query: Mapping[str, Any]
    body: Optional[Mapping[str, Any]] = None


class _NoRedirects(HTTPRedirectHandler):
    """A redirect would carry the key to another host."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Transport:
    def __init__(self, base_url: str, options: Options) -> None:
        if urlsplit(base_url).scheme not in ("http", "https"):
            raise ValueError("base_url must start with https:// or http://")
        self._base_url = base_url.rstrip("/")
        self._options = options
        self._opener: OpenerDirector = build_opener(_NoRedirects)

    def send(self, request: Request) -> Dict[str, Any]:
        """Returns the body. Only GET is sent again, because other methods may have had an effect."""
        attempt = 0
        while True:
            is_last = attempt >= self._options.retries or request.method != "GET"
            backoff = _FIRST_PAUSE * 2**attempt
            try:
                return self._send_once(request)
            except HTTPError as error:
                pause = _pause_of(error.headers.get("retry-after"))
                wait = backoff if pause is None else pause
                failure = _failure_of(error)
                if is_last or error.code not in _PASSING or wait > self._options.max_pause:
                    raise failure from None
            except (URLError, HTTPException, OSError) as error:
                wait = backoff
                if is_last:
                    raise GatewatchError(None, "unreachable", f"The service did not respond: {error}") from error
            self._options.sleep(wait)
            attempt += 1

    def items(self, request: Request) -> Iterator[Any]:
        cursor: Optional[str] = None
        while True:
            answer = self.send(_with_cursor(request, cursor))
            yield from answer["data"]
            cursor = answer["nextCursor"]
            if cursor is None:
                return

    def _send_once(self, request: Request) -> Dict[str, Any]:
        path = request.template
        for name, value in request.path.items():
            path = path.replace("{" + name + "}", quote(str(value), safe=""))
        query = urlencode({name: _text(value) for name, value in request.query.items() if value is not None})
        headers = {"accept": "application/json", "user-agent": f"gatewatch-python/{_VERSION}"}
        if request.api == "v1" and self._options.control_key is not None:
            headers["authorization"] = f"Bearer {self._options.control_key}"
        if request.api == "v2" and self._options.coins_key is not None:
            headers["x-api-key"] = self._options.coins_key
        data = None
        if request.body is not None:
            headers["content-type"] = "application/json"
            data = json.dumps({name: value for name, value in request.body.items() if value is not None}).encode()
        url = f"{self._base_url}{path}{'?' + query if query else ''}"
        http_request = HttpRequest(url, data=data, headers=headers, method=request.method)
        with self._opener.open(http_request, timeout=self._options.timeout) as response:
            text = response.read(_MAX_BYTES + 1)
        if len(text) > _MAX_BYTES:
            raise GatewatchError(None, "too_large", "The response is larger than 64 MiB.")
        try:
            body = json.loads(text)
        except ValueError:
            body = None
        if not isinstance(body, dict):
            raise GatewatchError(None, "invalid_response", "The response is not a JSON object.")
        return body


class AsyncTransport:
    """The same in threads: the standard library has no HTTP client for asyncio."""

    def __init__(self, base_url: str, options: Options) -> None:
        self._transport = Transport(base_url, options)

    async def send(self, request: Request) -> Dict[str, Any]:
        return await asyncio.to_thread(self._transport.send, request)

    async def items(self, request: Request) -> AsyncIterator[Any]:
        cursor: Optional[str] = None
        while True:
            answer = await self.send(_with_cursor(request, cursor))
            for item in answer["data"]:
                yield item
            cursor = answer["nextCursor"]
            if cursor is None:
                return


def _with_cursor(request: Request, cursor: Optional[str]) -> Request:
    query = {**request.query, "cursor": cursor}
    return Request(request.api, request.method, request.template, request.path, query, request.body)


def _text(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _pause_of(text: Optional[str]) -> Optional[float]:
    """Seconds, from a number or a date."""
    if text is None:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError):
        return None


def _failure_of(error: HTTPError) -> GatewatchError:
    """The error formats of both APIs."""
    try:
        with error:
            body = json.loads(error.read(1_000_000))
    except (ValueError, OSError, HTTPException):
        body = None
    if isinstance(body, dict) and isinstance(body.get("error"), dict):
        inner = body["error"]
        return GatewatchError(error.code, str(inner.get("code")), str(inner.get("message")), inner.get("details"))
    if isinstance(body, dict) and isinstance(body.get("error"), str):
        rest = {name: value for name, value in body.items() if name not in ("success", "error", "code")}
        return GatewatchError(error.code, str(body.get("code")), body["error"], rest or None)
    return GatewatchError(error.code, "http_error", f"The service returned status {error.code}.")
