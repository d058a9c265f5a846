// Code generated from server/openapi.json by `npm run generate`. DO NOT EDIT.

package gatewatch

import (
	"context"
	"iter"
)

// EventsOptions are the optional arguments of Events. Nil leaves one out.
type EventsOptions struct {
	Chain       *string
	Address     *string
	Severity    *string
	Key         *string
	Category    *string
	IncludeInit *bool
	Limit       *int64
	Cursor      *string
	After       *string
}

// Events: Change feed over all chains, newest first, or forward in publication order: one page.
func (c *Client) Events(ctx context.Context, options EventsOptions) (Page[FeedEvent], error) {
	answer, err := send[[]FeedEvent](ctx, c, request{api: "v1", method: "GET", path: "/v1/events", params: nil, query: map[string]any{"chain": options.Chain, "address": options.Address, "severity": options.Severity, "key": options.Key, "category": options.Category, "includeInit": options.IncludeInit, "limit": options.Limit, "cursor": options.Cursor, "after": options.After}, body: nil})
	return Page[FeedEvent]{Items: answer.Data, NextCursor: answer.NextCursor}, err
}

// AllEvents: Change feed over all chains, newest first, or forward in publication order: every item, page by page. It ends after the first error.
func (c *Client) AllEvents(ctx context.Context, options EventsOptions) iter.Seq2[FeedEvent, error] {
	return all(func(cursor *string) (Page[FeedEvent], error) {
		options.Cursor = cursor
		options.After = nil // other pages, which never end
		return c.Events(ctx, options)
	})
}

// Contract: One contract.
func (c *Client) Contract(ctx context.Context, chain string, address string) (ContractView, error) {
	answer, err := send[ContractView](ctx, c, request{api: "v1", method: "GET", path: "/v1/contracts/{chain}/{address}", params: map[string]any{"chain": chain, "address": address}, query: nil, body: nil})
	return answer.Data, err
}

// AddressPowers: What an address can do: itself, as a signer, and through accounts it controls.
func (c *Client) AddressPowers(ctx context.Context, chain string, address string) (AddressView, error) {
	answer, err := send[AddressView](ctx, c, request{api: "v1", method: "GET", path: "/v1/addresses/{chain}/{address}", params: map[string]any{"chain": chain, "address": address}, query: nil, body: nil})
	return answer.Data, err
}

// PendingOptions are the optional arguments of Pending. Nil leaves one out.
type PendingOptions struct {
	Chain    *string
	Address  *string
	Protocol *string
	State    *string
	Limit    *int64
	Cursor   *string
}

// Pending: Queued changes, earliest execution first: one page.
func (c *Client) Pending(ctx context.Context, options PendingOptions) (Page[PendingChange], error) {
	answer, err := send[[]PendingChange](ctx, c, request{api: "v1", method: "GET", path: "/v1/pending", params: nil, query: map[string]any{"chain": options.Chain, "address": options.Address, "protocol": options.Protocol, "state": options.State, "limit": options.Limit, "cursor": options.Cursor}, body: nil})
	return Page[PendingChange]{Items: answer.Data, NextCursor: answer.NextCursor}, err
}

// AllPending: Queued changes, earliest execution first: every item, page by page. It ends after the first error.
func (c *Client) AllPending(ctx context.Context, options PendingOptions) iter.Seq2[PendingChange, error] {
	return all(func(cursor *string) (Page[PendingChange], error) {
		options.Cursor = cursor
		return c.Pending(ctx, options)
	})
}

// Protocol: A protocol across chains.
func (c *Client) Protocol(ctx context.Context, slug string) (ProtocolView, error) {
	answer, err := send[ProtocolView](ctx, c, request{api: "v1", method: "GET", path: "/v1/protocols/{slug}", params: map[string]any{"slug": slug}, query: nil, body: nil})
	return answer.Data, err
}

// SubscriptionsOptions are the optional arguments of Subscriptions. Nil leaves one out.
type SubscriptionsOptions struct {
	Limit  *int64
	Cursor *string
}

// Subscriptions: The key owner's subscriptions: one page.
func (c *Client) Subscriptions(ctx context.Context, options SubscriptionsOptions) (Page[Subscription], error) {
	answer, err := send[[]Subscription](ctx, c, request{api: "v1", method: "GET", path: "/v1/me/subscriptions", params: nil, query: map[string]any{"limit": options.Limit, "cursor": options.Cursor}, body: nil})
	return Page[Subscription]{Items: answer.Data, NextCursor: answer.NextCursor}, err
}

