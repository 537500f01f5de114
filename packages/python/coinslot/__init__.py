"""Sell in-game items through Coinslot: orders, and webhooks that are verified and run once. No dependencies."""

from .client import Client
from .errors import CoinslotError
from .handler import Context, Declined, WebhookHandler
from .stores import LostClaim, MemoryStore, SqliteStore, SqlStore, Store
from .testing import sign_webhook, test_event
from .webhook import Refusal, verify_webhook

__version__ = "1.0.0rc1"
__all__ = [
    "Client",
    "CoinslotError",
    "Context",
    "Declined",
    "LostClaim",
    "MemoryStore",
    "Refusal",
    "SqlStore",
    "SqliteStore",
    "Store",
    "WebhookHandler",
    "sign_webhook",
    "test_event",
    "verify_webhook",
]
