"""A Coinslot webhook receiver in plain Python 3. Run: WEBHOOK_SECRET=… PORT=4300 python3 receiver.py"""

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

# A real game stores both in its database, in one transaction.
inventory: dict = {}
answered: dict = {}
lock = threading.Lock()


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


def handle(event: dict):
    kind, data = event["event_type"], event["event_data"]
    player = data["player_id"]
    if kind == "item.add" and player == "banned":
        return 422, {"code": "declined", "message": "This player is banned."}
    held = inventory.setdefault(player, {})
    for item in data["items"]:
        change = item.get("quantity", 1) * (1 if kind == "item.add" else -1)
        held[item["sku"]] = held.get(item["sku"], 0) + change
        print(kind, player, item["sku"], held[item["sku"]], flush=True)
    return 200, {"status": "ok"}


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
    with lock:
        key = event["idempotency_key"]
        if key not in answered:
            answered[key] = handle(event)
        return answered[key]


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        length = int(self.headers.get("content-length", "0"))
        self.close_connection = length > MAX_BODY_BYTES
        if length > MAX_BODY_BYTES:
            status, body = 413, {"error": "too large"}
        else:
            status, body = answer(self.headers, self.rfile.read(length))
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args):
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4300"))), Receiver).serve_forever()
