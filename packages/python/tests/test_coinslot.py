"""python3 -m unittest discover tests. With COINSLOT_URL and COINSLOT_KEY also against a running Coinslot."""

import json
import os
import sys
import tempfile
import threading
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import coinslot  # noqa: E402

SECRET = "a signing secret"
VECTORS = os.path.join(HERE, "../../../docs/reference/signature-vectors.json")


class Verification(unittest.TestCase):
    def test_every_shared_vector(self) -> None:
        with open(VECTORS, encoding="utf-8") as file:
            vectors = json.load(file)["vectors"]
        self.assertGreater(len(vectors), 10)
        for vector in vectors:
            with self.subTest(vector["name"]):
                reason = None
                try:
                    coinslot.verify_webhook(
                        vector["raw_body"].encode(), vector["headers"], vector["secret"], now=vector["now"]
                    )
                except coinslot.Refusal as refusal:
                    reason = refusal.reason
                self.assertEqual(reason if reason != "invalid_body" else None, vector["reason"])

    def test_weak_secrets_are_refused(self) -> None:
        for weak in ("", "short", [], ["a signing secret", ""], None, " " * 20):
            with self.subTest(weak), self.assertRaises(coinslot.CoinslotError):
                coinslot.verify_webhook(b"{}", {}, weak)  # type: ignore[arg-type]

    def test_what_it_signs_it_believes(self) -> None:
        event = coinslot.test_event(player_id="Zoë 🐉")
        raw, headers = coinslot.sign_webhook(event, SECRET)
        self.assertEqual(coinslot.verify_webhook(raw, headers, SECRET), event)
        raw, headers = coinslot.sign_webhook(event, "the secret after it", previous_secret=SECRET)
        self.assertEqual(coinslot.verify_webhook(raw, headers, SECRET), event)


class Handling(unittest.TestCase):
    def stores(self) -> list:
        return [coinslot.MemoryStore(), coinslot.SqliteStore(os.path.join(tempfile.mkdtemp(), "keys.db"))]

    def handler(self, store: object, add: object) -> coinslot.WebhookHandler:
        return coinslot.WebhookHandler(SECRET, store, on_item_add=add, on_item_remove=lambda event: None)  # type: ignore

    def test_a_key_is_handled_once_one_after_the_other_and_at_once(self) -> None:
        for store in self.stores():
            granted: list = []
            handler = self.handler(store, granted.append)
            signed = coinslot.sign_webhook(coinslot.test_event(), SECRET)
            answers: list = []
            threads = [threading.Thread(target=lambda: answers.append(handler.receive(*signed))) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            answers.append(handler.receive(*signed))
            self.assertEqual([status for status, _, _ in answers], [200] * 9)
            self.assertEqual(len(granted), 1)

    def test_a_failure_is_tried_again_and_a_decline_stays(self) -> None:
        for store in self.stores():
            calls: list = []

            def add(event: dict) -> None:
                calls.append(event)
                if len(calls) == 1:
                    raise RuntimeError("the database is away")
                raise coinslot.Declined("level too low")

            handler = self.handler(store, add)
            signed = coinslot.sign_webhook(coinslot.test_event(), SECRET)
            statuses = [handler.receive(*signed)[0] for _ in range(4)]
            self.assertEqual(statuses, [500, 422, 422, 422])
            self.assertEqual(len(calls), 2)

    def test_what_is_not_believed_reaches_no_handler(self) -> None:
        handler = self.handler(coinslot.MemoryStore(), lambda event: self.fail("it was handled"))
        raw, headers = coinslot.sign_webhook(coinslot.test_event(), "another secret")
        self.assertEqual(handler.receive(raw, headers)[0], 403)
        self.assertEqual(handler.receive(*coinslot.sign_webhook("[]", SECRET))[0], 400)
        self.assertEqual(handler.receive(*coinslot.sign_webhook(coinslot.test_event("item.polish"), SECRET))[0], 400)
        self.assertEqual(handler.receive(b"x" * (1024 * 1024 + 1), {})[0], 413)


class ClientCalls(unittest.TestCase):
    def test_what_is_wrong_is_said_before_anything_is_sent(self) -> None:
        for key, url in (("", "http://localhost"), ("k", "nowhere"), ("k", "http://pay.example.com")):
            with self.assertRaises(coinslot.CoinslotError) as caught:
                coinslot.Client(key, url)
            self.assertEqual(caught.exception.code, "invalid_argument")
        with self.assertRaises(coinslot.CoinslotError):
            coinslot.Client("k", "http://localhost").get_order("pay_1")

    @unittest.skipUnless("COINSLOT_URL" in os.environ, "needs a running Coinslot")
    def test_an_order_is_created_paid_moved_in_time_and_refunded(self) -> None:
        client = coinslot.Client(os.environ["COINSLOT_KEY"], os.environ["COINSLOT_URL"])
        order = {"player_id": "python", "items": [{"sku": "gem"}], "price_decimal": 1, "currency": "USD"}
        created = client.create_order(order, idempotency_key="python-1")
        self.assertEqual(client.create_order(order, idempotency_key="python-1")["order_id"], created["order_id"])
        self.assertIn(client.pay(created["order_id"])["order"]["status"], ("authorized", "paid"))
        client.advance(created["order_id"], 60)
        self.assertEqual(next(client.list_orders(player_id="python"))["order_id"], created["order_id"])
        self.assertIn("refund", client.refund_order(created["order_id"], "a test")["status"])
        with self.assertRaises(coinslot.CoinslotError) as caught:
            client.create_order({"player_id": "", "items": []})
        self.assertEqual((caught.exception.status, caught.exception.code), (422, "validation_failed"))
        self.assertTrue(caught.exception.request_id)


if __name__ == "__main__":
    unittest.main()
