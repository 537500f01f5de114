"""A Coinslot webhook receiver in plain Python 3. Run: WEBHOOK_SECRET=… PORT=4300 python3 receiver.py"""

import base64
import hashlib
import hmac
import json
import os
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "").encode()  # the S2S key, or the secret of the webhook
if len(SECRET.strip()) < 8:  # with an empty or guessable secret any stranger could grant items
    raise SystemExit("Set WEBHOOK_SECRET to the signing secret: the S2S key, or the secret of the webhook.")
TOLERANCE_SECONDS = 300
MAX_BODY_BYTES = 1024 * 1024

# All of it follows from the journal: one line for each webhook that was handled. So a crash saves the grant and the
# key, or neither. In your game, save both in one transaction of its database.
inventory: dict = {}
answered: dict = {}
orders: dict = {}
lock = threading.Lock()
journal = open(os.environ.get("JOURNAL", "granted.journal"), "a+b", buffering=0)


def is_signed(headers, raw: bytes) -> bool:
    timestamp = headers.get("x-service-signature-timestamp", "")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    expected = hmac.new(SECRET, timestamp.encode() + b"." + raw, hashlib.sha256).hexdigest().encode()
    # During a rotation the previous secret signs in the second header.
    given = [headers.get(name, "") for name in ("x-service-signature", "x-service-signature-previous")]
    return any(hmac.compare_digest(one.encode("utf-8", "replace"), expected) for one in given)


def handle(event: dict, say):
    kind, data = event["event_type"], event["event_data"]
    player, order = data["player_id"], data.get("order_id")
    if kind == "item.add" and player == "banned":
        return 422, {"code": "declined", "message": "This player is banned."}
    # The removal of a purchase that never arrived takes nothing, and a purchase that arrives after it gives nothing.
    last, orders[order] = orders.get(order), kind
    counts = last != "item.remove" if kind == "item.add" else last == "item.add" or data.get("grant") == "confirmed"
    if not counts:
        return 200, {"status": "ok"}
    held = inventory.setdefault(player, {})
    for item in data["items"]:
        quantity = item.get("quantity", 1)
        change = quantity if kind == "item.add" else -quantity
        held[item["sku"]] = held.get(item["sku"], 0) + change
        say(kind, player, item["sku"], held[item["sku"]])
    return 200, {"status": "ok"}


def handle_once(event: dict, raw: bytes):
    with lock:
        key = event["idempotency_key"]
        if key not in answered:
            journal.write(base64.b64encode(raw) + b"\n")
            answered[key] = handle(event, lambda *words: print(*words, flush=True))
        return answered[key]


def answer(headers, raw: bytes):
    if not is_signed(headers, raw):
        return 403, {"error": "signature"}
    try:
        event = json.loads(raw)
        kind = event["event_type"]
    except (ValueError, TypeError, KeyError):
        return 400, {"error": "not an event"}
    if kind == "webhook.test":
        return 200, {"status": "ok"}
    if kind not in ("item.add", "item.remove"):
        return 400, {"error": "event_type"}
    # Answers when it is saved, and not before: a 2xx captures the money.
    return handle_once(event, raw)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        length = int(self.headers.get("content-length", "0"))
        self.close_connection = length > MAX_BODY_BYTES
        if length > MAX_BODY_BYTES:
            status, body = 413, {"error": "too large"}
        else:
            raw = self.rfile.read(length)
            status, body = answer(self.headers, raw)
        self.respond(status, json.dumps(body).encode())

    def respond(self, status: int, text: bytes):
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 128  # of a crowd, the default of 5 turns players away


def replay():
    journal.seek(0)
    for line in journal:
        try:
            event = json.loads(base64.b64decode(line))
            answered[event["idempotency_key"]] = handle(event, lambda *words: None)
        except (ValueError, TypeError, KeyError):
            pass  # a line that a crash cut off was never answered
    journal.write(b"\n")


if __name__ == "__main__":
    replay()
    Server(("127.0.0.1", int(os.environ.get("PORT", "4300"))), Receiver).serve_forever()
