"""A receiver made with the package, for the exam: PORT=4300 WEBHOOK_SECRET=… python3 tests/receiver.py"""

import os
import sqlite3
import sys
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from coinslot import Context, Declined, SqliteStore, WebhookHandler  # noqa: E402

DATABASE = os.environ.get("JOURNAL", "game.db")
UPSERT = (
    "insert into inventory values (?, ?, ?)"
    " on conflict (player, sku) do update set held = held + excluded.held returning held"
)


def connect() -> sqlite3.Connection:
    return sqlite3.connect(DATABASE, timeout=10)


with closing(connect()) as database:
    database.execute("create table if not exists inventory (player, sku, held integer, primary key (player, sku))")
    database.commit()


def change(event: dict, context: Context) -> None:
    kind, data = event["event_type"], event["event_data"]
    if kind == "item.add" and data["player_id"] == "banned":
        raise Declined("This player is banned.")
    sign = 1 if kind == "item.add" else -1
    lines = []
    with closing(connect()) as database, database:
        for item in data["items"]:
            values = (data["player_id"], item["sku"], sign * item["quantity"])
            (held,) = database.execute(UPSERT, values).fetchone()
            lines.append((kind, data["player_id"], item["sku"], held))
        context.finish_in(database)
    for line in lines:
        print(*line, flush=True)


store = SqliteStore(DATABASE)
handler = WebhookHandler(os.environ["WEBHOOK_SECRET"], store, on_item_add=change, on_item_remove=change)


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
