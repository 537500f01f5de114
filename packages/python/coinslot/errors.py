"""The one error that this package raises."""

from typing import Any, Optional


class CoinslotError(Exception):
    """`code` is stable; the message may change. `status` is 0 when there was no response or nothing was sent."""

    def __init__(
        self,
        message: str,
        code: str,
        status: int = 0,
        request_id: Optional[str] = None,
        errors: Optional[list[dict[str, Any]]] = None,
        retry_after: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.request_id = request_id
        self.errors = errors or []
        self.retry_after = retry_after


def invalid_argument(message: str) -> CoinslotError:
    return CoinslotError(message, "invalid_argument")