// AllSubscriptions: The key owner's subscriptions: every item, page by page. It ends after the first error.
func (c *Client) AllSubscriptions(ctx context.Context, options SubscriptionsOptions) iter.Seq2[Subscription, error] {
	return all(func(cursor *string) (Page[Subscription], error) {
		options.Cursor = cursor
		return c.Subscriptions(ctx, options)
	})
}

// NotificationsOptions are the optional arguments of Notifications. Nil leaves one out.
type NotificationsOptions struct {
	Limit  *int64
	Cursor *string
}

// Notifications: The key owner's alert deliveries, newest first: one page.
func (c *Client) Notifications(ctx context.Context, options NotificationsOptions) (Page[Delivery], error) {
	answer, err := send[[]Delivery](ctx, c, request{api: "v1", method: "GET", path: "/v1/me/notifications", params: nil, query: map[string]any{"limit": options.Limit, "cursor": options.Cursor}, body: nil})
	return Page[Delivery]{Items: answer.Data, NextCursor: answer.NextCursor}, err
}

// AllNotifications: The key owner's alert deliveries, newest first: every item, page by page. It ends after the first error.
func (c *Client) AllNotifications(ctx context.Context, options NotificationsOptions) iter.Seq2[Delivery, error] {
	return all(func(cursor *string) (Page[Delivery], error) {
		options.Cursor = cursor
		return c.Notifications(ctx, options)
	})
}

// Attempts: The last 500 attempts of a delivery, newest first.
func (c *Client) Attempts(ctx context.Context, id string) ([]DeliveryAttempt, error) {
	answer, err := send[[]DeliveryAttempt](ctx, c, request{api: "v1", method: "GET", path: "/v1/me/notifications/{id}/attempts", params: map[string]any{"id": id}, query: nil, body: nil})
	return answer.Data, err
}

// CoinStatusOptions are the optional arguments of CoinStatus. Nil leaves one out.
type CoinStatusOptions struct {
	Chain *string
}

