"""Grants and keys in one transaction, with processes that are killed between any two steps."""

import os
import sqlite3
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import coinslot  # noqa: E402

SECRET = "a signing secret"

# Grants in a transaction of its own, and is killed at one of three places.
GAME = """
import os, signal, sqlite3, sys
sys.path.insert(0, sys.argv[1])
import coinslot
path, place, key = sys.argv[2:]
def die(at):
    if at == place:
        os.kill(os.getpid(), signal.SIGKILL)
def grant(event, context):
    die("before")
    database = sqlite3.connect(path, timeout=10)
    database.execute("insert into grants values (?)", (event["event_data"]["player_id"],))
    context.finish_in(database)
    die("within")
    database.commit()
    die("after")
event = coinslot.test_event(key=key, player_id=key)
handler = coinslot.WebhookHandler("a signing secret", coinslot.SqliteStore(path), grant, grant)
print(handler.receive(*coinslot.sign_webhook(event, "a signing secret"))[0])
"""


def deliver(path: str, place: str, key: str) -> str:
    command = [sys.executable, "-c", GAME, os.path.join(HERE, ".."), path, place, key]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


class OneTransaction(unittest.TestCase):
    def setUp(self) -> None:
        self.path = os.path.join(tempfile.mkdtemp(), "game.db")
        self.database = sqlite3.connect(self.path, timeout=10)
        self.database.execute("create table grants (player)")
        self.database.commit()
        coinslot.SqliteStore(self.path)

    def tearDown(self) -> None:
        self.database.close()

    def granted(self, player: str) -> int:
        return self.database.execute("select count(*) from grants where player = ?", (player,)).fetchone()[0]

    def test_a_process_that_is_killed_anywhere_grants_once(self) -> None:
        for place, held in (("before", 0), ("within", 0), ("after", 1)):
            with self.subTest(place):
                self.assertEqual(deliver(self.path, place, place), "")
                self.assertEqual(self.granted(place), held)
                # The lease of the dead process ends.
                self.database.execute("update coinslot_webhooks set until = 0 where done = 0")
                self.database.commit()
                self.assertEqual(deliver(self.path, "nowhere", place), "200")
                self.assertEqual(self.granted(place), 1)
                self.assertEqual(deliver(self.path, "nowhere", place), "200")
                self.assertEqual(self.granted(place), 1)

    def test_a_claim_that_was_lost_is_not_finished(self) -> None:
        store = coinslot.SqliteStore(self.path)
        _, claim = store.begin("slow")
        self.database.execute("update coinslot_webhooks set until = 0")
        self.database.commit()
        self.assertEqual(store.begin("slow")[0], "run")
        with self.assertRaises(coinslot.LostClaim):
            store.finish_in(self.database, "slow", claim)
        self.database.rollback()
        with self.assertRaises(coinslot.LostClaim):
            store.finish("slow", claim, None)

    def test_an_exception_of_any_kind_gives_the_key_back(self) -> None:
        for error in (RuntimeError, KeyboardInterrupt, SystemExit):
            store = coinslot.SqliteStore(self.path)

            def fail(event: dict) -> None:
                raise error("now")

            handler = coinslot.WebhookHandler(SECRET, store, fail, fail)
            event = coinslot.test_event()
            try:
                self.assertEqual(handler.receive(*coinslot.sign_webhook(event, SECRET))[0], 500)
            except (KeyboardInterrupt, SystemExit):
                pass
            self.assertEqual(store.begin(event["idempotency_key"])[0], "run")


class Removals(unittest.TestCase):
    def test_only_what_was_granted_is_revoked(self) -> None:
        for store in (coinslot.MemoryStore(), coinslot.SqliteStore(os.path.join(tempfile.mkdtemp(), "keys.db"))):
            changes: list = []
            handler = coinslot.WebhookHandler(
                SECRET, store, lambda event: changes.append("+"), lambda event: changes.append("-")
            )

            def send(kind: str, order: str, **more: str) -> int:
                event = coinslot.test_event(kind, order_id=order, **more)
                return handler.receive(*coinslot.sign_webhook(event, SECRET))[0]

            self.assertEqual(send("item.remove", "ord_never", grant="unknown"), 200)
            self.assertEqual(changes, [])
            # It arrives after its removal, which has refunded it.
            self.assertEqual(send("item.add", "ord_never"), 200)
            self.assertEqual(changes, [])
            self.assertEqual(send("item.remove", "ord_forgotten", grant="confirmed"), 200)
            self.assertEqual([send("item.add", "ord_1"), send("item.remove", "ord_1", grant="unknown")], [200, 200])
            self.assertEqual(changes, ["-", "+", "-"])
            store.begin("running", "item.add ord_2")
            self.assertEqual(send("item.remove", "ord_2", grant="unknown"), 503)


if __name__ == "__main__":
    unittest.main()
