"""Sell in-game items through Coinslot: orders, and webhooks that are verified and run once. No dependencies."""

from .client import Client
from .errors import CoinslotError
from .handler import Declined, MemoryStore, SqliteStore, WebhookHandler
from .testing import sign_webhook, test_event
from .webhook import Refusal, verify_webhook

__version__ = "0.1.0"
__all__ = [
    "Client",
    "CoinslotError",
    "Declined",
    "MemoryStore",
    "Refusal",
    "SqliteStore",
    "WebhookHandler",
    "sign_webhook",
    "test_event",
    "verify_webhook",
]
