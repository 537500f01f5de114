"""A client for one environment of one game."""

import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Iterator, Mapping, Optional

from .errors import CoinslotError, invalid_argument

BROKEN = (500, 502, 503, 504)
LONGEST_RETRY_AFTER = 60


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would send the key to another server."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


def _id_path(prefix: str, value: Any) -> str:
    if not isinstance(value, str) or not value.startswith(f"{prefix}_") or not value.replace("_", "").isalnum():
        raise invalid_argument(f"an id that starts with {prefix}_ is needed; got {value!r}")
    return value


class Client:
    """`Client(key, base_url)`. The key decides between sandbox and live, and belongs on a server."""

    def __init__(self, key: str, base_url: str, timeout: float = 15.0, retries: int = 3) -> None:
        if not key or key.lower().startswith("bearer ") or key != key.strip():
            raise invalid_argument("key must be your S2S key alone")
        url = urllib.parse.urlsplit(base_url)
        if url.scheme not in ("http", "https") or not url.hostname:
            raise invalid_argument("base_url must be an absolute URL such as https://pay.example.com")
        if url.scheme == "http" and "." in url.hostname and not _is_near(url.hostname):
            raise invalid_argument("base_url must be https: over plain http the key can be read on its way")
        self._key, self._base, self._timeout, self._retries = key, base_url.rstrip("/"), timeout, retries
        self._opener = urllib.request.build_opener(_NoRedirect)

    def create_order(self, order: Mapping[str, Any], idempotency_key: Optional[str] = None) -> dict[str, Any]:
        """Send the player to `checkout_url` of the result, exactly as it is."""
        headers = {"idempotency-key": idempotency_key or str(uuid.uuid4())}
        return self.request("POST", "/s2s/v1/orders", order, headers=headers, repeatable=True)

    def get_order(self, order_id: str, wait: int = 0) -> dict[str, Any]:
        query = {"wait": wait} if wait else None
        return self.request("GET", f"/s2s/v1/orders/{_id_path('ord', order_id)}", query=query)

    def list_orders(self, **query: Any) -> Iterator[dict[str, Any]]:
        return self._pages("/s2s/v1/orders", query)

    def cancel_order(self, order_id: str) -> dict[str, Any]:
        return self.request("POST", f"/s2s/v1/orders/{_id_path('ord', order_id)}/cancel", repeatable=True)

    def refund_order(self, order_id: str, reason: Optional[str] = None) -> dict[str, Any]:
        body = {"reason": reason} if reason else {}
        return self.request("POST", f"/s2s/v1/orders/{_id_path('ord', order_id)}/refund", body, repeatable=True)

    def create_webhook(self, webhook: Mapping[str, Any]) -> dict[str, Any]:
        return self.request("POST", "/s2s/v1/webhooks", webhook)

    def list_events(self, **query: Any) -> Iterator[dict[str, Any]]:
        return self._pages("/s2s/v1/events", query)

    def events_after(self, cursor: str = "start", limit: int = 100) -> dict[str, Any]:
        """One page of every event, oldest first and without a gap. Go on with `next_cursor`."""
        return self.request("GET", "/s2s/v1/events", query={"after": cursor, "limit": limit})

    def pay(self, order_id: str, card: str = "success") -> dict[str, Any]:
        """Sandbox: pays with a test card."""
        return self.request("POST", f"/s2s/v1/orders/{_id_path('ord', order_id)}/pay", {"card": card}, timeout=30)

    def advance(self, order_id: str, seconds: int) -> dict[str, Any]:
        """Sandbox: makes the order that much older, so that what is due later happens now."""
        path = f"/s2s/v1/sandbox/orders/{_id_path('ord', order_id)}/advance"
        return self.request("POST", path, {"seconds": seconds}, timeout=30)

    def _pages(self, path: str, query: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        cursor: Optional[str] = None
        while True:
            page = self.request("GET", path, query={**query, **({"cursor": cursor} if cursor else {})})
            yield from page["data"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def request(
        self,
        method: str,
        path: str,
        body: Optional[Mapping[str, Any]] = None,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        repeatable: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Any call, with the same key, retries and errors."""
        may_repeat = method in ("GET", "PUT", "DELETE") if repeatable is None else repeatable
        for attempt in range(1, self._retries + 2):
            try:
                return self._attempt(method, path, body, query, headers or {}, timeout or self._timeout)
            except CoinslotError as error:
                if attempt > self._retries or not self._again(error, may_repeat):
                    raise
                pause = error.retry_after if error.retry_after is not None else min(8, 0.5 * 2 ** (attempt - 1))
                time.sleep(pause * (0.5 + random.random() / 2) if error.retry_after is None else pause)
        raise AssertionError("unreachable")

    @staticmethod
    def _again(error: CoinslotError, repeatable: bool) -> bool:
        if error.retry_after is not None and error.retry_after > LONGEST_RETRY_AFTER:
            return False
        lost = error.code in ("connection_failed", "timeout")
        return error.status == 429 or (repeatable and (error.status in BROKEN or lost))

    def _attempt(
        self,
        method: str,
        path: str,
        body: Optional[Mapping[str, Any]],
        query: Optional[Mapping[str, Any]],
        headers: Mapping[str, str],
        timeout: float,
    ) -> Any:
        search = f"?{urllib.parse.urlencode(query)}" if query else ""
        sent = {"accept": "application/json", "user-agent": "coinslot-python/1.0.0rc1", **headers}
        sent["authorization"] = f"Bearer {self._key}"
        data = None
        if body is not None:
            data, sent["content-type"] = json.dumps(body).encode(), "application/json"
        request = urllib.request.Request(self._base + path + search, data=data, headers=sent, method=method)
        try:
            with self._opener.open(request, timeout=timeout) as response:
                text = response.read()
                return json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            raise _problem(error) from None
        except TimeoutError as error:
            raise CoinslotError(f"No response from {self._base} within {timeout} s.", "timeout") from error
        except (OSError, urllib.error.URLError) as error:
            raise CoinslotError(f"Could not reach Coinslot at {self._base}: {error}.", "connection_failed") from error
        except ValueError as error:
            raise CoinslotError("The response is not JSON. Check base_url.", "invalid_answer", 200) from error


def _is_near(host: str) -> bool:
    return host.startswith(("127.", "10.", "192.168.")) or host.endswith((".local", ".internal", ".localhost"))


def _problem(error: urllib.error.HTTPError) -> CoinslotError:
    retry_after = error.headers.get("retry-after", "")
    facts: dict[str, Any] = {
        "status": error.code,
        "request_id": error.headers.get("x-request-id"),
        "retry_after": int(retry_after) if retry_after.isdigit() else None,
    }
    try:
        body = json.loads(error.read())
        code = body["code"]
    except (ValueError, KeyError, TypeError):
        return CoinslotError(f"{error.code} without a Coinslot error. Did a proxy respond?", "invalid_answer", **facts)
    errors = body.get("errors") or []
    fields = "; ".join(f"{one['pointer']}: {one['message']}" for one in errors)
    words = ": ".join(part for part in (body.get("title"), body.get("detail")) if part)
    facts["request_id"] = body.get("request_id") or facts["request_id"]
    return CoinslotError(f"{error.code} {code}: {words}{f' ({fields})' if fields else ''}", code, errors=errors, **facts)
