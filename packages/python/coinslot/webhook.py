"""Verification of webhooks."""

import hashlib
import hmac
import json
import re
import time
from typing import Any, Mapping, Optional, Sequence, Union

from .errors import invalid_argument

Secrets = Union[str, Sequence[str]]
TOLERANCE_SECONDS = 300
# The service takes no shorter one, so that a shorter one is a mistake, and easy to guess.
SHORTEST_SECRET = 8


class Refusal(Exception):
    """Why a webhook is not believed: `reason` has the same words as the JavaScript SDK."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def check_secrets(secret: Secrets) -> list[bytes]:
    secrets = [secret] if isinstance(secret, str) else list(secret or [])
    if not secrets or any(not isinstance(one, str) for one in secrets):
        raise invalid_argument("secret is missing: it is the S2S key, or the secret of the webhook")
    if any(len(one.strip()) < SHORTEST_SECRET for one in secrets):
        raise invalid_argument(f"secret is empty or too short: it has at least {SHORTEST_SECRET} characters")
    return [one.encode() for one in secrets]


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if value is None:
        value = next((text for key, text in headers.items() if key.lower() == name), "")
    return value


def digest(secret: bytes, timestamp: str, body: bytes) -> str:
    return hmac.new(secret, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


def verify_webhook(
    body: bytes,
    headers: Mapping[str, str],
    secret: Secrets,
    tolerance_seconds: int = TOLERANCE_SECONDS,
    now: Optional[float] = None,
) -> dict[str, Any]:
    """The event, if Coinslot signed it. Raises `Refusal` when it did not. `body` is as it arrived, before any parser."""
    if not isinstance(body, bytes):
        raise invalid_argument("body must be the bytes as they arrived: a parsed body cannot be verified")
    secrets = check_secrets(secret)
    timestamp = _header(headers, "x-service-signature-timestamp")
    given = [_header(headers, name) for name in ("x-service-signature", "x-service-signature-previous")]
    if not timestamp or not given[0]:
        raise Refusal("missing_headers")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise Refusal("invalid_timestamp")
    matches = [
        hmac.compare_digest(one.encode("utf-8", "replace"), digest(key, timestamp, body).encode())
        for key in secrets
        for one in given
    ]
    if not any(matches):
        raise Refusal("signature_mismatch")
    age = int(time.time() if now is None else now) - int(timestamp)
    if age > tolerance_seconds:
        raise Refusal("timestamp_too_old")
    if age < -tolerance_seconds:
        raise Refusal("timestamp_too_new")
    return _event(body)


def _event(body: bytes) -> dict[str, Any]:
    try:
        event = json.loads(body.decode("utf-8"))
    except ValueError:
        raise Refusal("invalid_body") from None
    is_event = (
        isinstance(event, dict)
        and isinstance(event.get("event_type"), str)
        and isinstance(event.get("idempotency_key"), str)
        and event["idempotency_key"] != ""
        and isinstance(event.get("event_data"), dict)
    )
    if not is_event:
        raise Refusal("invalid_body")
    return event
