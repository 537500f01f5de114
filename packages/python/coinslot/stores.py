"""Stores remember which webhooks were handled, by their `idempotency_key`."""

import sqlite3
import threading
import time
import uuid
from typing import Any, Callable, Optional, Protocol, Sequence, Union

LEASE_SECONDS = 60
Begun = Union[str, tuple[str, Optional[str]]]


class LostClaim(Exception):
    """The webhook took longer than its lease, and another process took it over. Roll your transaction back."""


class Store(Protocol):
    """`subject` says what a webhook does, such as `item.add ord_1`, so that others can ask for it."""

    def begin(self, key: str, subject: Optional[str] = None) -> Begun:
        """('run', claim), ('done', why declined or None), or 'busy'."""

    def find(self, subject: str) -> Begun:
        """('done', why declined or None), 'busy', or 'none'."""

    def finish(self, key: str, claim: str, declined: Optional[str]) -> None: ...

    def fail(self, key: str, claim: str) -> None: ...


class MemoryStore:
    """For one process and for tests: a restart forgets everything."""

    def __init__(self, limit: int = 10_000) -> None:
        self._lock = threading.Lock()
        self._entries: dict[str, dict[str, Any]] = {}
        self._limit = limit

    def begin(self, key: str, subject: Optional[str] = None) -> Begun:
        with self._lock:
            found = self._entries.get(key)
            if found and found["done"]:
                return "done", found["declined"]
            if found and found["until"] > time.monotonic():
                return "busy"
            claim, until = uuid.uuid4().hex, time.monotonic() + LEASE_SECONDS
            self._entries[key] = {"claim": claim, "done": False, "until": until, "subject": subject}
            return "run", claim

    def find(self, subject: str) -> Begun:
        with self._lock:
            found = [entry for entry in self._entries.values() if entry["subject"] == subject]
        for entry in found:
            if entry["done"]:
                return "done", entry["declined"]
        return "busy" if any(entry["until"] > time.monotonic() for entry in found) else "none"

    def finish(self, key: str, claim: str, declined: Optional[str]) -> None:
        with self._lock:
            found = self._entries.get(key)
            if not found or found["claim"] != claim:
                raise LostClaim(key)
            found.update(done=True, declined=declined)
            for old in list(self._entries)[: max(0, len(self._entries) - self._limit)]:
                if self._entries[old]["done"]:
                    del self._entries[old]

    def fail(self, key: str, claim: str) -> None:
        with self._lock:
            found = self._entries.get(key, {})
            if found.get("claim") == claim and not found["done"]:
                del self._entries[key]


def _execute(target: Any, statement: str, values: Sequence[Any]) -> Any:
    """On a DB-API connection or cursor, or on SQLAlchemy's connection or session."""
    if hasattr(target, "exec_driver_sql"):
        return target.exec_driver_sql(statement, tuple(values))
    if callable(getattr(target, "connection", None)):
        return _execute(target.connection(), statement, values)
    cursor = target.cursor() if hasattr(target, "cursor") else target
    cursor.execute(statement, tuple(values))
    return cursor


class SqlStore:
    """
    Keeps the keys in a table of PostgreSQL or SQLite, for any number of processes.

    `connect` gives a DB-API connection that is closed again, such as `lambda: psycopg.connect(url)` or SQLAlchemy's
    `engine.raw_connection`. With `context.finish_in(…)` in a handler the mark is part of the transaction that grants, and
    a crash at any point neither loses nor doubles a grant.
    """

    def __init__(self, connect: Callable[[], Any], placeholder: str = "%s", table: str = "coinslot_webhooks") -> None:
        if not table.replace("_", "").replace(".", "").isalnum():
            raise ValueError(f"table must be a plain name; got {table!r}")
        self._connect, self._placeholder, self._table = connect, placeholder, table

    def create_table(self) -> None:
        self._write(
            "create table if not exists {table} (idempotency_key varchar(255) primary key, claim varchar(64) not null,"
            " done integer not null, declined text, until double precision not null, subject varchar(255),"
            " unique (subject, idempotency_key))"
        )

    def _text(self, statement: str) -> str:
        return statement.replace("{table}", self._table).replace("?", self._placeholder)

    def _write(self, *steps: Any) -> list[Any]:
        """Statements with their values, in one transaction; the rows of those that have some."""
        connection = self._connect()
        try:
            rows = []
            for step in steps:
                statement, *values = step if isinstance(step, tuple) else (step,)
                cursor = _execute(connection, self._text(statement), values)
                rows.append(cursor.fetchall() if statement.startswith("select") else cursor.rowcount)
            connection.commit()
            return rows
        except BaseException:
            connection.rollback()
            raise
        finally:
            connection.close()

    def begin(self, key: str, subject: Optional[str] = None) -> Begun:
        claim, now = uuid.uuid4().hex, time.time()
        insert = (
            "insert into {table} (idempotency_key, claim, done, declined, until, subject)"
            " values (?, ?, 0, null, ?, ?) on conflict (idempotency_key) do nothing"
        )
        # The process that claimed it died. Of several that notice, the update lets only one take over.
        take_over = "update {table} set claim = ?, until = ? where idempotency_key = ? and done = 0 and until < ?"
        read = ("select claim, done, declined from {table} where idempotency_key = ?", key)
        rows = self._write(
            (insert, key, claim, now + LEASE_SECONDS, subject), (take_over, claim, now + LEASE_SECONDS, key, now), read
        )[-1]
        found, done, declined = rows[0]
        if done:
            return "done", declined
        return ("run", claim) if found == claim else "busy"

    def find(self, subject: str) -> Begun:
        rows = self._write(("select done, declined, until from {table} where subject = ?", subject))[0]
        for done, declined, _ in rows:
            if done:
                return "done", declined
        return "busy" if any(until > time.time() for _, _, until in rows) else "none"

    _FINISH = "update {table} set done = 1, declined = ? where idempotency_key = ? and claim = ?"

    def finish(self, key: str, claim: str, declined: Optional[str]) -> None:
        if self._write((self._FINISH, declined, key, claim)) != [1]:
            raise LostClaim(key)

    def finish_in(self, target: Any, key: str, claim: str) -> None:
        """Marks it handled inside the caller's transaction."""
        if _execute(target, self._text(self._FINISH), (None, key, claim)).rowcount != 1:
            raise LostClaim(key)

    def fail(self, key: str, claim: str) -> None:
        self._write(("delete from {table} where idempotency_key = ? and claim = ? and done = 0", key, claim))


class SqliteStore(SqlStore):
    """Keeps the keys in a SQLite file, so that a crash or a second process changes nothing."""

    def __init__(self, path: str) -> None:
        super().__init__(lambda: sqlite3.connect(path, timeout=10), placeholder="?")
        self.create_table()
