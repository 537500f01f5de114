"""A receiver made with the package, for the exam: PORT=4300 WEBHOOK_SECRET=… python3 tests/receiver.py"""

import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from coinslot import Declined, MemoryStore, WebhookHandler  # noqa: E402

inventory: dict = {}
lock = threading.Lock()


def change(event: dict) -> None:
    data = event["event_data"]
    if event["event_type"] == "item.add" and data["player_id"] == "banned":
        raise Declined("This player is banned.")
    sign = 1 if event["event_type"] == "item.add" else -1
    with lock:
        for item in data["items"]:
            key = (data["player_id"], item["sku"])
            inventory[key] = inventory.get(key, 0) + sign * item["quantity"]
            print(event["event_type"], *key, inventory[key], flush=True)


handler = WebhookHandler(os.environ["WEBHOOK_SECRET"], MemoryStore(), on_item_add=change, on_item_remove=change)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", "0")))
        status, headers, body = handler.receive(raw, self.headers)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 128


Server(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
