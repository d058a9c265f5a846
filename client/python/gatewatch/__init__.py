"""Client of the Gatewatch API: control of smart contracts, and coins of addresses."""

from . import types
from ._transport import GatewatchError, Page
from .client import AsyncGatewatch, Gatewatch

__all__ = ["AsyncGatewatch", "Gatewatch", "GatewatchError", "Page", "types"]
