# Generated from server/openapi.json by `npm run generate`. Do not edit.
"""The client, and the same client for asyncio."""

from __future__ import annotations

from typing import Any, AsyncIterator, Dict, Iterator, List, Literal, Optional, cast

from ._transport import AsyncTransport, Options, Page, Request, Transport
from .types import (
    AddressView,
    Analysis,
    AnalysisBatch,
    Broadcast,
    Bump,
    CoinAddress,
    CoinAttempts,
    CoinBalanceHistory,
    CoinBlock,
    CoinBlockAt,
    CoinBlocks,
    CoinChains,
    CoinEvents,
    CoinFees,
    CoinHeaders,
    CoinHealth,
    CoinMempool,
    CoinNotifications,
    CoinOutspends,
    CoinProof,
    CoinRawTransaction,
    CoinStatus,
    CoinSubscription,
    CoinSubscriptions,
    CoinTransaction,
    CoinTransactions,
    CoinUtxos,
    ContractView,
    Delivery,
    DeliveryAttempt,
    FeedEvent,
    ForgetWallet,
    ImportLabels,
    InspectUtxos,
    KeptWallet,
    KeptWallets,
    PendingChange,
    ProtocolView,
    Simulate,
    SimulateRecipient,
    SimulateWallet,
    SimulateWalletRecipient,
    Subscription,
    UnsubscribeCoins,
    Usage,
    Wallet,
    WalletAnalysis,
    WalletBalanceHistory,
    WalletHealth,
    WalletLabels,
    WalletTransactions,
    WalletUtxos,
)


