"""A handler that runs each webhook once, whatever web framework stands before it."""

import inspect
import json
import threading
import traceback
from typing import Any, Callable, Mapping, Optional

from .stores import Store
from .webhook import TOLERANCE_SECONDS, Refusal, Secrets, check_secrets, verify_webhook

Event = dict[str, Any]
Answer = tuple[int, dict[str, str], bytes]
MAX_BODY_BYTES = 1024 * 1024
COUNTERPART = {"item.add": "item.remove", "item.remove": "item.add"}


class Declined(Exception):
    """Raise it in `on_item_add` to decline for good: the order is rejected at once and the money released."""


class Context:
    """What a handler gets whose second argument is named `context`."""

    def __init__(self, store: Any, key: str, claim: str) -> None:
        self._store, self._key, self._claim = store, key, claim

    def finish_in(self, target: Any) -> None:
        """
        Marks the webhook as handled inside your own transaction, as its last step: `target` is a DB-API connection or
        cursor, or SQLAlchemy's connection or session. Then the grant and the mark are saved together, or not at all.
        """
        self._store.finish_in(target, self._key, self._claim)


Handler = Callable[..., Any]


def _with_context(handler: Handler) -> Callable[[Event, Context], Any]:
    try:
        wants = "context" in inspect.signature(handler).parameters
    except (TypeError, ValueError):  # a function of C has no signature
        wants = False
    return handler if wants else lambda event, context: handler(event)


def _subject(event: Event) -> Optional[str]:
    """What an item event does, as the store knows it."""
    order = event["event_data"].get("order_id")
    return f"{event['event_type']} {order}" if order and event["event_type"] in COUNTERPART else None


def _what_to_do(store: Store, event: Event) -> str:
    """
    The removal of a purchase that never arrived would take what the player owned before, so it is ignored; and a purchase
    that arrives after its removal was refunded. `grant` is `confirmed` if this game once accepted the purchase.
    """
    kind, data = event["event_type"], event["event_data"]
    if _subject(event) is None or (kind == "item.remove" and data.get("grant") == "confirmed"):
        return "run"
    other = store.find(f"{COUNTERPART[kind]} {data['order_id']}")
    if other == "busy":
        return "wait"
    happened = other != "none" and other[1] is None
    return "run" if happened == (kind == "item.remove") else "ignore"


def _answer(status: int, body: dict[str, Any], **headers: str) -> Answer:
    return status, {"content-type": "application/json", **headers}, json.dumps(body).encode()


def _outcome(declined: Optional[str]) -> Answer:
    if declined is None:
        return _answer(200, {"status": "ok"})
    return _answer(422, {"code": "declined", "message": declined})


class WebhookHandler:
    """Verifies webhooks and handles each of them once: `status, headers, body = handler.receive(raw_body, headers)`."""

    def __init__(
        self,
        secret: Secrets,
        store: Store,
        on_item_add: Handler,
        on_item_remove: Handler,
        on: Optional[Mapping[str, Handler]] = None,
        on_error: Optional[Callable[[BaseException, Event], None]] = None,
        tolerance_seconds: int = TOLERANCE_SECONDS,
    ) -> None:
        check_secrets(secret)
        self._secret, self._store, self._tolerance = secret, store, tolerance_seconds
        self._on_error = on_error
        handlers = {
            "webhook.test": lambda event: None,
            **(on or {}),
            "item.add": on_item_add,
            "item.remove": on_item_remove,
        }
        self._handlers = {kind: _with_context(handler) for kind, handler in handlers.items()}
        self._running: dict[str, threading.Lock] = {}
        self._guard = threading.Lock()

    def receive(self, body: bytes, headers: Mapping[str, str]) -> Answer:
        """What to answer: status, headers and body."""
        if len(body) > MAX_BODY_BYTES:
            return _answer(413, {"error": "body_too_large"})
        try:
            event = verify_webhook(body, headers, self._secret, self._tolerance)
        except Refusal as refusal:
            return _answer(400 if refusal.reason == "invalid_body" else 403, {"error": refusal.reason})
        if event["event_type"] not in self._handlers:
            return _answer(400, {"error": "unknown_event_type"})
        return self._once(event)

    def _once(self, event: Event) -> Answer:
        key = event["idempotency_key"]
        with self._guard:
            lock = self._running.setdefault(key, threading.Lock())
        # A duplicate that arrives while the first is handled here waits for it, and gets the same answer.
        with lock:
            try:
                begun = self._store.begin(key, _subject(event))
                if begun == "busy":
                    return _answer(503, {"error": "in_progress"}, **{"retry-after": "2"})
                if begun[0] == "done":
                    return _outcome(begun[1])
                return self._run(event, begun[1])
            except Exception as error:  # Of the store: the service tries again.
                self._report(error, event)
                return _answer(503, {"error": "store_failed"}, **{"retry-after": "2"})
            finally:
                with self._guard:
                    self._running.pop(key, None)

    def _report(self, error: BaseException, event: Event) -> None:
        if self._on_error:
            self._on_error(error, event)

    def _run(self, event: Event, claim: Any) -> Answer:
        key, kind = event["idempotency_key"], event["event_type"]
        declined: Optional[str] = None
        what = _what_to_do(self._store, event)
        if what == "wait":
            self._store.fail(key, claim)
            return _answer(503, {"error": "in_progress"}, **{"retry-after": "2"})
        try:
            if what == "run":
                self._handlers[kind](event, Context(self._store, key, claim))
        except Declined as no:
            declined = str(no) or "declined"
        except Exception as error:  # Any other failure makes the service try again.
            # A connection that the handler left open in its variables would hold the key locked: it goes with them.
            traceback.clear_frames(error.__traceback__)
            self._store.fail(key, claim)
            self._report(error, event)
            return _answer(500, {"error": "handler_failed"})
        except BaseException as error:  # The process is asked to end: the next one handles it.
            traceback.clear_frames(error.__traceback__)
            self._store.fail(key, claim)
            raise
        self._store.finish(key, claim, declined)
        return _outcome(declined)
