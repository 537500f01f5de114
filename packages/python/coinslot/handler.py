"""A handler that runs each webhook once, whatever web framework stands before it."""

import json
import sqlite3
import threading
import time
import uuid
from typing import Any, Callable, Mapping, Optional, Protocol, Union

from .webhook import TOLERANCE_SECONDS, Refusal, Secrets, check_secrets, verify_webhook

Event = dict[str, Any]
Answer = tuple[int, dict[str, str], bytes]
MAX_BODY_BYTES = 1024 * 1024
LEASE_SECONDS = 60


class Declined(Exception):
    """Raise it in `on_item_add` to decline for good: the order is rejected at once and the money released."""


class Store(Protocol):
    """Remembers which webhooks were handled, by their `idempotency_key`."""

    def begin(self, key: str) -> Union[str, tuple[str, Optional[str]]]:
        """('run', claim), ('done', why declined or None), or 'busy'."""

    def finish(self, key: str, claim: str, declined: Optional[str]) -> None: ...

    def fail(self, key: str, claim: str) -> None: ...


class MemoryStore:
    """For one process and for tests: a restart forgets everything."""

    def __init__(self, limit: int = 10_000) -> None:
        self._lock = threading.Lock()
        self._entries: dict[str, dict[str, Any]] = {}
        self._limit = limit

    def begin(self, key: str) -> Union[str, tuple[str, Optional[str]]]:
        with self._lock:
            found = self._entries.get(key)
            if found and found["done"]:
                return "done", found["declined"]
            if found and found["until"] > time.monotonic():
                return "busy"
            claim = uuid.uuid4().hex
            self._entries[key] = {"claim": claim, "done": False, "until": time.monotonic() + LEASE_SECONDS}
            return "run", claim

    def finish(self, key: str, claim: str, declined: Optional[str]) -> None:
        with self._lock:
            self._entries[key] = {"claim": claim, "done": True, "declined": declined}
            for old in list(self._entries)[: max(0, len(self._entries) - self._limit)]:
                if self._entries[old]["done"]:
                    del self._entries[old]

    def fail(self, key: str, claim: str) -> None:
        with self._lock:
            if self._entries.get(key, {}).get("claim") == claim:
                del self._entries[key]


class SqliteStore:
    """Keeps the keys in a SQLite file, so that a crash or a second process changes nothing."""

    def __init__(self, path: str) -> None:
        self._path = path
        with self._connect() as connection:
            connection.execute(
                "create table if not exists coinslot_webhooks (idempotency_key text primary key, claim text not null,"
                " done integer not null, declined text, until real not null)"
            )

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=10)

    def begin(self, key: str) -> Union[str, tuple[str, Optional[str]]]:
        claim, now = uuid.uuid4().hex, time.time()
        with self._connect() as connection:
            connection.execute("begin immediate")
            row = connection.execute(
                "select done, declined, until from coinslot_webhooks where idempotency_key = ?", (key,)
            ).fetchone()
            if row and row[0]:
                return "done", row[1]
            if row and row[2] > now:
                return "busy"
            connection.execute(
                "insert or replace into coinslot_webhooks values (?, ?, 0, null, ?)", (key, claim, now + LEASE_SECONDS)
            )
            return "run", claim

    def finish(self, key: str, claim: str, declined: Optional[str]) -> None:
        with self._connect() as connection:
            connection.execute(
                "update coinslot_webhooks set done = 1, declined = ? where idempotency_key = ? and claim = ?",
                (declined, key, claim),
            )

    def fail(self, key: str, claim: str) -> None:
        with self._connect() as connection:
            connection.execute(
                "delete from coinslot_webhooks where idempotency_key = ? and claim = ? and done = 0", (key, claim)
            )


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
        on_item_add: Callable[[Event], Any],
        on_item_remove: Callable[[Event], Any],
        on: Optional[Mapping[str, Callable[[Event], Any]]] = None,
        on_error: Optional[Callable[[Exception, Event], None]] = None,
        tolerance_seconds: int = TOLERANCE_SECONDS,
    ) -> None:
        check_secrets(secret)
        self._secret, self._store, self._tolerance = secret, store, tolerance_seconds
        self._on_error = on_error
        self._handlers: dict[str, Callable[[Event], Any]] = {
            "webhook.test": lambda event: None,
            **(on or {}),
            "item.add": on_item_add,
            "item.remove": on_item_remove,
        }
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
                begun = self._store.begin(key)
                if begun == "busy":
                    return _answer(503, {"error": "in_progress"}, **{"retry-after": "2"})
                if begun[0] == "done":
                    return _outcome(begun[1])
                return self._run(event, begun[1])
            finally:
                with self._guard:
                    self._running.pop(key, None)

    def _run(self, event: Event, claim: Any) -> Answer:
        key = event["idempotency_key"]
        declined: Optional[str] = None
        try:
            self._handlers[event["event_type"]](event)
        except Declined as no:
            declined = str(no) or "declined"
        except Exception as error:  # Any other failure makes the service try again.
            self._store.fail(key, claim)
            if self._on_error:
                self._on_error(error, event)
            return _answer(500, {"error": "handler_failed"})
        self._store.finish(key, claim, declined)
        return _outcome(declined)
