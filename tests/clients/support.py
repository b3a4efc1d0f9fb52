"""Code shared by the programs that use the generated clients."""

import os
import time
from typing import Callable, TypeVar

T = TypeVar("T")

BASE_URL = os.environ["BASE_URL"]
API_KEY = os.environ["API_KEY"]
SPEECH_TOKEN = os.environ["SPEECH_TOKEN"]
CALL_ID = int(os.environ["CALL_ID"])

POLL_INTERVAL_SECONDS = 0.1


def until(read: Callable[[], T | None]) -> T:
    """Calls `read` until it returns a value. The test fails if that takes too long."""
    while (value := read()) is None:
        time.sleep(POLL_INTERVAL_SECONDS)
    return value