// CoinStatus: State of a chain.
func (c *Client) CoinStatus(ctx context.Context, options CoinStatusOptions) (CoinStatus, error) {
	answer, err := send[CoinStatus](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/status", params: nil, query: map[string]any{"chain": options.Chain}, body: nil})
	return answer.Data, err
}

// CoinChains: Chains of this service.
func (c *Client) CoinChains(ctx context.Context) (CoinChains, error) {
	answer, err := send[CoinChains](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/chains", params: nil, query: nil, body: nil})
	return answer.Data, err
}

// CoinAddressOptions are the optional arguments of CoinAddress. Nil leaves one out.
type CoinAddressOptions struct {
	Chain *string
	Sync  *bool
}

// CoinAddress: Balance and totals of an address.
func (c *Client) CoinAddress(ctx context.Context, address string, options CoinAddressOptions) (CoinAddress, error) {
	answer, err := send[CoinAddress](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/address/{address}", params: map[string]any{"address": address}, query: map[string]any{"chain": options.Chain, "sync": options.Sync}, body: nil})
	return answer.Data, err
}

// CoinUTXOsOptions are the optional arguments of CoinUTXOs. Nil leaves one out.
type CoinUTXOsOptions struct {
	Chain *string
	Limit *int64
}

// CoinUTXOs: Unspent outputs of an address, most valuable first.
func (c *Client) CoinUTXOs(ctx context.Context, address string, options CoinUTXOsOptions) (CoinUTXOs, error) {
	answer, err := send[CoinUTXOs](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/address/{address}/utxos", params: map[string]any{"address": address}, query: map[string]any{"chain": options.Chain, "limit": options.Limit}, body: nil})
	return answer.Data, err
}

// CoinTransactionsOptions are the optional arguments of CoinTransactions. Nil leaves one out.
type CoinTransactionsOptions struct {
	Chain    *string
	Page     *int64
	PageSize *int64
	Cursor   *string
}

// CoinTransactions: History of an address, newest first.
func (c *Client) CoinTransactions(ctx context.Context, address string, options CoinTransactionsOptions) (CoinTransactions, error) {
	answer, err := send[CoinTransactions](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/address/{address}/txs", params: map[string]any{"address": address}, query: map[string]any{"chain": options.Chain, "page": options.Page, "pageSize": options.PageSize, "cursor": options.Cursor}, body: nil})
	return answer.Data, err
}

// CoinBalanceHistoryOptions are the optional arguments of CoinBalanceHistory. Nil leaves one out.
type CoinBalanceHistoryOptions struct {
	Chain *string
	By    *string
	From  *string
	Limit *int64
}

// CoinBalanceHistory: Balance of an address over time, by block or by day.
func (c *Client) CoinBalanceHistory(ctx context.Context, address string, options CoinBalanceHistoryOptions) (CoinBalanceHistory, error) {
	answer, err := send[CoinBalanceHistory](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/address/{address}/balance-history", params: map[string]any{"address": address}, query: map[string]any{"chain": options.Chain, "by": options.By, "from": options.From, "limit": options.Limit}, body: nil})
	return answer.Data, err
}

// CoinTransactionOptions are the optional arguments of CoinTransaction. Nil leaves one out.
type CoinTransactionOptions struct {
	Chain *string
}

// CoinTransaction: A transaction.
func (c *Client) CoinTransaction(ctx context.Context, txID string, options CoinTransactionOptions) (CoinTransaction, error) {
	answer, err := send[CoinTransaction](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/tx/{txid}", params: map[string]any{"txid": txID}, query: map[string]any{"chain": options.Chain}, body: nil})
	return answer.Data, err
}

// CoinBlockOptions are the optional arguments of CoinBlock. Nil leaves one out.
type CoinBlockOptions struct {
	Chain *string
	TxIDs *bool
}

// CoinBlock: A block.
func (c *Client) CoinBlock(ctx context.Context, hashOrHeight string, options CoinBlockOptions) (CoinBlock, error) {
	answer, err := send[CoinBlock](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/block/{hashOrHeight}", params: map[string]any{"hashOrHeight": hashOrHeight}, query: map[string]any{"chain": options.Chain, "txids": options.TxIDs}, body: nil})
	return answer.Data, err
}

// BroadcastOptions are the optional arguments of Broadcast. Nil leaves one out.
type BroadcastOptions struct {
	Chain      *string
	MaxFeeRate *float64
	TestOnly   *bool
}

// Broadcast: Broadcast a signed transaction, or a package of them.
func (c *Client) Broadcast(ctx context.Context, transactions []string, options BroadcastOptions) (Broadcast, error) {
	answer, err := send[Broadcast](ctx, c, request{api: "v2", method: "POST", path: "/api/v2/tx", params: nil, query: nil, body: map[string]any{"transactions": transactions, "chain": options.Chain, "maxFeeRate": options.MaxFeeRate, "testOnly": options.TestOnly}})
	return answer.Data, err
}

// CoinRawTransactionOptions are the optional arguments of CoinRawTransaction. Nil leaves one out.
type CoinRawTransactionOptions struct {
	Chain *string
}

// CoinRawTransaction: The bytes of a transaction.
func (c *Client) CoinRawTransaction(ctx context.Context, txID string, options CoinRawTransactionOptions) (CoinRawTransaction, error) {
	answer, err := send[CoinRawTransaction](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/tx/{txid}/raw", params: map[string]any{"txid": txID}, query: map[string]any{"chain": options.Chain}, body: nil})
	return answer.Data, err
}

// InspectUTXOsOptions are the optional arguments of InspectUTXOs. Nil leaves one out.
type InspectUTXOsOptions struct {
	Chain *string
	Depth *int64
}

// InspectUTXOs: Inscriptions and runes on outputs.
func (c *Client) InspectUTXOs(ctx context.Context, outpoints []string, options InspectUTXOsOptions) (InspectUTXOs, error) {
	answer, err := send[InspectUTXOs](ctx, c, request{api: "v2", method: "POST", path: "/api/v2/utxos/inspect", params: nil, query: nil, body: map[string]any{"outpoints": outpoints, "chain": options.Chain, "depth": options.Depth}})
	return answer.Data, err
}

// BumpOptions are the optional arguments of Bump. Nil leaves one out.
type BumpOptions struct {
	Chain      *string
	FeeRate    *float64
	ConfTarget *int64
}

// Bump: How to raise the fee rate of an unconfirmed transaction, and what it costs.
func (c *Client) Bump(ctx context.Context, txID string, options BumpOptions) (Bump, error) {
	answer, err := send[Bump](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/tx/{txid}/bump", params: map[string]any{"txid": txID}, query: map[string]any{"chain": options.Chain, "feeRate": options.FeeRate, "confTarget": options.ConfTarget}, body: nil})
	return answer.Data, err
}

// CoinProofOptions are the optional arguments of CoinProof. Nil leaves one out.
type CoinProofOptions struct {
	Chain *string
}

// CoinProof: Proof that a block contains a transaction.
func (c *Client) CoinProof(ctx context.Context, txID string, options CoinProofOptions) (CoinProof, error) {
	answer, err := send[CoinProof](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/tx/{txid}/proof", params: map[string]any{"txid": txID}, query: map[string]any{"chain": options.Chain}, body: nil})
	return answer.Data, err
}

// CoinOutspendsOptions are the optional arguments of CoinOutspends. Nil leaves one out.
type CoinOutspendsOptions struct {
	Chain *string
}

// CoinOutspends: Which transactions spend the outputs of a transaction.
func (c *Client) CoinOutspends(ctx context.Context, txID string, options CoinOutspendsOptions) (CoinOutspends, error) {
	answer, err := send[CoinOutspends](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/tx/{txid}/outspends", params: map[string]any{"txid": txID}, query: map[string]any{"chain": options.Chain}, body: nil})
	return answer.Data, err
}

// CoinMempoolOptions are the optional arguments of CoinMempool. Nil leaves one out.
type CoinMempoolOptions struct {
	Chain *string
}

// CoinMempool: Unconfirmed transactions of an address.
func (c *Client) CoinMempool(ctx context.Context, address string, options CoinMempoolOptions) (CoinMempool, error) {
	answer, err := send[CoinMempool](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/address/{address}/mempool", params: map[string]any{"address": address}, query: map[string]any{"chain": options.Chain}, body: nil})
	return answer.Data, err
}

// CoinHeadersOptions are the optional arguments of CoinHeaders. Nil leaves one out.
type CoinHeadersOptions struct {
	Chain *string
	From  *int64
	Count *int64
}

// CoinHeaders: Headers of consecutive blocks.
func (c *Client) CoinHeaders(ctx context.Context, options CoinHeadersOptions) (CoinHeaders, error) {
	answer, err := send[CoinHeaders](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/headers", params: nil, query: map[string]any{"chain": options.Chain, "from": options.From, "count": options.Count}, body: nil})
	return answer.Data, err
}

// CoinBlocksOptions are the optional arguments of CoinBlocks. Nil leaves one out.
type CoinBlocksOptions struct {
	Chain *string
	To    *int64
	Count *int64
}

// CoinBlocks: Blocks with their fee rates, newest first.
func (c *Client) CoinBlocks(ctx context.Context, options CoinBlocksOptions) (CoinBlocks, error) {
	answer, err := send[CoinBlocks](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/blocks", params: nil, query: map[string]any{"chain": options.Chain, "to": options.To, "count": options.Count}, body: nil})
	return answer.Data, err
}

// CoinBlockAtOptions are the optional arguments of CoinBlockAt. Nil leaves one out.
type CoinBlockAtOptions struct {
	Chain *string
}

// CoinBlockAt: The last block at or before a time.
func (c *Client) CoinBlockAt(ctx context.Context, time string, options CoinBlockAtOptions) (CoinBlockAt, error) {
	answer, err := send[CoinBlockAt](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/blocks/at", params: nil, query: map[string]any{"time": time, "chain": options.Chain}, body: nil})
	return answer.Data, err
}

// CoinFeesOptions are the optional arguments of CoinFees. Nil leaves one out.
type CoinFeesOptions struct {
	Chain *string
}

// CoinFees: Fee rates.
func (c *Client) CoinFees(ctx context.Context, options CoinFeesOptions) (CoinFees, error) {
	answer, err := send[CoinFees](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/fees", params: nil, query: map[string]any{"chain": options.Chain}, body: nil})
	return answer.Data, err
}

// SimulateOptions are the optional arguments of Simulate. Nil leaves one out.
type SimulateOptions struct {
	ToAddress          *string
	Amount             *int64
	Recipients         []SimulateRecipient
	SendAll            *bool
	MustUse            []string
	MustNotUse         []string
	ChangeAddress      *string
	Locktime           *int64
	Sequence           *int64
	FeeRate            *float64
	ConfTarget         *int64
	UTXOSelection      *string
	CompareStrategies  *bool
	Psbt               *bool
	IncludeUnconfirmed *bool
	Protect            *string
	InputType          *string
	RedeemScript       *string
	WitnessScript      *string
	Descriptor         *string
	Chain              *string
}

// Simulate: Simulate a payment.
func (c *Client) Simulate(ctx context.Context, fromAddress string, options SimulateOptions) (Simulate, error) {
	answer, err := send[Simulate](ctx, c, request{api: "v2", method: "POST", path: "/api/v2/simulate", params: nil, query: nil, body: map[string]any{"fromAddress": fromAddress, "toAddress": options.ToAddress, "amount": options.Amount, "recipients": options.Recipients, "sendAll": options.SendAll, "mustUse": options.MustUse, "mustNotUse": options.MustNotUse, "changeAddress": options.ChangeAddress, "locktime": options.Locktime, "sequence": options.Sequence, "feeRate": options.FeeRate, "confTarget": options.ConfTarget, "utxoSelection": options.UTXOSelection, "compareStrategies": options.CompareStrategies, "psbt": options.Psbt, "includeUnconfirmed": options.IncludeUnconfirmed, "protect": options.Protect, "inputType": options.InputType, "redeemScript": options.RedeemScript, "witnessScript": options.WitnessScript, "descriptor": options.Descriptor, "chain": options.Chain}})
	return answer.Data, err
}

// CoinHealthOptions are the optional arguments of CoinHealth. Nil leaves one out.
type CoinHealthOptions struct {
	Chain *string
}

// CoinHealth: Health of the unspent outputs of an address.
func (c *Client) CoinHealth(ctx context.Context, address string, options CoinHealthOptions) (CoinHealth, error) {
	answer, err := send[CoinHealth](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/health/{address}", params: map[string]any{"address": address}, query: map[string]any{"chain": options.Chain}, body: nil})
	return answer.Data, err
}

// AnalyzeOptions are the optional arguments of Analyze. Nil leaves one out.
type AnalyzeOptions struct {
	Chain *string
}

// Analyze: Privacy, dust and consolidation of an address.
func (c *Client) Analyze(ctx context.Context, address string, options AnalyzeOptions) (Analysis, error) {
	answer, err := send[Analysis](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/analyze/{address}", params: map[string]any{"address": address}, query: map[string]any{"chain": options.Chain}, body: nil})
	return answer.Data, err
}

// WalletOptions are the optional arguments of Wallet. Nil leaves one out.
type WalletOptions struct {
	Descriptor *string
	WalletID   *string
	Chain      *string
	GapLimit   *int64
}

// Wallet: Balance and totals of a wallet.
func (c *Client) Wallet(ctx context.Context, options WalletOptions) (Wallet, error) {
	answer, err := send[Wallet](ctx, c, request{api: "v2", method: "POST", path: "/api/v2/wallets", params: nil, query: nil, body: map[string]any{"descriptor": options.Descriptor, "walletId": options.WalletID, "chain": options.Chain, "gapLimit": options.GapLimit}})
	return answer.Data, err
}

// KeptWallets: Wallets that the account keeps.
func (c *Client) KeptWallets(ctx context.Context) (KeptWallets, error) {
	answer, err := send[KeptWallets](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/wallets", params: nil, query: nil, body: nil})
	return answer.Data, err
}

// WalletUTXOsOptions are the optional arguments of WalletUTXOs. Nil leaves one out.
type WalletUTXOsOptions struct {
	Descriptor *string
	WalletID   *string
	Chain      *string
	GapLimit   *int64
	Limit      *int64
}

// WalletUTXOs: Unspent outputs of a wallet with their derivation paths, most valuable first.
func (c *Client) WalletUTXOs(ctx context.Context, options WalletUTXOsOptions) (WalletUTXOs, error) {
	answer, err := send[WalletUTXOs](ctx, c, request{api: "v2", method: "POST", path: "/api/v2/wallets/utxos", params: nil, query: nil, body: map[string]any{"descriptor": options.Descriptor, "walletId": options.WalletID, "chain": options.Chain, "gapLimit": options.GapLimit, "limit": options.Limit}})
	return answer.Data, err
}

// WalletTransactionsOptions are the optional arguments of WalletTransactions. Nil leaves one out.
type WalletTransactionsOptions struct {
	Descriptor *string
	WalletID   *string
	Chain      *string
	GapLimit   *int64
	Page       *int64
	PageSize   *int64
}

// WalletTransactions: History of a wallet, one entry per transaction, newest first.
func (c *Client) WalletTransactions(ctx context.Context, options WalletTransactionsOptions) (WalletTransactions, error) {
	answer, err := send[WalletTransactions](ctx, c, request{api: "v2", method: "POST", path: "/api/v2/wallets/txs", params: nil, query: nil, body: map[string]any{"descriptor": options.Descriptor, "walletId": options.WalletID, "chain": options.Chain, "gapLimit": options.GapLimit, "page": options.Page, "pageSize": options.PageSize}})
	return answer.Data, err
}

// WalletBalanceHistoryOptions are the optional arguments of WalletBalanceHistory. Nil leaves one out.
type WalletBalanceHistoryOptions struct {
	Descriptor *string
	WalletID   *string
	Chain      *string
	GapLimit   *int64
	By         *string
	From       *string
	Limit      *int64
}

// WalletBalanceHistory: Balance of a wallet over time, by block or by day.
func (c *Client) WalletBalanceHistory(ctx context.Context, options WalletBalanceHistoryOptions) (WalletBalanceHistory, error) {
	answer, err := send[WalletBalanceHistory](ctx, c, request{api: "v2", method: "POST", path: "/api/v2/wallets/balance-history", params: nil, query: nil, body: map[string]any{"descriptor": options.Descriptor, "walletId": options.WalletID, "chain": options.Chain, "gapLimit": options.GapLimit, "by": options.By, "from": options.From, "limit": options.Limit}})
	return answer.Data, err
}

// SimulateWalletOptions are the optional arguments of SimulateWallet. Nil leaves one out.
type SimulateWalletOptions struct {
	ToAddress          *string
	Amount             *int64
	Recipients         []SimulateWalletRecipient
	SendAll            *bool
	MustUse            []string
	MustNotUse         []string
	ChangeAddress      *string
	Locktime           *int64
	Sequence           *int64
	FeeRate            *float64
	ConfTarget         *int64
	UTXOSelection      *string
	CompareStrategies  *bool
	Psbt               *bool
	IncludeUnconfirmed *bool
	Protect            *string
	Descriptor         *string
	WalletID           *string
	Chain              *string
	GapLimit           *int64
}

// SimulateWallet: Simulate a payment from a wallet.
func (c *Client) SimulateWallet(ctx context.Context, options SimulateWalletOptions) (SimulateWallet, error) {
	answer, err := send[SimulateWallet](ctx, c, request{api: "v2", method: "POST", path: "/api/v2/wallets/simulate", params: nil, query: nil, body: map[string]any{"toAddress": options.ToAddress, "amount": options.Amount, "recipients": options.Recipients, "sendAll": options.SendAll, "mustUse": options.MustUse, "mustNotUse": options.MustNotUse, "changeAddress": options.ChangeAddress, "locktime": options.Locktime, "sequence": options.Sequence, "feeRate": options.FeeRate, "confTarget": options.ConfTarget, "utxoSelection": options.UTXOSelection, "compareStrategies": options.CompareStrategies, "psbt": options.Psbt, "includeUnconfirmed": options.IncludeUnconfirmed, "protect": options.Protect, "descriptor": options.Descriptor, "walletId": options.WalletID, "chain": options.Chain, "gapLimit": options.GapLimit}})
	return answer.Data, err
}

// WalletHealthOptions are the optional arguments of WalletHealth. Nil leaves one out.
type WalletHealthOptions struct {
	Descriptor *string
	WalletID   *string
	Chain      *string
	GapLimit   *int64
}

// WalletHealth: Health of the unspent outputs of a wallet.
func (c *Client) WalletHealth(ctx context.Context, options WalletHealthOptions) (WalletHealth, error) {
	answer, err := send[WalletHealth](ctx, c, request{api: "v2", method: "POST", path: "/api/v2/wallets/health", params: nil, query: nil, body: map[string]any{"descriptor": options.Descriptor, "walletId": options.WalletID, "chain": options.Chain, "gapLimit": options.GapLimit}})
	return answer.Data, err
}

// AnalyzeWalletOptions are the optional arguments of AnalyzeWallet. Nil leaves one out.
type AnalyzeWalletOptions struct {
	Descriptor *string
	WalletID   *string
	Chain      *string
	GapLimit   *int64
}

// AnalyzeWallet: Privacy, dust and consolidation of a wallet.
func (c *Client) AnalyzeWallet(ctx context.Context, options AnalyzeWalletOptions) (WalletAnalysis, error) {
	answer, err := send[WalletAnalysis](ctx, c, request{api: "v2", method: "POST", path: "/api/v2/wallets/analyze", params: nil, query: nil, body: map[string]any{"descriptor": options.Descriptor, "walletId": options.WalletID, "chain": options.Chain, "gapLimit": options.GapLimit}})
	return answer.Data, err
}

// KeepWalletOptions are the optional arguments of KeepWallet. Nil leaves one out.
type KeepWalletOptions struct {
	Chain    *string
	GapLimit *int64
}

// KeepWallet: Keep a wallet. One that the account keeps already is updated.
func (c *Client) KeepWallet(ctx context.Context, descriptor string, name string, options KeepWalletOptions) (KeptWallet, error) {
	answer, err := send[KeptWallet](ctx, c, request{api: "v2", method: "POST", path: "/api/v2/wallets/keep", params: nil, query: nil, body: map[string]any{"descriptor": descriptor, "name": name, "chain": options.Chain, "gapLimit": options.GapLimit}})
	return answer.Data, err
}

// KeptWallet: A kept wallet.
func (c *Client) KeptWallet(ctx context.Context, walletID string) (KeptWallet, error) {
	answer, err := send[KeptWallet](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/wallets/{walletId}", params: map[string]any{"walletId": walletID}, query: nil, body: nil})
	return answer.Data, err
}

// ForgetWallet: Delete a kept wallet and its labels.
func (c *Client) ForgetWallet(ctx context.Context, walletID string) (ForgetWallet, error) {
	answer, err := send[ForgetWallet](ctx, c, request{api: "v2", method: "DELETE", path: "/api/v2/wallets/{walletId}", params: map[string]any{"walletId": walletID}, query: nil, body: nil})
	return answer.Data, err
}

// WalletLabels: The labels of a kept wallet (BIP 329).
func (c *Client) WalletLabels(ctx context.Context, walletID string) (WalletLabels, error) {
	answer, err := send[WalletLabels](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/wallets/{walletId}/labels", params: map[string]any{"walletId": walletID}, query: nil, body: nil})
	return answer.Data, err
}

// ImportLabelsOptions are the optional arguments of ImportLabels. Nil leaves one out.
type ImportLabelsOptions struct {
	Replace *bool
}

// ImportLabels: Import labels of a kept wallet (BIP 329).
func (c *Client) ImportLabels(ctx context.Context, walletID string, bip329 string, options ImportLabelsOptions) (ImportLabels, error) {
	answer, err := send[ImportLabels](ctx, c, request{api: "v2", method: "POST", path: "/api/v2/wallets/{walletId}/labels", params: map[string]any{"walletId": walletID}, query: nil, body: map[string]any{"bip329": bip329, "replace": options.Replace}})
	return answer.Data, err
}

// CoinSubscriptionsOptions are the optional arguments of CoinSubscriptions. Nil leaves one out.
type CoinSubscriptionsOptions struct {
	Limit  *int64
	Cursor *string
}

// CoinSubscriptions: Subscriptions to addresses, wallets and transactions.
func (c *Client) CoinSubscriptions(ctx context.Context, options CoinSubscriptionsOptions) (CoinSubscriptions, error) {
	answer, err := send[CoinSubscriptions](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/subscriptions", params: nil, query: map[string]any{"limit": options.Limit, "cursor": options.Cursor}, body: nil})
	return answer.Data, err
}

// SubscribeCoinsOptions are the optional arguments of SubscribeCoins. Nil leaves one out.
type SubscribeCoinsOptions struct {
	Chain         *string
	Address       *string
	WalletID      *string
	TxID          *string
	Events        []string
	Confirmations *int64
	Channels      []string
}

// SubscribeCoins: Subscribe to an address, a kept wallet or a transaction. A subscription to the same is changed.
func (c *Client) SubscribeCoins(ctx context.Context, options SubscribeCoinsOptions) (CoinSubscription, error) {
	answer, err := send[CoinSubscription](ctx, c, request{api: "v2", method: "POST", path: "/api/v2/subscriptions", params: nil, query: nil, body: map[string]any{"chain": options.Chain, "address": options.Address, "walletId": options.WalletID, "txid": options.TxID, "events": options.Events, "confirmations": options.Confirmations, "channels": options.Channels}})
	return answer.Data, err
}

// CoinSubscription: A subscription.
func (c *Client) CoinSubscription(ctx context.Context, id int64) (CoinSubscription, error) {
	answer, err := send[CoinSubscription](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/subscriptions/{id}", params: map[string]any{"id": id}, query: nil, body: nil})
	return answer.Data, err
}

// UnsubscribeCoins: Delete a subscription.
func (c *Client) UnsubscribeCoins(ctx context.Context, id int64) (UnsubscribeCoins, error) {
	answer, err := send[UnsubscribeCoins](ctx, c, request{api: "v2", method: "DELETE", path: "/api/v2/subscriptions/{id}", params: map[string]any{"id": id}, query: nil, body: nil})
	return answer.Data, err
}

// CoinEventsOptions are the optional arguments of CoinEvents. Nil leaves one out.
type CoinEventsOptions struct {
	After *string
	Limit *int64
}

// CoinEvents: Events of all subscriptions and their retractions, oldest first.
func (c *Client) CoinEvents(ctx context.Context, options CoinEventsOptions) (CoinEvents, error) {
	answer, err := send[CoinEvents](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/events", params: nil, query: map[string]any{"after": options.After, "limit": options.Limit}, body: nil})
	return answer.Data, err
}

// CoinNotificationsOptions are the optional arguments of CoinNotifications. Nil leaves one out.
type CoinNotificationsOptions struct {
	Limit  *int64
	Cursor *string
}

// CoinNotifications: Deliveries of events to the channels of the account, newest first.
func (c *Client) CoinNotifications(ctx context.Context, options CoinNotificationsOptions) (CoinNotifications, error) {
	answer, err := send[CoinNotifications](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/notifications", params: nil, query: map[string]any{"limit": options.Limit, "cursor": options.Cursor}, body: nil})
	return answer.Data, err
}

// CoinAttempts: The last 500 attempts of a delivery, newest first.
func (c *Client) CoinAttempts(ctx context.Context, id int64) (CoinAttempts, error) {
	answer, err := send[CoinAttempts](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/notifications/{id}/attempts", params: map[string]any{"id": id}, query: nil, body: nil})
	return answer.Data, err
}

// StartBatchOptions are the optional arguments of StartBatch. Nil leaves one out.
type StartBatchOptions struct {
	Chain      *string
	WebhookURL *string
}

// StartBatch: Analyze many addresses.
func (c *Client) StartBatch(ctx context.Context, addresses []string, options StartBatchOptions) (AnalysisBatch, error) {
	answer, err := send[AnalysisBatch](ctx, c, request{api: "v2", method: "POST", path: "/api/v2/analyze/batch", params: nil, query: nil, body: map[string]any{"addresses": addresses, "chain": options.Chain, "webhookUrl": options.WebhookURL}})
	return answer.Data, err
}

// Batch: A batch and its results.
func (c *Client) Batch(ctx context.Context, batchID string) (AnalysisBatch, error) {
	answer, err := send[AnalysisBatch](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/analyze/batch/{batchId}", params: map[string]any{"batchId": batchID}, query: nil, body: nil})
	return answer.Data, err
}

// Usage: Usage of this key. Does not count against the quota.
func (c *Client) Usage(ctx context.Context) (Usage, error) {
	answer, err := send[Usage](ctx, c, request{api: "v2", method: "GET", path: "/api/v2/usage", params: nil, query: nil, body: nil})
	return answer.Data, err
}