class Gatewatch:
    """Requests to one service."""

    def __init__(self, base_url: str, **options: Any) -> None:
        self._transport = Transport(base_url, Options(**options))

    def events(self, *, chain: Optional[str] = None, address: Optional[str] = None, severity: Optional[Literal["info", "high", "critical"]] = None, key: Optional[str] = None, category: Optional[Literal["upgrade", "ownership", "access", "pause", "multisig", "timelock", "governance", "token_admin"]] = None, include_init: Optional[bool] = None, limit: Optional[int] = None, cursor: Optional[str] = None, after: Optional[str] = None) -> Page[FeedEvent]:
        """Change feed over all chains, newest first, or forward in publication order: one page."""
        answer = self._transport.send(Request("v1", "GET", "/v1/events", path={}, query={"chain": chain, "address": address, "severity": severity, "key": key, "category": category, "includeInit": include_init, "limit": limit, "cursor": cursor, "after": after}))
        return Page(answer["data"], answer["nextCursor"])

    def iter_events(self, *, chain: Optional[str] = None, address: Optional[str] = None, severity: Optional[Literal["info", "high", "critical"]] = None, key: Optional[str] = None, category: Optional[Literal["upgrade", "ownership", "access", "pause", "multisig", "timelock", "governance", "token_admin"]] = None, include_init: Optional[bool] = None, limit: Optional[int] = None) -> Iterator[FeedEvent]:
        """Change feed over all chains, newest first, or forward in publication order: every item, page by page."""
        request = Request("v1", "GET", "/v1/events", path={}, query={"chain": chain, "address": address, "severity": severity, "key": key, "category": category, "includeInit": include_init, "limit": limit})
        for item in self._transport.items(request):
            yield cast("FeedEvent", item)

    def contract(self, chain: str, address: str) -> ContractView:
        """One contract."""
        return cast("ContractView", (self._transport.send(Request("v1", "GET", "/v1/contracts/{chain}/{address}", path={"chain": chain, "address": address}, query={})))["data"])

    def address_powers(self, chain: str, address: str) -> AddressView:
        """What an address can do: itself, as a signer, and through accounts it controls."""
        return cast("AddressView", (self._transport.send(Request("v1", "GET", "/v1/addresses/{chain}/{address}", path={"chain": chain, "address": address}, query={})))["data"])

    def pending(self, *, chain: Optional[str] = None, address: Optional[str] = None, protocol: Optional[str] = None, state: Optional[Literal["open", "closed"]] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> Page[PendingChange]:
        """Queued changes, earliest execution first: one page."""
        answer = self._transport.send(Request("v1", "GET", "/v1/pending", path={}, query={"chain": chain, "address": address, "protocol": protocol, "state": state, "limit": limit, "cursor": cursor}))
        return Page(answer["data"], answer["nextCursor"])

    def iter_pending(self, *, chain: Optional[str] = None, address: Optional[str] = None, protocol: Optional[str] = None, state: Optional[Literal["open", "closed"]] = None, limit: Optional[int] = None) -> Iterator[PendingChange]:
        """Queued changes, earliest execution first: every item, page by page."""
        request = Request("v1", "GET", "/v1/pending", path={}, query={"chain": chain, "address": address, "protocol": protocol, "state": state, "limit": limit})
        for item in self._transport.items(request):
            yield cast("PendingChange", item)

    def protocol(self, slug: str) -> ProtocolView:
        """A protocol across chains."""
        return cast("ProtocolView", (self._transport.send(Request("v1", "GET", "/v1/protocols/{slug}", path={"slug": slug}, query={})))["data"])

    def subscriptions(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> Page[Subscription]:
        """The key owner's subscriptions: one page."""
        answer = self._transport.send(Request("v1", "GET", "/v1/me/subscriptions", path={}, query={"limit": limit, "cursor": cursor}))
        return Page(answer["data"], answer["nextCursor"])

    def iter_subscriptions(self, *, limit: Optional[int] = None) -> Iterator[Subscription]:
        """The key owner's subscriptions: every item, page by page."""
        request = Request("v1", "GET", "/v1/me/subscriptions", path={}, query={"limit": limit})
        for item in self._transport.items(request):
            yield cast("Subscription", item)

    def notifications(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> Page[Delivery]:
        """The key owner's alert deliveries, newest first: one page."""
        answer = self._transport.send(Request("v1", "GET", "/v1/me/notifications", path={}, query={"limit": limit, "cursor": cursor}))
        return Page(answer["data"], answer["nextCursor"])

    def iter_notifications(self, *, limit: Optional[int] = None) -> Iterator[Delivery]:
        """The key owner's alert deliveries, newest first: every item, page by page."""
        request = Request("v1", "GET", "/v1/me/notifications", path={}, query={"limit": limit})
        for item in self._transport.items(request):
            yield cast("Delivery", item)

    def attempts(self, id: str) -> List[DeliveryAttempt]:
        """The last 500 attempts of a delivery, newest first."""
        return cast("List[DeliveryAttempt]", (self._transport.send(Request("v1", "GET", "/v1/me/notifications/{id}/attempts", path={"id": id}, query={})))["data"])

    def coin_status(self, *, chain: Optional[Literal["btc", "ltc"]] = None) -> CoinStatus:
        """State of a chain."""
        return cast("CoinStatus", (self._transport.send(Request("v2", "GET", "/api/v2/status", path={}, query={"chain": chain})))["data"])

    def coin_chains(self) -> CoinChains:
        """Chains of this service."""
        return cast("CoinChains", (self._transport.send(Request("v2", "GET", "/api/v2/chains", path={}, query={})))["data"])

    def coin_address(self, address: str, *, chain: Optional[Literal["btc", "ltc"]] = None, sync: Optional[bool] = None) -> CoinAddress:
        """Balance and totals of an address."""
        return cast("CoinAddress", (self._transport.send(Request("v2", "GET", "/api/v2/address/{address}", path={"address": address}, query={"chain": chain, "sync": sync})))["data"])

    def coin_utxos(self, address: str, *, chain: Optional[Literal["btc", "ltc"]] = None, limit: Optional[int] = None) -> CoinUtxos:
        """Unspent outputs of an address, most valuable first."""
        return cast("CoinUtxos", (self._transport.send(Request("v2", "GET", "/api/v2/address/{address}/utxos", path={"address": address}, query={"chain": chain, "limit": limit})))["data"])

    def coin_transactions(self, address: str, *, chain: Optional[Literal["btc", "ltc"]] = None, page: Optional[int] = None, page_size: Optional[int] = None, cursor: Optional[str] = None) -> CoinTransactions:
        """History of an address, newest first."""
        return cast("CoinTransactions", (self._transport.send(Request("v2", "GET", "/api/v2/address/{address}/txs", path={"address": address}, query={"chain": chain, "page": page, "pageSize": page_size, "cursor": cursor})))["data"])

    def coin_balance_history(self, address: str, *, chain: Optional[Literal["btc", "ltc"]] = None, by: Optional[Literal["block", "day"]] = None, from_: Optional[str] = None, limit: Optional[int] = None) -> CoinBalanceHistory:
        """Balance of an address over time, by block or by day."""
        return cast("CoinBalanceHistory", (self._transport.send(Request("v2", "GET", "/api/v2/address/{address}/balance-history", path={"address": address}, query={"chain": chain, "by": by, "from": from_, "limit": limit})))["data"])

    def coin_transaction(self, txid: str, *, chain: Optional[Literal["btc", "ltc"]] = None) -> CoinTransaction:
        """A transaction."""
        return cast("CoinTransaction", (self._transport.send(Request("v2", "GET", "/api/v2/tx/{txid}", path={"txid": txid}, query={"chain": chain})))["data"])

    def coin_block(self, hash_or_height: str, *, chain: Optional[Literal["btc", "ltc"]] = None, txids: Optional[bool] = None) -> CoinBlock:
        """A block."""
        return cast("CoinBlock", (self._transport.send(Request("v2", "GET", "/api/v2/block/{hashOrHeight}", path={"hashOrHeight": hash_or_height}, query={"chain": chain, "txids": txids})))["data"])

    def broadcast(self, transactions: List[str], *, chain: Optional[Literal["btc", "ltc"]] = None, max_fee_rate: Optional[float] = None, test_only: Optional[bool] = None) -> Broadcast:
        """Broadcast a signed transaction, or a package of them."""
        return cast("Broadcast", (self._transport.send(Request("v2", "POST", "/api/v2/tx", path={}, query={}, body={"transactions": transactions, "chain": chain, "maxFeeRate": max_fee_rate, "testOnly": test_only})))["data"])

    def coin_raw_transaction(self, txid: str, *, chain: Optional[Literal["btc", "ltc"]] = None) -> CoinRawTransaction:
        """The bytes of a transaction."""
        return cast("CoinRawTransaction", (self._transport.send(Request("v2", "GET", "/api/v2/tx/{txid}/raw", path={"txid": txid}, query={"chain": chain})))["data"])

    def inspect_utxos(self, outpoints: List[str], *, chain: Optional[Literal["btc", "ltc"]] = None, depth: Optional[int] = None) -> InspectUtxos:
        """Inscriptions and runes on outputs."""
        return cast("InspectUtxos", (self._transport.send(Request("v2", "POST", "/api/v2/utxos/inspect", path={}, query={}, body={"outpoints": outpoints, "chain": chain, "depth": depth})))["data"])

    def bump(self, txid: str, *, chain: Optional[Literal["btc", "ltc"]] = None, fee_rate: Optional[float] = None, conf_target: Optional[int] = None) -> Bump:
        """How to raise the fee rate of an unconfirmed transaction, and what it costs."""
        return cast("Bump", (self._transport.send(Request("v2", "GET", "/api/v2/tx/{txid}/bump", path={"txid": txid}, query={"chain": chain, "feeRate": fee_rate, "confTarget": conf_target})))["data"])

    def coin_proof(self, txid: str, *, chain: Optional[Literal["btc", "ltc"]] = None) -> CoinProof:
        """Proof that a block contains a transaction."""
        return cast("CoinProof", (self._transport.send(Request("v2", "GET", "/api/v2/tx/{txid}/proof", path={"txid": txid}, query={"chain": chain})))["data"])

    def coin_outspends(self, txid: str, *, chain: Optional[Literal["btc", "ltc"]] = None) -> CoinOutspends:
        """Which transactions spend the outputs of a transaction."""
        return cast("CoinOutspends", (self._transport.send(Request("v2", "GET", "/api/v2/tx/{txid}/outspends", path={"txid": txid}, query={"chain": chain})))["data"])

    def coin_mempool(self, address: str, *, chain: Optional[Literal["btc", "ltc"]] = None) -> CoinMempool:
        """Unconfirmed transactions of an address."""
        return cast("CoinMempool", (self._transport.send(Request("v2", "GET", "/api/v2/address/{address}/mempool", path={"address": address}, query={"chain": chain})))["data"])

    def coin_headers(self, *, chain: Optional[Literal["btc", "ltc"]] = None, from_: Optional[int] = None, count: Optional[int] = None) -> CoinHeaders:
        """Headers of consecutive blocks."""
        return cast("CoinHeaders", (self._transport.send(Request("v2", "GET", "/api/v2/headers", path={}, query={"chain": chain, "from": from_, "count": count})))["data"])

    def coin_blocks(self, *, chain: Optional[Literal["btc", "ltc"]] = None, to: Optional[int] = None, count: Optional[int] = None) -> CoinBlocks:
        """Blocks with their fee rates, newest first."""
        return cast("CoinBlocks", (self._transport.send(Request("v2", "GET", "/api/v2/blocks", path={}, query={"chain": chain, "to": to, "count": count})))["data"])

    def coin_block_at(self, time: str, *, chain: Optional[Literal["btc", "ltc"]] = None) -> CoinBlockAt:
        """The last block at or before a time."""
        return cast("CoinBlockAt", (self._transport.send(Request("v2", "GET", "/api/v2/blocks/at", path={}, query={"time": time, "chain": chain})))["data"])

    def coin_fees(self, *, chain: Optional[Literal["btc", "ltc"]] = None) -> CoinFees:
        """Fee rates."""
        return cast("CoinFees", (self._transport.send(Request("v2", "GET", "/api/v2/fees", path={}, query={"chain": chain})))["data"])

    def simulate(self, from_address: str, *, to_address: Optional[str] = None, amount: Optional[int] = None, recipients: Optional[List[SimulateRecipient]] = None, send_all: Optional[bool] = None, must_use: Optional[List[str]] = None, must_not_use: Optional[List[str]] = None, change_address: Optional[str] = None, locktime: Optional[int] = None, sequence: Optional[int] = None, fee_rate: Optional[float] = None, conf_target: Optional[int] = None, utxo_selection: Optional[Literal["optimal", "largest", "smallest", "oldest"]] = None, compare_strategies: Optional[bool] = None, psbt: Optional[bool] = None, include_unconfirmed: Optional[bool] = None, protect: Optional[Literal["small", "all", "none"]] = None, input_type: Optional[str] = None, redeem_script: Optional[str] = None, witness_script: Optional[str] = None, descriptor: Optional[str] = None, chain: Optional[Literal["btc", "ltc"]] = None) -> Simulate:
        """Simulate a payment."""
        return cast("Simulate", (self._transport.send(Request("v2", "POST", "/api/v2/simulate", path={}, query={}, body={"fromAddress": from_address, "toAddress": to_address, "amount": amount, "recipients": recipients, "sendAll": send_all, "mustUse": must_use, "mustNotUse": must_not_use, "changeAddress": change_address, "locktime": locktime, "sequence": sequence, "feeRate": fee_rate, "confTarget": conf_target, "utxoSelection": utxo_selection, "compareStrategies": compare_strategies, "psbt": psbt, "includeUnconfirmed": include_unconfirmed, "protect": protect, "inputType": input_type, "redeemScript": redeem_script, "witnessScript": witness_script, "descriptor": descriptor, "chain": chain})))["data"])

    def coin_health(self, address: str, *, chain: Optional[Literal["btc", "ltc"]] = None) -> CoinHealth:
        """Health of the unspent outputs of an address."""
        return cast("CoinHealth", (self._transport.send(Request("v2", "GET", "/api/v2/health/{address}", path={"address": address}, query={"chain": chain})))["data"])

    def analyze(self, address: str, *, chain: Optional[Literal["btc", "ltc"]] = None) -> Analysis:
        """Privacy, dust and consolidation of an address."""
        return cast("Analysis", (self._transport.send(Request("v2", "GET", "/api/v2/analyze/{address}", path={"address": address}, query={"chain": chain})))["data"])

    def wallet(self, *, descriptor: Optional[str] = None, wallet_id: Optional[str] = None, chain: Optional[Literal["btc", "ltc"]] = None, gap_limit: Optional[int] = None) -> Wallet:
        """Balance and totals of a wallet."""
        return cast("Wallet", (self._transport.send(Request("v2", "POST", "/api/v2/wallets", path={}, query={}, body={"descriptor": descriptor, "walletId": wallet_id, "chain": chain, "gapLimit": gap_limit})))["data"])

    def kept_wallets(self) -> KeptWallets:
        """Wallets that the account keeps."""
        return cast("KeptWallets", (self._transport.send(Request("v2", "GET", "/api/v2/wallets", path={}, query={})))["data"])

    def wallet_utxos(self, *, descriptor: Optional[str] = None, wallet_id: Optional[str] = None, chain: Optional[Literal["btc", "ltc"]] = None, gap_limit: Optional[int] = None, limit: Optional[int] = None) -> WalletUtxos:
        """Unspent outputs of a wallet with their derivation paths, most valuable first."""
        return cast("WalletUtxos", (self._transport.send(Request("v2", "POST", "/api/v2/wallets/utxos", path={}, query={}, body={"descriptor": descriptor, "walletId": wallet_id, "chain": chain, "gapLimit": gap_limit, "limit": limit})))["data"])

    def wallet_transactions(self, *, descriptor: Optional[str] = None, wallet_id: Optional[str] = None, chain: Optional[Literal["btc", "ltc"]] = None, gap_limit: Optional[int] = None, page: Optional[int] = None, page_size: Optional[int] = None) -> WalletTransactions:
        """History of a wallet, one entry per transaction, newest first."""
        return cast("WalletTransactions", (self._transport.send(Request("v2", "POST", "/api/v2/wallets/txs", path={}, query={}, body={"descriptor": descriptor, "walletId": wallet_id, "chain": chain, "gapLimit": gap_limit, "page": page, "pageSize": page_size})))["data"])

    def wallet_balance_history(self, *, descriptor: Optional[str] = None, wallet_id: Optional[str] = None, chain: Optional[Literal["btc", "ltc"]] = None, gap_limit: Optional[int] = None, by: Optional[Literal["block", "day"]] = None, from_: Optional[str] = None, limit: Optional[int] = None) -> WalletBalanceHistory:
        """Balance of a wallet over time, by block or by day."""
        return cast("WalletBalanceHistory", (self._transport.send(Request("v2", "POST", "/api/v2/wallets/balance-history", path={}, query={}, body={"descriptor": descriptor, "walletId": wallet_id, "chain": chain, "gapLimit": gap_limit, "by": by, "from": from_, "limit": limit})))["data"])

    def simulate_wallet(self, *, to_address: Optional[str] = None, amount: Optional[int] = None, recipients: Optional[List[SimulateWalletRecipient]] = None, send_all: Optional[bool] = None, must_use: Optional[List[str]] = None, must_not_use: Optional[List[str]] = None, change_address: Optional[str] = None, locktime: Optional[int] = None, sequence: Optional[int] = None, fee_rate: Optional[float] = None, conf_target: Optional[int] = None, utxo_selection: Optional[Literal["optimal", "largest", "smallest", "oldest"]] = None, compare_strategies: Optional[bool] = None, psbt: Optional[bool] = None, include_unconfirmed: Optional[bool] = None, protect: Optional[Literal["small", "all", "none"]] = None, descriptor: Optional[str] = None, wallet_id: Optional[str] = None, chain: Optional[Literal["btc", "ltc"]] = None, gap_limit: Optional[int] = None) -> SimulateWallet:
        """Simulate a payment from a wallet."""
        return cast("SimulateWallet", (self._transport.send(Request("v2", "POST", "/api/v2/wallets/simulate", path={}, query={}, body={"toAddress": to_address, "amount": amount, "recipients": recipients, "sendAll": send_all, "mustUse": must_use, "mustNotUse": must_not_use, "changeAddress": change_address, "locktime": locktime, "sequence": sequence, "feeRate": fee_rate, "confTarget": conf_target, "utxoSelection": utxo_selection, "compareStrategies": compare_strategies, "psbt": psbt, "includeUnconfirmed": include_unconfirmed, "protect": protect, "descriptor": descriptor, "walletId": wallet_id, "chain": chain, "gapLimit": gap_limit})))["data"])

    def wallet_health(self, *, descriptor: Optional[str] = None, wallet_id: Optional[str] = None, chain: Optional[Literal["btc", "ltc"]] = None, gap_limit: Optional[int] = None) -> WalletHealth:
        """Health of the unspent outputs of a wallet."""
        return cast("WalletHealth", (self._transport.send(Request("v2", "POST", "/api/v2/wallets/health", path={}, query={}, body={"descriptor": descriptor, "walletId": wallet_id, "chain": chain, "gapLimit": gap_limit})))["data"])

    def analyze_wallet(self, *, descriptor: Optional[str] = None, wallet_id: Optional[str] = None, chain: Optional[Literal["btc", "ltc"]] = None, gap_limit: Optional[int] = None) -> WalletAnalysis:
        """Privacy, dust and consolidation of a wallet."""
        return cast("WalletAnalysis", (self._transport.send(Request("v2", "POST", "/api/v2/wallets/analyze", path={}, query={}, body={"descriptor": descriptor, "walletId": wallet_id, "chain": chain, "gapLimit": gap_limit})))["data"])

    def keep_wallet(self, descriptor: str, name: str, *, chain: Optional[Literal["btc", "ltc"]] = None, gap_limit: Optional[int] = None) -> KeptWallet:
        """Keep a wallet. One that the account keeps already is updated."""
        return cast("KeptWallet", (self._transport.send(Request("v2", "POST", "/api/v2/wallets/keep", path={}, query={}, body={"descriptor": descriptor, "name": name, "chain": chain, "gapLimit": gap_limit})))["data"])

    def kept_wallet(self, wallet_id: str) -> KeptWallet:
        """A kept wallet."""
        return cast("KeptWallet", (self._transport.send(Request("v2", "GET", "/api/v2/wallets/{walletId}", path={"walletId": wallet_id}, query={})))["data"])

    def forget_wallet(self, wallet_id: str) -> ForgetWallet:
        """Delete a kept wallet and its labels."""
        return cast("ForgetWallet", (self._transport.send(Request("v2", "DELETE", "/api/v2/wallets/{walletId}", path={"walletId": wallet_id}, query={})))["data"])

    def wallet_labels(self, wallet_id: str) -> WalletLabels:
        """The labels of a kept wallet (BIP 329)."""
        return cast("WalletLabels", (self._transport.send(Request("v2", "GET", "/api/v2/wallets/{walletId}/labels", path={"walletId": wallet_id}, query={})))["data"])

    def import_labels(self, wallet_id: str, bip329: str, *, replace: Optional[bool] = None) -> ImportLabels:
        """Import labels of a kept wallet (BIP 329)."""
        return cast("ImportLabels", (self._transport.send(Request("v2", "POST", "/api/v2/wallets/{walletId}/labels", path={"walletId": wallet_id}, query={}, body={"bip329": bip329, "replace": replace})))["data"])

    def coin_subscriptions(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> CoinSubscriptions:
        """Subscriptions to addresses, wallets and transactions."""
        return cast("CoinSubscriptions", (self._transport.send(Request("v2", "GET", "/api/v2/subscriptions", path={}, query={"limit": limit, "cursor": cursor})))["data"])

    def subscribe_coins(self, *, chain: Optional[Literal["btc", "ltc"]] = None, address: Optional[str] = None, wallet_id: Optional[str] = None, txid: Optional[str] = None, events: Optional[List[Literal["seen", "confirmed", "replaced", "spent"]]] = None, confirmations: Optional[int] = None, channels: Optional[List[Literal["telegram", "email", "webhook", "slack", "discord", "teams", "pagerduty", "opsgenie", "custom"]]] = None) -> CoinSubscription:
        """Subscribe to an address, a kept wallet or a transaction. A subscription to the same is changed."""
        return cast("CoinSubscription", (self._transport.send(Request("v2", "POST", "/api/v2/subscriptions", path={}, query={}, body={"chain": chain, "address": address, "walletId": wallet_id, "txid": txid, "events": events, "confirmations": confirmations, "channels": channels})))["data"])

    def coin_subscription(self, id: int) -> CoinSubscription:
        """A subscription."""
        return cast("CoinSubscription", (self._transport.send(Request("v2", "GET", "/api/v2/subscriptions/{id}", path={"id": id}, query={})))["data"])

    def unsubscribe_coins(self, id: int) -> UnsubscribeCoins:
        """Delete a subscription."""
        return cast("UnsubscribeCoins", (self._transport.send(Request("v2", "DELETE", "/api/v2/subscriptions/{id}", path={"id": id}, query={})))["data"])

    def coin_events(self, *, after: Optional[str] = None, limit: Optional[int] = None) -> CoinEvents:
        """Events of all subscriptions and their retractions, oldest first."""
        return cast("CoinEvents", (self._transport.send(Request("v2", "GET", "/api/v2/events", path={}, query={"after": after, "limit": limit})))["data"])

    def coin_notifications(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> CoinNotifications:
        """Deliveries of events to the channels of the account, newest first."""
        return cast("CoinNotifications", (self._transport.send(Request("v2", "GET", "/api/v2/notifications", path={}, query={"limit": limit, "cursor": cursor})))["data"])

    def coin_attempts(self, id: int) -> CoinAttempts:
        """The last 500 attempts of a delivery, newest first."""
        return cast("CoinAttempts", (self._transport.send(Request("v2", "GET", "/api/v2/notifications/{id}/attempts", path={"id": id}, query={})))["data"])

    def start_batch(self, addresses: List[str], *, chain: Optional[Literal["btc", "ltc"]] = None, webhook_url: Optional[str] = None) -> AnalysisBatch:
        """Analyze many addresses."""
        return cast("AnalysisBatch", (self._transport.send(Request("v2", "POST", "/api/v2/analyze/batch", path={}, query={}, body={"addresses": addresses, "chain": chain, "webhookUrl": webhook_url})))["data"])

    def batch(self, batch_id: str) -> AnalysisBatch:
        """A batch and its results."""
        return cast("AnalysisBatch", (self._transport.send(Request("v2", "GET", "/api/v2/analyze/batch/{batchId}", path={"batchId": batch_id}, query={})))["data"])

    def usage(self) -> Usage:
        """Usage of this key. Does not count against the quota."""
        return cast("Usage", (self._transport.send(Request("v2", "GET", "/api/v2/usage", path={}, query={})))["data"])


class AsyncGatewatch:
    """Requests to one service. Every request runs in a thread."""

    def __init__(self, base_url: str, **options: Any) -> None:
        self._transport = AsyncTransport(base_url, Options(**options))

    async def events(self, *, chain: Optional[str] = None, address: Optional[str] = None, severity: Optional[Literal["info", "high", "critical"]] = None, key: Optional[str] = None, category: Optional[Literal["upgrade", "ownership", "access", "pause", "multisig", "timelock", "governance", "token_admin"]] = None, include_init: Optional[bool] = None, limit: Optional[int] = None, cursor: Optional[str] = None, after: Optional[str] = None) -> Page[FeedEvent]:
        """Change feed over all chains, newest first, or forward in publication order: one page."""
        answer = await self._transport.send(Request("v1", "GET", "/v1/events", path={}, query={"chain": chain, "address": address, "severity": severity, "key": key, "category": category, "includeInit": include_init, "limit": limit, "cursor": cursor, "after": after}))
        return Page(answer["data"], answer["nextCursor"])

    async def iter_events(self, *, chain: Optional[str] = None, address: Optional[str] = None, severity: Optional[Literal["info", "high", "critical"]] = None, key: Optional[str] = None, category: Optional[Literal["upgrade", "ownership", "access", "pause", "multisig", "timelock", "governance", "token_admin"]] = None, include_init: Optional[bool] = None, limit: Optional[int] = None) -> AsyncIterator[FeedEvent]:
        """Change feed over all chains, newest first, or forward in publication order: every item, page by page."""
        request = Request("v1", "GET", "/v1/events", path={}, query={"chain": chain, "address": address, "severity": severity, "key": key, "category": category, "includeInit": include_init, "limit": limit})
        async for item in self._transport.items(request):
            yield cast("FeedEvent", item)

    async def contract(self, chain: str, address: str) -> ContractView:
        """One contract."""
        return cast("ContractView", (await self._transport.send(Request("v1", "GET", "/v1/contracts/{chain}/{address}", path={"chain": chain, "address": address}, query={})))["data"])

    async def address_powers(self, chain: str, address: str) -> AddressView:
        """What an address can do: itself, as a signer, and through accounts it controls."""
        return cast("AddressView", (await self._transport.send(Request("v1", "GET", "/v1/addresses/{chain}/{address}", path={"chain": chain, "address": address}, query={})))["data"])

    async def pending(self, *, chain: Optional[str] = None, address: Optional[str] = None, protocol: Optional[str] = None, state: Optional[Literal["open", "closed"]] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> Page[PendingChange]:
        """Queued changes, earliest execution first: one page."""
        answer = await self._transport.send(Request("v1", "GET", "/v1/pending", path={}, query={"chain": chain, "address": address, "protocol": protocol, "state": state, "limit": limit, "cursor": cursor}))
        return Page(answer["data"], answer["nextCursor"])

    async def iter_pending(self, *, chain: Optional[str] = None, address: Optional[str] = None, protocol: Optional[str] = None, state: Optional[Literal["open", "closed"]] = None, limit: Optional[int] = None) -> AsyncIterator[PendingChange]:
        """Queued changes, earliest execution first: every item, page by page."""
        request = Request("v1", "GET", "/v1/pending", path={}, query={"chain": chain, "address": address, "protocol": protocol, "state": state, "limit": limit})
        async for item in self._transport.items(request):
            yield cast("PendingChange", item)

    async def protocol(self, slug: str) -> ProtocolView:
        """A protocol across chains."""
        return cast("ProtocolView", (await self._transport.send(Request("v1", "GET", "/v1/protocols/{slug}", path={"slug": slug}, query={})))["data"])

    async def subscriptions(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> Page[Subscription]:
        """The key owner's subscriptions: one page."""
        answer = await self._transport.send(Request("v1", "GET", "/v1/me/subscriptions", path={}, query={"limit": limit, "cursor": cursor}))
        return Page(answer["data"], answer["nextCursor"])

    async def iter_subscriptions(self, *, limit: Optional[int] = None) -> AsyncIterator[Subscription]:
        """The key owner's subscriptions: every item, page by page."""
        request = Request("v1", "GET", "/v1/me/subscriptions", path={}, query={"limit": limit})
        async for item in self._transport.items(request):
            yield cast("Subscription", item)

    async def notifications(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> Page[Delivery]:
        """The key owner's alert deliveries, newest first: one page."""
        answer = await self._transport.send(Request("v1", "GET", "/v1/me/notifications", path={}, query={"limit": limit, "cursor": cursor}))
        return Page(answer["data"], answer["nextCursor"])

    async def iter_notifications(self, *, limit: Optional[int] = None) -> AsyncIterator[Delivery]:
        """The key owner's alert deliveries, newest first: every item, page by page."""
        request = Request("v1", "GET", "/v1/me/notifications", path={}, query={"limit": limit})
        async for item in self._transport.items(request):
            yield cast("Delivery", item)

    async def attempts(self, id: str) -> List[DeliveryAttempt]:
        """The last 500 attempts of a delivery, newest first."""
        return cast("List[DeliveryAttempt]", (await self._transport.send(Request("v1", "GET", "/v1/me/notifications/{id}/attempts", path={"id": id}, query={})))["data"])

    async def coin_status(self, *, chain: Optional[Literal["btc", "ltc"]] = None) -> CoinStatus:
        """State of a chain."""
        return cast("CoinStatus", (await self._transport.send(Request("v2", "GET", "/api/v2/status", path={}, query={"chain": chain})))["data"])

    async def coin_chains(self) -> CoinChains:
        """Chains of this service."""
        return cast("CoinChains", (await self._transport.send(Request("v2", "GET", "/api/v2/chains", path={}, query={})))["data"])

    async def coin_address(self, address: str, *, chain: Optional[Literal["btc", "ltc"]] = None, sync: Optional[bool] = None) -> CoinAddress:
        """Balance and totals of an address."""
        return cast("CoinAddress", (await self._transport.send(Request("v2", "GET", "/api/v2/address/{address}", path={"address": address}, query={"chain": chain, "sync": sync})))["data"])

    async def coin_utxos(self, address: str, *, chain: Optional[Literal["btc", "ltc"]] = None, limit: Optional[int] = None) -> CoinUtxos:
        """Unspent outputs of an address, most valuable first."""
        return cast("CoinUtxos", (await self._transport.send(Request("v2", "GET", "/api/v2/address/{address}/utxos", path={"address": address}, query={"chain": chain, "limit": limit})))["data"])

    async def coin_transactions(self, address: str, *, chain: Optional[Literal["btc", "ltc"]] = None, page: Optional[int] = None, page_size: Optional[int] = None, cursor: Optional[str] = None) -> CoinTransactions:
        """History of an address, newest first."""
        return cast("CoinTransactions", (await self._transport.send(Request("v2", "GET", "/api/v2/address/{address}/txs", path={"address": address}, query={"chain": chain, "page": page, "pageSize": page_size, "cursor": cursor})))["data"])

    async def coin_balance_history(self, address: str, *, chain: Optional[Literal["btc", "ltc"]] = None, by: Optional[Literal["block", "day"]] = None, from_: Optional[str] = None, limit: Optional[int] = None) -> CoinBalanceHistory:
        """Balance of an address over time, by block or by day."""
        return cast("CoinBalanceHistory", (await self._transport.send(Request("v2", "GET", "/api/v2/address/{address}/balance-history", path={"address": address}, query={"chain": chain, "by": by, "from": from_, "limit": limit})))["data"])

    async def coin_transaction(self, txid: str, *, chain: Optional[Literal["btc", "ltc"]] = None) -> CoinTransaction:
        """A transaction."""
        return cast("CoinTransaction", (await self._transport.send(Request("v2", "GET", "/api/v2/tx/{txid}", path={"txid": txid}, query={"chain": chain})))["data"])

    async def coin_block(self, hash_or_height: str, *, chain: Optional[Literal["btc", "ltc"]] = None, txids: Optional[bool] = None) -> CoinBlock:
        """A block."""
        return cast("CoinBlock", (await self._transport.send(Request("v2", "GET", "/api/v2/block/{hashOrHeight}", path={"hashOrHeight": hash_or_height}, query={"chain": chain, "txids": txids})))["data"])

    async def broadcast(self, transactions: List[str], *, chain: Optional[Literal["btc", "ltc"]] = None, max_fee_rate: Optional[float] = None, test_only: Optional[bool] = None) -> Broadcast:
        """Broadcast a signed transaction, or a package of them."""
        return cast("Broadcast", (await self._transport.send(Request("v2", "POST", "/api/v2/tx", path={}, query={}, body={"transactions": transactions, "chain": chain, "maxFeeRate": max_fee_rate, "testOnly": test_only})))["data"])

    async def coin_raw_transaction(self, txid: str, *, chain: Optional[Literal["btc", "ltc"]] = None) -> CoinRawTransaction:
        """The bytes of a transaction."""
        return cast("CoinRawTransaction", (await self._transport.send(Request("v2", "GET", "/api/v2/tx/{txid}/raw", path={"txid": txid}, query={"chain": chain})))["data"])

    async def inspect_utxos(self, outpoints: List[str], *, chain: Optional[Literal["btc", "ltc"]] = None, depth: Optional[int] = None) -> InspectUtxos:
        """Inscriptions and runes on outputs."""
        return cast("InspectUtxos", (await self._transport.send(Request("v2", "POST", "/api/v2/utxos/inspect", path={}, query={}, body={"outpoints": outpoints, "chain": chain, "depth": depth})))["data"])

    async def bump(self, txid: str, *, chain: Optional[Literal["btc", "ltc"]] = None, fee_rate: Optional[float] = None, conf_target: Optional[int] = None) -> Bump:
        """How to raise the fee rate of an unconfirmed transaction, and what it costs."""
        return cast("Bump", (await self._transport.send(Request("v2", "GET", "/api/v2/tx/{txid}/bump", path={"txid": txid}, query={"chain": chain, "feeRate": fee_rate, "confTarget": conf_target})))["data"])

    async def coin_proof(self, txid: str, *, chain: Optional[Literal["btc", "ltc"]] = None) -> CoinProof:
        """Proof that a block contains a transaction."""
        return cast("CoinProof", (await self._transport.send(Request("v2", "GET", "/api/v2/tx/{txid}/proof", path={"txid": txid}, query={"chain": chain})))["data"])

    async def coin_outspends(self, txid: str, *, chain: Optional[Literal["btc", "ltc"]] = None) -> CoinOutspends:
        """Which transactions spend the outputs of a transaction."""
        return cast("CoinOutspends", (await self._transport.send(Request("v2", "GET", "/api/v2/tx/{txid}/outspends", path={"txid": txid}, query={"chain": chain})))["data"])

    async def coin_mempool(self, address: str, *, chain: Optional[Literal["btc", "ltc"]] = None) -> CoinMempool:
        """Unconfirmed transactions of an address."""
        return cast("CoinMempool", (await self._transport.send(Request("v2", "GET", "/api/v2/address/{address}/mempool", path={"address": address}, query={"chain": chain})))["data"])

    async def coin_headers(self, *, chain: Optional[Literal["btc", "ltc"]] = None, from_: Optional[int] = None, count: Optional[int] = None) -> CoinHeaders:
        """Headers of consecutive blocks."""
        return cast("CoinHeaders", (await self._transport.send(Request("v2", "GET", "/api/v2/headers", path={}, query={"chain": chain, "from": from_, "count": count})))["data"])

    async def coin_blocks(self, *, chain: Optional[Literal["btc", "ltc"]] = None, to: Optional[int] = None, count: Optional[int] = None) -> CoinBlocks:
        """Blocks with their fee rates, newest first."""
        return cast("CoinBlocks", (await self._transport.send(Request("v2", "GET", "/api/v2/blocks", path={}, query={"chain": chain, "to": to, "count": count})))["data"])

    async def coin_block_at(self, time: str, *, chain: Optional[Literal["btc", "ltc"]] = None) -> CoinBlockAt:
        """The last block at or before a time."""
        return cast("CoinBlockAt", (await self._transport.send(Request("v2", "GET", "/api/v2/blocks/at", path={}, query={"time": time, "chain": chain})))["data"])

    async def coin_fees(self, *, chain: Optional[Literal["btc", "ltc"]] = None) -> CoinFees:
        """Fee rates."""
        return cast("CoinFees", (await self._transport.send(Request("v2", "GET", "/api/v2/fees", path={}, query={"chain": chain})))["data"])

    async def simulate(self, from_address: str, *, to_address: Optional[str] = None, amount: Optional[int] = None, recipients: Optional[List[SimulateRecipient]] = None, send_all: Optional[bool] = None, must_use: Optional[List[str]] = None, must_not_use: Optional[List[str]] = None, change_address: Optional[str] = None, locktime: Optional[int] = None, sequence: Optional[int] = None, fee_rate: Optional[float] = None, conf_target: Optional[int] = None, utxo_selection: Optional[Literal["optimal", "largest", "smallest", "oldest"]] = None, compare_strategies: Optional[bool] = None, psbt: Optional[bool] = None, include_unconfirmed: Optional[bool] = None, protect: Optional[Literal["small", "all", "none"]] = None, input_type: Optional[str] = None, redeem_script: Optional[str] = None, witness_script: Optional[str] = None, descriptor: Optional[str] = None, chain: Optional[Literal["btc", "ltc"]] = None) -> Simulate:
        """Simulate a payment."""
        return cast("Simulate", (await self._transport.send(Request("v2", "POST", "/api/v2/simulate", path={}, query={}, body={"fromAddress": from_address, "toAddress": to_address, "amount": amount, "recipients": recipients, "sendAll": send_all, "mustUse": must_use, "mustNotUse": must_not_use, "changeAddress": change_address, "locktime": locktime, "sequence": sequence, "feeRate": fee_rate, "confTarget": conf_target, "utxoSelection": utxo_selection, "compareStrategies": compare_strategies, "psbt": psbt, "includeUnconfirmed": include_unconfirmed, "protect": protect, "inputType": input_type, "redeemScript": redeem_script, "witnessScript": witness_script, "descriptor": descriptor, "chain": chain})))["data"])

    async def coin_health(self, address: str, *, chain: Optional[Literal["btc", "ltc"]] = None) -> CoinHealth:
        """Health of the unspent outputs of an address."""
        return cast("CoinHealth", (await self._transport.send(Request("v2", "GET", "/api/v2/health/{address}", path={"address": address}, query={"chain": chain})))["data"])

    async def analyze(self, address: str, *, chain: Optional[Literal["btc", "ltc"]] = None) -> Analysis:
        """Privacy, dust and consolidation of an address."""
        return cast("Analysis", (await self._transport.send(Request("v2", "GET", "/api/v2/analyze/{address}", path={"address": address}, query={"chain": chain})))["data"])

    async def wallet(self, *, descriptor: Optional[str] = None, wallet_id: Optional[str] = None, chain: Optional[Literal["btc", "ltc"]] = None, gap_limit: Optional[int] = None) -> Wallet:
        """Balance and totals of a wallet."""
        return cast("Wallet", (await self._transport.send(Request("v2", "POST", "/api/v2/wallets", path={}, query={}, body={"descriptor": descriptor, "walletId": wallet_id, "chain": chain, "gapLimit": gap_limit})))["data"])

    async def kept_wallets(self) -> KeptWallets:
        """Wallets that the account keeps."""
        return cast("KeptWallets", (await self._transport.send(Request("v2", "GET", "/api/v2/wallets", path={}, query={})))["data"])

    async def wallet_utxos(self, *, descriptor: Optional[str] = None, wallet_id: Optional[str] = None, chain: Optional[Literal["btc", "ltc"]] = None, gap_limit: Optional[int] = None, limit: Optional[int] = None) -> WalletUtxos:
        """Unspent outputs of a wallet with their derivation paths, most valuable first."""
        return cast("WalletUtxos", (await self._transport.send(Request("v2", "POST", "/api/v2/wallets/utxos", path={}, query={}, body={"descriptor": descriptor, "walletId": wallet_id, "chain": chain, "gapLimit": gap_limit, "limit": limit})))["data"])

    async def wallet_transactions(self, *, descriptor: Optional[str] = None, wallet_id: Optional[str] = None, chain: Optional[Literal["btc", "ltc"]] = None, gap_limit: Optional[int] = None, page: Optional[int] = None, page_size: Optional[int] = None) -> WalletTransactions:
        """History of a wallet, one entry per transaction, newest first."""
        return cast("WalletTransactions", (await self._transport.send(Request("v2", "POST", "/api/v2/wallets/txs", path={}, query={}, body={"descriptor": descriptor, "walletId": wallet_id, "chain": chain, "gapLimit": gap_limit, "page": page, "pageSize": page_size})))["data"])

    async def wallet_balance_history(self, *, descriptor: Optional[str] = None, wallet_id: Optional[str] = None, chain: Optional[Literal["btc", "ltc"]] = None, gap_limit: Optional[int] = None, by: Optional[Literal["block", "day"]] = None, from_: Optional[str] = None, limit: Optional[int] = None) -> WalletBalanceHistory:
        """Balance of a wallet over time, by block or by day."""
        return cast("WalletBalanceHistory", (await self._transport.send(Request("v2", "POST", "/api/v2/wallets/balance-history", path={}, query={}, body={"descriptor": descriptor, "walletId": wallet_id, "chain": chain, "gapLimit": gap_limit, "by": by, "from": from_, "limit": limit})))["data"])

    async def simulate_wallet(self, *, to_address: Optional[str] = None, amount: Optional[int] = None, recipients: Optional[List[SimulateWalletRecipient]] = None, send_all: Optional[bool] = None, must_use: Optional[List[str]] = None, must_not_use: Optional[List[str]] = None, change_address: Optional[str] = None, locktime: Optional[int] = None, sequence: Optional[int] = None, fee_rate: Optional[float] = None, conf_target: Optional[int] = None, utxo_selection: Optional[Literal["optimal", "largest", "smallest", "oldest"]] = None, compare_strategies: Optional[bool] = None, psbt: Optional[bool] = None, include_unconfirmed: Optional[bool] = None, protect: Optional[Literal["small", "all", "none"]] = None, descriptor: Optional[str] = None, wallet_id: Optional[str] = None, chain: Optional[Literal["btc", "ltc"]] = None, gap_limit: Optional[int] = None) -> SimulateWallet:
        """Simulate a payment from a wallet."""
        return cast("SimulateWallet", (await self._transport.send(Request("v2", "POST", "/api/v2/wallets/simulate", path={}, query={}, body={"toAddress": to_address, "amount": amount, "recipients": recipients, "sendAll": send_all, "mustUse": must_use, "mustNotUse": must_not_use, "changeAddress": change_address, "locktime": locktime, "sequence": sequence, "feeRate": fee_rate, "confTarget": conf_target, "utxoSelection": utxo_selection, "compareStrategies": compare_strategies, "psbt": psbt, "includeUnconfirmed": include_unconfirmed, "protect": protect, "descriptor": descriptor, "walletId": wallet_id, "chain": chain, "gapLimit": gap_limit})))["data"])

    async def wallet_health(self, *, descriptor: Optional[str] = None, wallet_id: Optional[str] = None, chain: Optional[Literal["btc", "ltc"]] = None, gap_limit: Optional[int] = None) -> WalletHealth:
        """Health of the unspent outputs of a wallet."""
        return cast("WalletHealth", (await self._transport.send(Request("v2", "POST", "/api/v2/wallets/health", path={}, query={}, body={"descriptor": descriptor, "walletId": wallet_id, "chain": chain, "gapLimit": gap_limit})))["data"])

    async def analyze_wallet(self, *, descriptor: Optional[str] = None, wallet_id: Optional[str] = None, chain: Optional[Literal["btc", "ltc"]] = None, gap_limit: Optional[int] = None) -> WalletAnalysis:
        """Privacy, dust and consolidation of a wallet."""
        return cast("WalletAnalysis", (await self._transport.send(Request("v2", "POST", "/api/v2/wallets/analyze", path={}, query={}, body={"descriptor": descriptor, "walletId": wallet_id, "chain": chain, "gapLimit": gap_limit})))["data"])

    async def keep_wallet(self, descriptor: str, name: str, *, chain: Optional[Literal["btc", "ltc"]] = None, gap_limit: Optional[int] = None) -> KeptWallet:
        """Keep a wallet. One that the account keeps already is updated."""
        return cast("KeptWallet", (await self._transport.send(Request("v2", "POST", "/api/v2/wallets/keep", path={}, query={}, body={"descriptor": descriptor, "name": name, "chain": chain, "gapLimit": gap_limit})))["data"])

    async def kept_wallet(self, wallet_id: str) -> KeptWallet:
        """A kept wallet."""
        return cast("KeptWallet", (await self._transport.send(Request("v2", "GET", "/api/v2/wallets/{walletId}", path={"walletId": wallet_id}, query={})))["data"])

    async def forget_wallet(self, wallet_id: str) -> ForgetWallet:
        """Delete a kept wallet and its labels."""
        return cast("ForgetWallet", (await self._transport.send(Request("v2", "DELETE", "/api/v2/wallets/{walletId}", path={"walletId": wallet_id}, query={})))["data"])

    async def wallet_labels(self, wallet_id: str) -> WalletLabels:
        """The labels of a kept wallet (BIP 329)."""
        return cast("WalletLabels", (await self._transport.send(Request("v2", "GET", "/api/v2/wallets/{walletId}/labels", path={"walletId": wallet_id}, query={})))["data"])

    async def import_labels(self, wallet_id: str, bip329: str, *, replace: Optional[bool] = None) -> ImportLabels:
        """Import labels of a kept wallet (BIP 329)."""
        return cast("ImportLabels", (await self._transport.send(Request("v2", "POST", "/api/v2/wallets/{walletId}/labels", path={"walletId": wallet_id}, query={}, body={"bip329": bip329, "replace": replace})))["data"])

    async def coin_subscriptions(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> CoinSubscriptions:
        """Subscriptions to addresses, wallets and transactions."""
        return cast("CoinSubscriptions", (await self._transport.send(Request("v2", "GET", "/api/v2/subscriptions", path={}, query={"limit": limit, "cursor": cursor})))["data"])

    async def subscribe_coins(self, *, chain: Optional[Literal["btc", "ltc"]] = None, address: Optional[str] = None, wallet_id: Optional[str] = None, txid: Optional[str] = None, events: Optional[List[Literal["seen", "confirmed", "replaced", "spent"]]] = None, confirmations: Optional[int] = None, channels: Optional[List[Literal["telegram", "email", "webhook", "slack", "discord", "teams", "pagerduty", "opsgenie", "custom"]]] = None) -> CoinSubscription:
        """Subscribe to an address, a kept wallet or a transaction. A subscription to the same is changed."""
        return cast("CoinSubscription", (await self._transport.send(Request("v2", "POST", "/api/v2/subscriptions", path={}, query={}, body={"chain": chain, "address": address, "walletId": wallet_id, "txid": txid, "events": events, "confirmations": confirmations, "channels": channels})))["data"])

    async def coin_subscription(self, id: int) -> CoinSubscription:
        """A subscription."""
        return cast("CoinSubscription", (await self._transport.send(Request("v2", "GET", "/api/v2/subscriptions/{id}", path={"id": id}, query={})))["data"])

    async def unsubscribe_coins(self, id: int) -> UnsubscribeCoins:
        """Delete a subscription."""
        return cast("UnsubscribeCoins", (await self._transport.send(Request("v2", "DELETE", "/api/v2/subscriptions/{id}", path={"id": id}, query={})))["data"])

    async def coin_events(self, *, after: Optional[str] = None, limit: Optional[int] = None) -> CoinEvents:
        """Events of all subscriptions and their retractions, oldest first."""
        return cast("CoinEvents", (await self._transport.send(Request("v2", "GET", "/api/v2/events", path={}, query={"after": after, "limit": limit})))["data"])

    async def coin_notifications(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> CoinNotifications:
        """Deliveries of events to the channels of the account, newest first."""
        return cast("CoinNotifications", (await self._transport.send(Request("v2", "GET", "/api/v2/notifications", path={}, query={"limit": limit, "cursor": cursor})))["data"])

    async def coin_attempts(self, id: int) -> CoinAttempts:
        """The last 500 attempts of a delivery, newest first."""
        return cast("CoinAttempts", (await self._transport.send(Request("v2", "GET", "/api/v2/notifications/{id}/attempts", path={"id": id}, query={})))["data"])

    async def start_batch(self, addresses: List[str], *, chain: Optional[Literal["btc", "ltc"]] = None, webhook_url: Optional[str] = None) -> AnalysisBatch:
        """Analyze many addresses."""
        return cast("AnalysisBatch", (await self._transport.send(Request("v2", "POST", "/api/v2/analyze/batch", path={}, query={}, body={"addresses": addresses, "chain": chain, "webhookUrl": webhook_url})))["data"])

    async def batch(self, batch_id: str) -> AnalysisBatch:
        """A batch and its results."""
        return cast("AnalysisBatch", (await self._transport.send(Request("v2", "GET", "/api/v2/analyze/batch/{batchId}", path={"batchId": batch_id}, query={})))["data"])

    async def usage(self) -> Usage:
        """Usage of this key. Does not count against the quota."""
        return cast("Usage", (await self._transport.send(Request("v2", "GET", "/api/v2/usage", path={}, query={})))["data"])
