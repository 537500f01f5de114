"""For unit tests of a receiver: events and their signatures, as the service makes them."""

import json
import time
import uuid
from typing import Any, Mapping, Optional, Union

from .webhook import check_secrets, digest


def test_event(kind: str = "item.add", key: Optional[str] = None, **data: Any) -> dict[str, Any]:
    """An item event, complete: `test_event("item.add", player_id="ann")`. Give `key` to make a duplicate."""
    name = uuid.uuid4().hex
    item = {"sku": "crystals_100", "name": "100 crystals", "quantity": 1, "price_decimal": 4.99, "currency": "USD"}
    reason = ("The items were bought.", "order_paid") if kind == "item.add" else ("The payment was refunded.", "refund")
    return {
        "event_id": f"evt_{name}",
        "event_type": kind,
        "event_time": int(time.time()),
        "game_id": "game_test",
        "sandbox": True,
        "idempotency_key": key or f"{kind}:{name}",
        "event_data": {
            "player_id": "player_1",
            "items": [item],
            "order_id": f"ord_{name}",
            "payment_id": f"pay_{name}",
            "reason": reason[0],
            "reason_code": reason[1],
            "metadata": {},
            **({"grant": "confirmed"} if kind == "item.remove" else {}),
            **data,
        },
    }


# pytest would take it for a test of its own.
test_event.__test__ = False  # type: ignore[attr-defined]


def sign_webhook(
    body: Union[Mapping[str, Any], str],
    secret: str,
    previous_secret: Optional[str] = None,
    signed_at: Optional[float] = None,
) -> tuple[bytes, dict[str, str]]:
    """The raw body and the headers of a webhook, signed as the service signs it."""
    raw = (body if isinstance(body, str) else json.dumps(body)).encode()
    timestamp = str(int(time.time() if signed_at is None else signed_at))
    headers = {
        "content-type": "application/json",
        "x-service-signature-timestamp": timestamp,
        "x-service-signature": digest(check_secrets(secret)[0], timestamp, raw),
    }
    if previous_secret is not None:
        headers["x-service-signature-previous"] = digest(check_secrets(previous_secret)[0], timestamp, raw)
    return raw, headers
