// Code generated from server/openapi.json by `npm run generate`. DO NOT EDIT.

package gatewatch

import (
	"math/big"
	"time"
)

// AddressView is an object of the API.
type AddressView struct {
	Chain            AddressViewChain                  `json:"chain"`
	Address          string                            `json:"address"`
	Powers           []AddressViewPower                `json:"powers"`
	IsComplete       bool                              `json:"isComplete"`
	ImplementationOf []AddressViewImplementationOfItem `json:"implementationOf"`
}

// AddressViewChain is an object of the API.
type AddressViewChain struct {
	ID   int64  `json:"id"`
	Slug string `json:"slug"`
}

// AddressViewImplementationOfItem is an object of the API.
type AddressViewImplementationOfItem struct {
	ChainID   int64   `json:"chainId"`
	ChainSlug string  `json:"chainSlug"`
	Address   string  `json:"address"`
	Name      *string `json:"name"`
	Protocol  *string `json:"protocol"`
	IsCurrent bool    `json:"isCurrent"`
}

// AddressViewPower is an object of the API.
type AddressViewPower struct {
	Effect    string                     `json:"effect"`
	Class     string                     `json:"class"`
	Contracts []AddressViewPowerContract `json:"contracts"`
}

// AddressViewPowerContract is an object of the API.
type AddressViewPowerContract struct {
	ChainID          int64    `json:"chainId"`
	ChainSlug        string   `json:"chainSlug"`
	Address          string   `json:"address"`
	Name             *string  `json:"name"`
	Protocol         *string  `json:"protocol"`
	Role             string   `json:"role"`
	Through          []string `json:"through"`
	SignaturesNeeded int64    `json:"signaturesNeeded"`
	DelaySeconds     float64  `json:"delaySeconds"`
}

// Analysis is an object of the API.
type Analysis struct {
	Address       string                `json:"address"`
	Chain         string                `json:"chain"`
	ScriptType    string                `json:"scriptType"`
	AnalyzedAt    time.Time             `json:"analyzedAt"`
	Tip           AnalysisTip           `json:"tip"`
	Summary       AnalysisSummary       `json:"summary"`
	Privacy       AnalysisPrivacy       `json:"privacy"`
	Dust          AnalysisDust          `json:"dust"`
	Consolidation AnalysisConsolidation `json:"consolidation"`
	Health        AnalysisHealth        `json:"health"`
	Coverage      AnalysisCoverage      `json:"coverage"`
	Limited       bool                  `json:"limited"`
}

// AnalysisBatch is an object of the API.
type AnalysisBatch struct {
	BatchID       string                `json:"batchId"`
	Chain         string                `json:"chain"`
	Status        string                `json:"status"`
	Total         int64                 `json:"total"`
	CreatedAt     time.Time             `json:"createdAt"`
	CompletedAt   *time.Time            `json:"completedAt"`
	Results       []AnalysisBatchResult `json:"results"`
	Summary       *AnalysisBatchSummary `json:"summary"`
	Webhook       *AnalysisBatchWebhook `json:"webhook"`
	WebhookSecret *string               `json:"webhookSecret,omitempty"`
}

// AnalysisBatchResult is an object of the API.
type AnalysisBatchResult struct {
	Address string                    `json:"address"`
	Ok      bool                      `json:"ok"`
	Data    *Analysis                 `json:"data,omitempty"`
	Error   *AnalysisBatchResultError `json:"error,omitempty"`
}

// AnalysisBatchResultError is an object of the API.
type AnalysisBatchResultError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// AnalysisBatchSummary is an object of the API.
type AnalysisBatchSummary struct {
	Ok     int64 `json:"ok"`
	Failed int64 `json:"failed"`
}

// AnalysisBatchWebhook is an object of the API.
type AnalysisBatchWebhook struct {
	URL       string  `json:"url"`
	Status    string  `json:"status"`
	Attempts  int64   `json:"attempts"`
	LastError *string `json:"lastError"`
}

// AnalysisConsolidation is an object of the API.
type AnalysisConsolidation struct {
	Recommendation   string                        `json:"recommendation"`
	Included         int64                         `json:"included"`
	Excluded         int64                         `json:"excluded"`
	FeeRate          float64                       `json:"feeRate"`
	TargetFeeRate    *float64                      `json:"targetFeeRate"`
	BreakEvenFeeRate *float64                      `json:"breakEvenFeeRate"`
	Cost             AnalysisConsolidationCost     `json:"cost"`
	Savings          AnalysisConsolidationSavings  `json:"savings"`
	Batches          []AnalysisConsolidationBatche `json:"batches"`
	Note             string                        `json:"note"`
}

// AnalysisConsolidationBatche is an object of the API.
type AnalysisConsolidationBatche struct {
	Inputs int64 `json:"inputs"`
	Value  int64 `json:"value"`
	Fee    int64 `json:"fee"`
	Size   int64 `json:"size"`
}

// AnalysisConsolidationCost is an object of the API.
type AnalysisConsolidationCost struct {
	Low    int64 `json:"low"`
	Medium int64 `json:"medium"`
	High   int64 `json:"high"`
}

// AnalysisConsolidationSavings is an object of the API.
type AnalysisConsolidationSavings struct {
	P50 int64 `json:"p50"`
	P75 int64 `json:"p75"`
	P90 int64 `json:"p90"`
}

// AnalysisCoverage is an object of the API.
type AnalysisCoverage struct {
	TxsExamined            int64 `json:"txsExamined"`
	HistoryEntriesExamined int64 `json:"historyEntriesExamined"`
	TxsTotal               int64 `json:"txsTotal"`
	Truncated              bool  `json:"truncated"`
}

// AnalysisDust is an object of the API.
type AnalysisDust struct {
	Count      int64                  `json:"count"`
	Value      int64                  `json:"value"`
	Uneconomic AnalysisDustUneconomic `json:"uneconomic"`
	Suspects   []AnalysisDustSuspect  `json:"suspects"`
}

// AnalysisDustSuspect is an object of the API.
type AnalysisDustSuspect struct {
	TxID    string   `json:"txid"`
	Vout    int64    `json:"vout"`
	Value   int64    `json:"value"`
	Verdict string   `json:"verdict"`
	Reasons []string `json:"reasons"`
}

// AnalysisDustUneconomic is an object of the API.
type AnalysisDustUneconomic struct {
	Low    int64 `json:"low"`
	Medium int64 `json:"medium"`
	High   int64 `json:"high"`
}

// AnalysisHealth is an object of the API.
type AnalysisHealth struct {
	Score  int64    `json:"score"`
	Grade  string   `json:"grade"`
	Issues []string `json:"issues"`
}

// AnalysisPrivacy is an object of the API.
type AnalysisPrivacy struct {
	Score   int64                   `json:"score"`
	Grade   string                  `json:"grade"`
	Factors []AnalysisPrivacyFactor `json:"factors"`
}

// AnalysisPrivacyFactor is an object of the API.
type AnalysisPrivacyFactor struct {
	Code       string   `json:"code"`
	Impact     float64  `json:"impact"`
	Confidence string   `json:"confidence"`
	Evidence   []string `json:"evidence"`
	Text       string   `json:"text"`
}

// AnalysisSummary is an object of the API.
type AnalysisSummary struct {
	Balance            int64 `json:"balance"`
	UnconfirmedBalance int64 `json:"unconfirmedBalance"`
	UTXOCount          int64 `json:"utxoCount"`
	TxCount            int64 `json:"txCount"`
	UnconfirmedTxCount int64 `json:"unconfirmedTxCount"`
	TotalReceived      int64 `json:"totalReceived"`
	TotalSent          int64 `json:"totalSent"`
}

// AnalysisTip is an object of the API.
type AnalysisTip struct {
	Height int64  `json:"height"`
	Hash   string `json:"hash"`
}

// Broadcast is an object of the API.
type Broadcast struct {
	Chain        string                 `json:"chain"`
	Accepted     bool                   `json:"accepted"`
	Transactions []BroadcastTransaction `json:"transactions"`
}

// BroadcastTransaction is an object of the API.
type BroadcastTransaction struct {
	TxID        string  `json:"txid"`
	Wtxid       string  `json:"wtxid"`
	Vsize       int64   `json:"vsize"`
	Fee         *int64  `json:"fee"`
	State       string  `json:"state"`
	Reason      *string `json:"reason"`
	Explanation *string `json:"explanation"`
}

// Bump is an object of the API.
type Bump struct {
	TxID           string      `json:"txid"`
	Chain          string      `json:"chain"`
	State          string      `json:"state"`
	Recommendation string      `json:"recommendation"`
	Advice         *BumpAdvice `json:"advice"`
}

// BumpAdvice is an object of the API.
type BumpAdvice struct {
	Version       int64                 `json:"version"`
	Vsize         int64                 `json:"vsize"`
	Fee           int64                 `json:"fee"`
	FeeRate       float64               `json:"feeRate"`
	TargetFeeRate float64               `json:"targetFeeRate"`
	ConfTarget    *int64                `json:"confTarget"`
	IsEnough      bool                  `json:"isEnough"`
	Ancestors     BumpAdviceAncestors   `json:"ancestors"`
	Descendants   BumpAdviceDescendants `json:"descendants"`
	Rbf           BumpAdviceRbf         `json:"rbf"`
	Cpfp          BumpAdviceCpfp        `json:"cpfp"`
}

// BumpAdviceAncestors is an object of the API.
type BumpAdviceAncestors struct {
	Count int64 `json:"count"`
	Vsize int64 `json:"vsize"`
	Fees  int64 `json:"fees"`
}

// BumpAdviceCpfp is an object of the API.
type BumpAdviceCpfp struct {
	Possible bool                         `json:"possible"`
	Children []BumpAdviceCpfpChildrenItem `json:"children"`
}

// BumpAdviceCpfpChildrenItem is an object of the API.
type BumpAdviceCpfpChildrenItem struct {
	Vout          int64   `json:"vout"`
	Address       string  `json:"address"`
	Value         int64   `json:"value"`
	Vsize         int64   `json:"vsize"`
	Fee           int64   `json:"fee"`
	PackageCount  int64   `json:"packageCount"`
	PackageVsize  int64   `json:"packageVsize"`
	PackageFees   int64   `json:"packageFees"`
	FeeRate       float64 `json:"feeRate"`
	Reason        *string `json:"reason"`
	IsSizeAssumed bool    `json:"isSizeAssumed"`
}

// BumpAdviceDescendants is an object of the API.
type BumpAdviceDescendants struct {
	Count int64 `json:"count"`
	Vsize int64 `json:"vsize"`
	Fees  int64 `json:"fees"`
}

// BumpAdviceRbf is an object of the API.
type BumpAdviceRbf struct {
	Possible      bool    `json:"possible"`
	Reason        *string `json:"reason"`
	Rule          *string `json:"rule"`
	ReplacedCount int64   `json:"replacedCount"`
	ReplacedFees  int64   `json:"replacedFees"`
	MinFee        int64   `json:"minFee"`
	Fee           int64   `json:"fee"`
	Cost          int64   `json:"cost"`
	FeeRate       float64 `json:"feeRate"`
}

// CoinAddress is an object of the API.
type CoinAddress struct {
	Address            string `json:"address"`
	Chain              string `json:"chain"`
	Balance            int64  `json:"balance"`
	BalanceFormatted   string `json:"balanceFormatted"`
	TotalReceived      int64  `json:"totalReceived"`
	TotalSent          int64  `json:"totalSent"`
	TxCount            int64  `json:"txCount"`
	UnconfirmedBalance int64  `json:"unconfirmedBalance"`
	UnconfirmedTxCount int64  `json:"unconfirmedTxCount"`
	Calculating        bool   `json:"calculating"`
}

// CoinAttempts is an object of the API.
type CoinAttempts struct {
	Attempts []DeliveryAttempt `json:"attempts"`
}

// CoinBalanceHistory is an object of the API.
type CoinBalanceHistory struct {
	Address string                    `json:"address"`
	Chain   string                    `json:"chain"`
	By      string                    `json:"by"`
	Points  []CoinBalanceHistoryPoint `json:"points"`
	Next    *string                   `json:"next"`
}

// CoinBalanceHistoryPoint is an object of the API.
type CoinBalanceHistoryPoint struct {
	Date     string `json:"date"`
	Height   int64  `json:"height"`
	Balance  int64  `json:"balance"`
	Received int64  `json:"received"`
	Sent     int64  `json:"sent"`
	TxCount  int64  `json:"txCount"`
}

// CoinBlock is an object of the API.
type CoinBlock struct {
	Hash              string            `json:"hash"`
	Height            int64             `json:"height"`
	Confirmations     int64             `json:"confirmations"`
	Version           int64             `json:"version"`
	MerkleRoot        string            `json:"merkleRoot"`
	Timestamp         time.Time         `json:"timestamp"`
	MedianTime        time.Time         `json:"medianTime"`
	Nonce             int64             `json:"nonce"`
	Bits              string            `json:"bits"`
	Difficulty        float64           `json:"difficulty"`
	Size              int64             `json:"size"`
	Weight            int64             `json:"weight"`
	StrippedSize      int64             `json:"strippedSize"`
	TxCount           int64             `json:"txCount"`
	PreviousBlockHash *string           `json:"previousBlockHash"`
	NextBlockHash     *string           `json:"nextBlockHash"`
	Reward            int64             `json:"reward"`
	Subsidy           int64             `json:"subsidy"`
	TotalFees         int64             `json:"totalFees"`
	FeeRates          CoinBlockFeeRates `json:"feeRates"`
	Mweb              *CoinBlockMweb    `json:"mweb,omitempty"`
	TxIDs             []string          `json:"txids,omitempty"`
}

// CoinBlockAt is an object of the API.
type CoinBlockAt struct {
	Chain         string    `json:"chain"`
	Hash          string    `json:"hash"`
	Height        int64     `json:"height"`
	Confirmations int64     `json:"confirmations"`
	Timestamp     time.Time `json:"timestamp"`
	MedianTime    time.Time `json:"medianTime"`
}

// CoinBlockFeeRates is an object of the API.
type CoinBlockFeeRates struct {
	P10 float64 `json:"p10"`
	P25 float64 `json:"p25"`
	P50 float64 `json:"p50"`
	P75 float64 `json:"p75"`
	P90 float64 `json:"p90"`
}

// CoinBlockMweb is an object of the API.
type CoinBlockMweb struct {
	HogexTxID string `json:"hogexTxid"`
	Amount    int64  `json:"amount"`
}

// CoinBlocks is an object of the API.
type CoinBlocks struct {
	Chain  string            `json:"chain"`
	Tip    int64             `json:"tip"`
	Blocks []CoinBlocksBlock `json:"blocks"`
}

// CoinBlocksBlock is an object of the API.
type CoinBlocksBlock struct {
	Hash      string                  `json:"hash"`
	Height    int64                   `json:"height"`
	Timestamp time.Time               `json:"timestamp"`
	Size      int64                   `json:"size"`
	Weight    int64                   `json:"weight"`
	TxCount   int64                   `json:"txCount"`
	TotalFees int64                   `json:"totalFees"`
	FeeRates  CoinBlocksBlockFeeRates `json:"feeRates"`
}

// CoinBlocksBlockFeeRates is an object of the API.
type CoinBlocksBlockFeeRates struct {
	P10 float64 `json:"p10"`
	P25 float64 `json:"p25"`
	P50 float64 `json:"p50"`
	P75 float64 `json:"p75"`
	P90 float64 `json:"p90"`
}

// CoinChains is an object of the API.
type CoinChains struct {
	Chains []CoinChainsChain `json:"chains"`
}

// CoinChainsChain is an object of the API.
type CoinChainsChain struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Symbol  string `json:"symbol"`
	Enabled bool   `json:"enabled"`
}

// CoinDelivery is an object of the API.
type CoinDelivery struct {
	ID             int64             `json:"id"`
	Channel        string            `json:"channel"`
	Status         string            `json:"status"`
	Attempts       int64             `json:"attempts"`
	LastError      *string           `json:"lastError"`
	CreatedAt      time.Time         `json:"createdAt"`
	SentAt         *time.Time        `json:"sentAt"`
	SubscriptionID int64             `json:"subscriptionId"`
	RetractedAt    *time.Time        `json:"retractedAt"`
	AcknowledgedAt *time.Time        `json:"acknowledgedAt"`
	AcknowledgedBy *string           `json:"acknowledgedBy"`
	Event          CoinDeliveryEvent `json:"event"`
}

// CoinDeliveryEvent is an object of the API.
type CoinDeliveryEvent struct {
	ID             int64      `json:"id"`
	SubscriptionID int64      `json:"subscriptionId"`
	Chain          string     `json:"chain"`
	Kind           string     `json:"kind"`
	TargetKind     string     `json:"targetKind"`
	Target         string     `json:"target"`
	TxID           *string    `json:"txid"`
	BlockHeight    *int64     `json:"blockHeight"`
	BlockHash      *string    `json:"blockHash"`
	Confirmations  *int64     `json:"confirmations"`
	Received       int64      `json:"received"`
	Sent           int64      `json:"sent"`
	ReplacedBy     *string    `json:"replacedBy"`
	Count          *int64     `json:"count"`
	Hour           *time.Time `json:"hour"`
}

// CoinEvent is an object of the API.
type CoinEvent struct {
	Type             string     `json:"type"`
	ID               int64      `json:"id"`
	SubscriptionID   int64      `json:"subscriptionId"`
	Chain            string     `json:"chain"`
	Kind             string     `json:"kind"`
	TargetKind       string     `json:"targetKind"`
	Target           string     `json:"target"`
	TxID             *string    `json:"txid"`
	BlockHeight      *int64     `json:"blockHeight"`
	BlockHash        *string    `json:"blockHash"`
	Confirmations    *int64     `json:"confirmations"`
	Received         int64      `json:"received"`
	Sent             int64      `json:"sent"`
	ReplacedBy       *string    `json:"replacedBy"`
	Count            *int64     `json:"count"`
	Hour             *time.Time `json:"hour"`
	CreatedAt        time.Time  `json:"createdAt"`
	RetractedAt      *time.Time `json:"retractedAt"`
	RetractedBecause *string    `json:"retractedBecause"`
}

// CoinEvents is an object of the API.
type CoinEvents struct {
	Events     []CoinEvent `json:"events"`
	NextCursor string      `json:"nextCursor"`
}

// CoinFees is an object of the API.
type CoinFees struct {
	Low         float64   `json:"low"`
	Medium      float64   `json:"medium"`
	High        float64   `json:"high"`
	Urgent      float64   `json:"urgent"`
	Unit        string    `json:"unit"`
	Source      string    `json:"source"`
	MempoolSize int64     `json:"mempoolSize"`
	Timestamp   time.Time `json:"timestamp"`
}

// CoinHeaders is an object of the API.
type CoinHeaders struct {
	Chain   string   `json:"chain"`
	From    int64    `json:"from"`
	Count   int64    `json:"count"`
	Headers []string `json:"headers"`
}

// CoinHealth is an object of the API.
type CoinHealth struct {
	Address            string   `json:"address"`
	Chain              string   `json:"chain"`
	Score              int64    `json:"score"`
	Grade              string   `json:"grade"`
	UTXOCount          int64    `json:"utxoCount"`
	Balance            int64    `json:"balance"`
	UnconfirmedBalance int64    `json:"unconfirmedBalance"`
	Issues             []string `json:"issues"`
}

// CoinMempool is an object of the API.
type CoinMempool struct {
	Address            string          `json:"address"`
	Chain              string          `json:"chain"`
	UnconfirmedBalance int64           `json:"unconfirmedBalance"`
	UnconfirmedTxCount int64           `json:"unconfirmedTxCount"`
	Txs                []CoinMempoolTx `json:"txs"`
}

// CoinMempoolTx is an object of the API.
type CoinMempoolTx struct {
	TxID          string                `json:"txid"`
	BlockHash     *string               `json:"blockHash"`
	BlockHeight   *int64                `json:"blockHeight"`
	Confirmations int64                 `json:"confirmations"`
	Timestamp     time.Time             `json:"timestamp"`
	Fee           int64                 `json:"fee"`
	Vsize         int64                 `json:"vsize"`
	Received      int64                 `json:"received"`
	Sent          int64                 `json:"sent"`
	Net           int64                 `json:"net"`
	Direction     string                `json:"direction"`
	Inputs        []CoinMempoolTxInput  `json:"inputs"`
	Outputs       []CoinMempoolTxOutput `json:"outputs"`
}

// CoinMempoolTxInput is an object of the API.
type CoinMempoolTxInput struct {
	IsCoinbase     bool     `json:"isCoinbase"`
	TxID           *string  `json:"txid,omitempty"`
	Vout           *int64   `json:"vout,omitempty"`
	Sequence       *int64   `json:"sequence,omitempty"`
	Address        *string  `json:"address,omitempty"`
	Value          *int64   `json:"value,omitempty"`
	ValueFormatted *string  `json:"valueFormatted,omitempty"`
	ScriptType     *string  `json:"scriptType,omitempty"`
	Witness        []string `json:"witness,omitempty"`
}

// CoinMempoolTxOutput is an object of the API.
type CoinMempoolTxOutput struct {
	N              int64    `json:"n"`
	Value          int64    `json:"value"`
	ValueFormatted string   `json:"valueFormatted"`
	Address        *string  `json:"address"`
	ScriptType     string   `json:"scriptType"`
	OpReturn       []string `json:"opReturn"`
}

// CoinNotifications is an object of the API.
type CoinNotifications struct {
	Notifications []CoinDelivery `json:"notifications"`
	NextCursor    *string        `json:"nextCursor"`
}

// CoinOutspends is an object of the API.
type CoinOutspends struct {
	TxID    string                `json:"txid"`
	Chain   string                `json:"chain"`
	Outputs []CoinOutspendsOutput `json:"outputs"`
}

// CoinOutspendsOutput is an object of the API.
type CoinOutspendsOutput struct {
	Vout    int64                       `json:"vout"`
	Value   int64                       `json:"value"`
	State   string                      `json:"state"`
	Spender *CoinOutspendsOutputSpender `json:"spender"`
}

// CoinOutspendsOutputSpender is an object of the API.
type CoinOutspendsOutputSpender struct {
	TxID          string `json:"txid"`
	Vin           int64  `json:"vin"`
	BlockHeight   *int64 `json:"blockHeight"`
	Confirmations int64  `json:"confirmations"`
}

// CoinProof is an object of the API.
type CoinProof struct {
	TxID        string   `json:"txid"`
	Chain       string   `json:"chain"`
	BlockHash   string   `json:"blockHash"`
	BlockHeight int64    `json:"blockHeight"`
	Position    int64    `json:"position"`
	Merkle      []string `json:"merkle"`
	MerkleRoot  string   `json:"merkleRoot"`
	Header      string   `json:"header"`
	Proof       string   `json:"proof"`
}

// CoinRawTransaction is an object of the API.
type CoinRawTransaction struct {
	TxID        string `json:"txid"`
	Chain       string `json:"chain"`
	BlockHeight *int64 `json:"blockHeight"`
	Hex         string `json:"hex"`
}

// CoinStatus is an object of the API.
type CoinStatus struct {
	Chain       string  `json:"chain"`
	ChainName   string  `json:"chainName"`
	Symbol      string  `json:"symbol"`
	BlockHeight int64   `json:"blockHeight"`
	Difficulty  float64 `json:"difficulty"`
	Hashrate    string  `json:"hashrate"`
	MempoolSize int64   `json:"mempoolSize"`
	Synced      bool    `json:"synced"`
	Source      string  `json:"source"`
}

// CoinSubscription is an object of the API.
type CoinSubscription struct {
	ID            int64     `json:"id"`
	Chain         string    `json:"chain"`
	TargetKind    string    `json:"targetKind"`
	Target        string    `json:"target"`
	Events        []string  `json:"events"`
	Confirmations int64     `json:"confirmations"`
	Channels      []string  `json:"channels"`
	FromHeight    int64     `json:"fromHeight"`
	CreatedAt     time.Time `json:"createdAt"`
}

// CoinSubscriptions is an object of the API.
type CoinSubscriptions struct {
	Subscriptions     []CoinSubscription `json:"subscriptions"`
	SubscriptionLimit int64              `json:"subscriptionLimit"`
	NextCursor        *string            `json:"nextCursor"`
}

// CoinTransaction is an object of the API.
type CoinTransaction struct {
	TxID          string                  `json:"txid"`
	Hash          string                  `json:"hash"`
	Version       int64                   `json:"version"`
	Size          int64                   `json:"size"`
	Vsize         int64                   `json:"vsize"`
	Weight        int64                   `json:"weight"`
	Locktime      int64                   `json:"locktime"`
	BlockHash     *string                 `json:"blockHash"`
	BlockHeight   *int64                  `json:"blockHeight"`
	Confirmations int64                   `json:"confirmations"`
	Fee           int64                   `json:"fee"`
	Inputs        []CoinTransactionInput  `json:"inputs"`
	Outputs       []CoinTransactionOutput `json:"outputs"`
}

// CoinTransactionInput is an object of the API.
type CoinTransactionInput struct {
	IsCoinbase     bool     `json:"isCoinbase"`
	TxID           *string  `json:"txid,omitempty"`
	Vout           *int64   `json:"vout,omitempty"`
	Sequence       *int64   `json:"sequence,omitempty"`
	Address        *string  `json:"address,omitempty"`
	Value          *int64   `json:"value,omitempty"`
	ValueFormatted *string  `json:"valueFormatted,omitempty"`
	ScriptType     *string  `json:"scriptType,omitempty"`
	Witness        []string `json:"witness,omitempty"`
}

// CoinTransactionOutput is an object of the API.
type CoinTransactionOutput struct {
	N              int64    `json:"n"`
	Value          int64    `json:"value"`
	ValueFormatted string   `json:"valueFormatted"`
	Address        *string  `json:"address"`
	ScriptType     string   `json:"scriptType"`
	OpReturn       []string `json:"opReturn"`
}

// CoinTransactions is an object of the API.
type CoinTransactions struct {
	Address    string               `json:"address"`
	Chain      string               `json:"chain"`
	Page       int64                `json:"page"`
	PageSize   int64                `json:"pageSize"`
	TotalPages int64                `json:"totalPages"`
	TotalItems int64                `json:"totalItems"`
	Txs        []CoinTransactionsTx `json:"txs"`
	NextCursor *string              `json:"nextCursor"`
}

// CoinTransactionsTx is an object of the API.
type CoinTransactionsTx struct {
	TxID          string                     `json:"txid"`
	BlockHash     *string                    `json:"blockHash"`
	BlockHeight   *int64                     `json:"blockHeight"`
	Confirmations int64                      `json:"confirmations"`
	Timestamp     time.Time                  `json:"timestamp"`
	Fee           int64                      `json:"fee"`
	Vsize         int64                      `json:"vsize"`
	Received      int64                      `json:"received"`
	Sent          int64                      `json:"sent"`
	Net           int64                      `json:"net"`
	Direction     string                     `json:"direction"`
	Inputs        []CoinTransactionsTxInput  `json:"inputs"`
	Outputs       []CoinTransactionsTxOutput `json:"outputs"`
}

// CoinTransactionsTxInput is an object of the API.
type CoinTransactionsTxInput struct {
	IsCoinbase     bool     `json:"isCoinbase"`
	TxID           *string  `json:"txid,omitempty"`
	Vout           *int64   `json:"vout,omitempty"`
	Sequence       *int64   `json:"sequence,omitempty"`
	Address        *string  `json:"address,omitempty"`
	Value          *int64   `json:"value,omitempty"`
	ValueFormatted *string  `json:"valueFormatted,omitempty"`
	ScriptType     *string  `json:"scriptType,omitempty"`
	Witness        []string `json:"witness,omitempty"`
}

// CoinTransactionsTxOutput is an object of the API.
type CoinTransactionsTxOutput struct {
	N              int64    `json:"n"`
	Value          int64    `json:"value"`
	ValueFormatted string   `json:"valueFormatted"`
	Address        *string  `json:"address"`
	ScriptType     string   `json:"scriptType"`
	OpReturn       []string `json:"opReturn"`
}

// CoinUTXOs is an object of the API.
type CoinUTXOs struct {
	Address string          `json:"address"`
	Chain   string          `json:"chain"`
	UTXOs   []CoinUTXOsUTXO `json:"utxos"`
	Count   int64           `json:"count"`
	Limited bool            `json:"limited"`
}

// CoinUTXOsUTXO is an object of the API.
type CoinUTXOsUTXO struct {
	TxID           string `json:"txid"`
	Vout           int64  `json:"vout"`
	Value          int64  `json:"value"`
	ValueFormatted string `json:"valueFormatted"`
	Confirmations  int64  `json:"confirmations"`
}

// ContractView is an object of the API.
type ContractView struct {
	Chain          ContractViewChain           `json:"chain"`
	Address        string                      `json:"address"`
	Contract       *ContractViewContract       `json:"contract"`
	LatestSnapshot *ContractViewLatestSnapshot `json:"latestSnapshot"`
	Counts         []ContractViewCount         `json:"counts"`
	RecentEvents   []Event                     `json:"recentEvents"`
	ControlProfile ControlProfile              `json:"controlProfile"`
	Powers         []Power                     `json:"powers"`
	Pending        []PendingChange             `json:"pending"`
}

// ContractViewChain is an object of the API.
type ContractViewChain struct {
	ID   int64  `json:"id"`
	Slug string `json:"slug"`
}

// ContractViewContract is an object of the API.
type ContractViewContract struct {
	ID             int64          `json:"id"`
	Kind           string         `json:"kind"`
	Name           *string        `json:"name"`
	Protocol       *string        `json:"protocol"`
	Implementation *string        `json:"implementation"`
	Admin          *string        `json:"admin"`
	Owner          *string        `json:"owner"`
	Verified       bool           `json:"verified"`
	Source         string         `json:"source"`
	Metadata       map[string]any `json:"metadata"`
	FirstSeenAt    time.Time      `json:"firstSeenAt"`
	LastCheckedAt  *time.Time     `json:"lastCheckedAt"`
}

// ContractViewCount is an object of the API.
type ContractViewCount struct {
	EventKey string `json:"eventKey"`
	Total    int64  `json:"total"`
	Real     int64  `json:"real"`
	Init     int64  `json:"init"`
}

// ContractViewLatestSnapshot is an object of the API.
type ContractViewLatestSnapshot struct {
	Implementation  *string                         `json:"implementation"`
	Admin           *string                         `json:"admin"`
	Owner           *string                         `json:"owner"`
	Beacon          *string                         `json:"beacon"`
	AdminIsContract *bool                           `json:"adminIsContract"`
	OwnerIsContract *bool                           `json:"ownerIsContract"`
	Extra           ContractViewLatestSnapshotExtra `json:"extra"`
	TakenAt         time.Time                       `json:"takenAt"`
}

// ContractViewLatestSnapshotExtra is an object of the API.
type ContractViewLatestSnapshotExtra struct {
	SafeThreshold *big.Int `json:"safeThreshold"`
	MinDelay      *big.Int `json:"minDelay"`
	BlockNumber   int64    `json:"blockNumber"`
}

// ControlProfile is an object of the API.
type ControlProfile struct {
	Label   string   `json:"label"`
	Text    string   `json:"text"`
	Tone    string   `json:"tone"`
	Reasons []string `json:"reasons"`
}

// Delivery is an object of the API.
type Delivery struct {
	ID        int64      `json:"id"`
	Channel   string     `json:"channel"`
	Status    string     `json:"status"`
	Attempts  int64      `json:"attempts"`
	LastError *string    `json:"lastError"`
	CreatedAt time.Time  `json:"createdAt"`
	SentAt    *time.Time `json:"sentAt"`
	Event     Event      `json:"event"`
}

// DeliveryAttempt is an object of the API.
type DeliveryAttempt struct {
	Number         int64     `json:"number"`
	StartedAt      time.Time `json:"startedAt"`
	Status         string    `json:"status"`
	DurationMs     *int64    `json:"durationMs"`
	ResponseStatus *int64    `json:"responseStatus"`
	Error          *string   `json:"error"`
}

// Event is an object of the API.
type Event struct {
	ID          int64          `json:"id"`
	ChainID     int64          `json:"chainId"`
	ChainSlug   string         `json:"chainSlug"`
	BlockNumber int64          `json:"blockNumber"`
	BlockTime   time.Time      `json:"blockTime"`
	TxHash      string         `json:"txHash"`
	LogIndex    int64          `json:"logIndex"`
	Address     string         `json:"address"`
	EventKey    string         `json:"eventKey"`
	Category    string         `json:"category"`
	Severity    string         `json:"severity"`
	Args        map[string]any `json:"args"`
	IsInit      bool           `json:"isInit"`
	Contract    EventContract  `json:"contract"`
}

// EventContract is an object of the API.
type EventContract struct {
	Name     *string `json:"name"`
	Protocol *string `json:"protocol"`
	Kind     *string `json:"kind"`
}

// FeedEvent is an object of the API.
type FeedEvent struct {
	ID          int64             `json:"id"`
	ChainID     int64             `json:"chainId"`
	ChainSlug   string            `json:"chainSlug"`
	BlockNumber int64             `json:"blockNumber"`
	BlockTime   time.Time         `json:"blockTime"`
	TxHash      string            `json:"txHash"`
	LogIndex    int64             `json:"logIndex"`
	Address     string            `json:"address"`
	EventKey    string            `json:"eventKey"`
	Category    string            `json:"category"`
	Severity    string            `json:"severity"`
	Args        map[string]any    `json:"args"`
	IsInit      bool              `json:"isInit"`
	Contract    FeedEventContract `json:"contract"`
	Retracted   *bool             `json:"retracted,omitempty"`
}

// FeedEventContract is an object of the API.
type FeedEventContract struct {
	Name     *string `json:"name"`
	Protocol *string `json:"protocol"`
	Kind     *string `json:"kind"`
}

// ForgetWallet is an object of the API.
type ForgetWallet struct {
	WalletID string `json:"walletId"`
}

// ImportLabels is an object of the API.
type ImportLabels struct {
	WalletID     string                    `json:"walletId"`
	Imported     int64                     `json:"imported"`
	Count        int64                     `json:"count"`
	IgnoredCount int64                     `json:"ignoredCount"`
	Ignored      []ImportLabelsIgnoredItem `json:"ignored"`
}

// ImportLabelsIgnoredItem is an object of the API.
type ImportLabelsIgnoredItem struct {
	Line   int64  `json:"line"`
	Reason string `json:"reason"`
}

// InspectUTXOs is an object of the API.
type InspectUTXOs struct {
	Chain      string               `json:"chain"`
	IsComplete bool                 `json:"isComplete"`
	Outputs    []InspectUTXOsOutput `json:"outputs"`
}

// InspectUTXOsOutput is an object of the API.
type InspectUTXOsOutput struct {
	TxID   string                    `json:"txid"`
	Vout   int64                     `json:"vout"`
	Assets []InspectUTXOsOutputAsset `json:"assets"`
}

// InspectUTXOsOutputAsset is an object of the API.
type InspectUTXOsOutputAsset struct {
	Kind        string  `json:"kind"`
	Certainty   string  `json:"certainty"`
	TxID        string  `json:"txid"`
	Input       *int64  `json:"input"`
	ContentType *string `json:"contentType"`
}

// KeptWallet is an object of the API.
type KeptWallet struct {
	WalletID   string    `json:"walletId"`
	Chain      string    `json:"chain"`
	Name       string    `json:"name"`
	Descriptor string    `json:"descriptor"`
	GapLimit   int64     `json:"gapLimit"`
	CreatedAt  time.Time `json:"createdAt"`
}

// KeptWallets is an object of the API.
type KeptWallets struct {
	Wallets []KeptWallet `json:"wallets"`
	Limit   int64        `json:"limit"`
}

// PaidRecipient is an object of the API.
type PaidRecipient struct {
	Address       string `json:"address"`
	Amount        int64  `json:"amount"`
	DustThreshold int64  `json:"dustThreshold"`
}

// PendingCall is an object of the API.
type PendingCall struct {
	ChainID     int64         `json:"chainId"`
	ChainSlug   string        `json:"chainSlug"`
	Target      string        `json:"target"`
	Text        string        `json:"text"`
	Selector    *string       `json:"selector"`
	Signature   *string       `json:"signature"`
	Args        []any         `json:"args"`
	Value       string        `json:"value"`
	IsControl   bool          `json:"isControl"`
	IsDelegated bool          `json:"isDelegated"`
	IsComplete  bool          `json:"isComplete"`
	Calls       []PendingCall `json:"calls"`
}

// PendingChange is an object of the API.
type PendingChange struct {
	ID            int64                       `json:"id"`
	ChainID       int64                       `json:"chainId"`
	ChainSlug     string                      `json:"chainSlug"`
	Address       string                      `json:"address"`
	Contract      PendingChangeContract       `json:"contract"`
	Family        string                      `json:"family"`
	Operation     string                      `json:"operation"`
	State         string                      `json:"state"`
	Severity      string                      `json:"severity"`
	Summary       string                      `json:"summary"`
	Calls         []PendingCall               `json:"calls"`
	CallCount     int64                       `json:"callCount"`
	QueuedAt      time.Time                   `json:"queuedAt"`
	QueuedBy      *string                     `json:"queuedBy"`
	QueuedBlock   *int64                      `json:"queuedBlock"`
	QueuedTxHash  *string                     `json:"queuedTxHash"`
	EarliestAt    *time.Time                  `json:"earliestAt"`
	ExpiresAt     *time.Time                  `json:"expiresAt"`
	ClosedAt      *time.Time                  `json:"closedAt"`
	ClosedTxHash  *string                     `json:"closedTxHash"`
	Confirmations *PendingChangeConfirmations `json:"confirmations"`
	QueuedIn      []PendingChangeQueuedInItem `json:"queuedIn"`
	After         *PendingChangeAfter         `json:"after"`
	Targets       []PendingChangeTarget       `json:"targets"`
}

// PendingChangeAfter is an object of the API.
type PendingChangeAfter struct {
	SimulatedAt time.Time                    `json:"simulatedAt"`
	Block       int64                        `json:"block"`
	Problem     *string                      `json:"problem"`
	Reason      *string                      `json:"reason"`
	Contracts   []PendingChangeAfterContract `json:"contracts"`
}

// PendingChangeAfterContract is an object of the API.
type PendingChangeAfterContract struct {
	Address       string   `json:"address"`
	Label         string   `json:"label"`
	Tone          string   `json:"tone"`
	PreviousLabel string   `json:"previousLabel"`
	PreviousTone  string   `json:"previousTone"`
	GainedPowers  []string `json:"gainedPowers"`
	LostPowers    []string `json:"lostPowers"`
}

// PendingChangeConfirmations is an object of the API.
type PendingChangeConfirmations struct {
	Required int64    `json:"required"`
	Owners   []string `json:"owners"`
	Missing  []string `json:"missing"`
	Nonce    *int64   `json:"nonce"`
}

// PendingChangeContract is an object of the API.
type PendingChangeContract struct {
	Name     *string `json:"name"`
	Protocol *string `json:"protocol"`
	Kind     *string `json:"kind"`
}

// PendingChangeQueuedInItem is an object of the API.
type PendingChangeQueuedInItem struct {
	Address   string  `json:"address"`
	Name      *string `json:"name"`
	Family    string  `json:"family"`
	Operation string  `json:"operation"`
}

// PendingChangeTarget is an object of the API.
type PendingChangeTarget struct {
	Address        string  `json:"address"`
	Name           *string `json:"name"`
	IsAffected     bool    `json:"isAffected"`
	CodeHash       *string `json:"codeHash"`
	Implementation *string `json:"implementation"`
	HasChanged     bool    `json:"hasChanged"`
}

// Power is an object of the API.
type Power struct {
	Effect       string          `json:"effect"`
	Class        string          `json:"class"`
	Functions    []PowerFunction `json:"functions"`
	Holders      []PowerHolder   `json:"holders"`
	Label        string          `json:"label"`
	DelaySeconds float64         `json:"delaySeconds"`
	IsOpen       bool            `json:"isOpen"`
	Unknown      *string         `json:"unknown"`
	Summary      string          `json:"summary"`
	ShortSummary string          `json:"shortSummary"`
}

// PowerFunction is an object of the API.
type PowerFunction struct {
	Selector  string  `json:"selector"`
	Signature *string `json:"signature"`
	Evidence  string  `json:"evidence"`
}

// PowerHolder is an object of the API.
type PowerHolder struct {
	ChainID      int64   `json:"chainId"`
	Address      string  `json:"address"`
	Kind         string  `json:"kind"`
	Role         string  `json:"role"`
	Label        string  `json:"label"`
	LabelText    string  `json:"labelText"`
	DelaySeconds float64 `json:"delaySeconds"`
	Threshold    *int64  `json:"threshold"`
	Owners       *int64  `json:"owners"`
}

// ProtocolView is an object of the API.
type ProtocolView struct {
	Protocol       string                     `json:"protocol"`
	Slug           string                     `json:"slug"`
	Contracts      []ProtocolViewContract     `json:"contracts"`
	RecentEvents   []Event                    `json:"recentEvents"`
	Counts         ProtocolViewCounts         `json:"counts"`
	ControlSummary ProtocolViewControlSummary `json:"controlSummary"`
	Pending        []PendingChange            `json:"pending"`
}

// ProtocolViewContract is an object of the API.
type ProtocolViewContract struct {
	ChainID        int64          `json:"chainId"`
	ChainSlug      string         `json:"chainSlug"`
	Address        string         `json:"address"`
	Name           *string        `json:"name"`
	Protocol       string         `json:"protocol"`
	Kind           string         `json:"kind"`
	Verified       bool           `json:"verified"`
	Source         string         `json:"source"`
	Events30d      int64          `json:"events30d"`
	Critical30d    int64          `json:"critical30d"`
	LastEventAt    *time.Time     `json:"lastEventAt"`
	LastEventKey   *string        `json:"lastEventKey"`
	ControlProfile ControlProfile `json:"controlProfile"`
}

// ProtocolViewControlSummary is an object of the API.
type ProtocolViewControlSummary struct {
	Total         int64 `json:"total"`
	SingleKey     int64 `json:"singleKey"`
	Multisig      int64 `json:"multisig"`
	ShortTimelock int64 `json:"shortTimelock"`
	Timelocked    int64 `json:"timelocked"`
	Immutable     int64 `json:"immutable"`
	Unknown       int64 `json:"unknown"`
}

// ProtocolViewCounts is an object of the API.
type ProtocolViewCounts struct {
	Contracts   int64 `json:"contracts"`
	Chains      int64 `json:"chains"`
	Events30d   int64 `json:"events30d"`
	Critical30d int64 `json:"critical30d"`
}

// Simulate is an object of the API.
type Simulate struct {
	Viable              bool                    `json:"viable"`
	Reason              *string                 `json:"reason"`
	Shortfall           int64                   `json:"shortfall"`
	Algorithm           *string                 `json:"algorithm"`
	EstimatedFee        int64                   `json:"estimatedFee"`
	EstimatedSize       int64                   `json:"estimatedSize"`
	Weight              int64                   `json:"weight"`
	SelectedUTXOs       []SimulateSelectedUTXO  `json:"selectedUtxos"`
	InputCount          int64                   `json:"inputCount"`
	OutputCount         int64                   `json:"outputCount"`
	TotalInput          int64                   `json:"totalInput"`
	TotalOutput         int64                   `json:"totalOutput"`
	Change              int64                   `json:"change"`
	EffectiveFeeRate    float64                 `json:"effectiveFeeRate"`
	Waste               *float64                `json:"waste"`
	Chain               string                  `json:"chain"`
	Amount              int64                   `json:"amount"`
	Recipients          []PaidRecipient         `json:"recipients"`
	FeeRate             float64                 `json:"feeRate"`
	ConfTarget          *int64                  `json:"confTarget"`
	FeeRange            *SimulateFeeRange       `json:"feeRange"`
	DustThreshold       int64                   `json:"dustThreshold"`
	ChangeDustThreshold int64                   `json:"changeDustThreshold"`
	UTXOSelection       string                  `json:"utxoSelection"`
	ScriptType          string                  `json:"scriptType"`
	ChangeAddress       *string                 `json:"changeAddress"`
	Locktime            int64                   `json:"locktime"`
	Sequence            int64                   `json:"sequence"`
	LongTermFeeRate     float64                 `json:"longTermFeeRate"`
	Assumptions         []string                `json:"assumptions"`
	Warnings            []string                `json:"warnings"`
	HigherFeeReason     *string                 `json:"higherFeeReason"`
	Excluded            SimulateExcluded        `json:"excluded"`
	ProtectedUTXOs      []SimulateProtectedUTXO `json:"protectedUtxos"`
	Tip                 SimulateTip             `json:"tip"`
	Strategies          []SimulateStrategie     `json:"strategies,omitempty"`
	Psbt                *string                 `json:"psbt,omitempty"`
	PsbtV2              *string                 `json:"psbtV2,omitempty"`
}

// SimulateExcluded is an object of the API.
type SimulateExcluded struct {
	Immature    int64 `json:"immature"`
	Unconfirmed int64 `json:"unconfirmed"`
	MustNotUse  int64 `json:"mustNotUse"`
	Protected   int64 `json:"protected"`
}

// SimulateFeeRange is an object of the API.
type SimulateFeeRange struct {
	Min int64 `json:"min"`
	Max int64 `json:"max"`
}

// SimulateProtectedUTXO is an object of the API.
type SimulateProtectedUTXO struct {
	TxID       string                           `json:"txid"`
	Vout       int64                            `json:"vout"`
	Value      int64                            `json:"value"`
	Assets     []SimulateProtectedUTXOAsset     `json:"assets"`
	DustAttack *SimulateProtectedUTXODustAttack `json:"dustAttack"`
}

// SimulateProtectedUTXOAsset is an object of the API.
type SimulateProtectedUTXOAsset struct {
	Kind        string  `json:"kind"`
	Certainty   string  `json:"certainty"`
	TxID        string  `json:"txid"`
	Input       *int64  `json:"input"`
	ContentType *string `json:"contentType"`
}

// SimulateProtectedUTXODustAttack is an object of the API.
type SimulateProtectedUTXODustAttack struct {
	Verdict string   `json:"verdict"`
	Reasons []string `json:"reasons"`
}

// SimulateRecipient is an object of the API.
type SimulateRecipient struct {
	Address string `json:"address"`
	Amount  int64  `json:"amount"`
}

// SimulateSelectedUTXO is an object of the API.
type SimulateSelectedUTXO struct {
	TxID  string `json:"txid"`
	Vout  int64  `json:"vout"`
	Value int64  `json:"value"`
}

// SimulateStrategie is an object of the API.
type SimulateStrategie struct {
	Strategy         string                          `json:"strategy"`
	Viable           bool                            `json:"viable"`
	Reason           *string                         `json:"reason"`
	Shortfall        int64                           `json:"shortfall"`
	Algorithm        *string                         `json:"algorithm"`
	EstimatedFee     int64                           `json:"estimatedFee"`
	EstimatedSize    int64                           `json:"estimatedSize"`
	Weight           int64                           `json:"weight"`
	SelectedUTXOs    []SimulateStrategieSelectedUTXO `json:"selectedUtxos"`
	InputCount       int64                           `json:"inputCount"`
	OutputCount      int64                           `json:"outputCount"`
	TotalInput       int64                           `json:"totalInput"`
	TotalOutput      int64                           `json:"totalOutput"`
	Change           int64                           `json:"change"`
	EffectiveFeeRate float64                         `json:"effectiveFeeRate"`
	Waste            *float64                        `json:"waste"`
}

// SimulateStrategieSelectedUTXO is an object of the API.
type SimulateStrategieSelectedUTXO struct {
	TxID  string `json:"txid"`
	Vout  int64  `json:"vout"`
	Value int64  `json:"value"`
}

// SimulateTip is an object of the API.
type SimulateTip struct {
	Height int64  `json:"height"`
	Hash   string `json:"hash"`
}

// SimulateWallet is an object of the API.
type SimulateWallet struct {
	Viable              bool                          `json:"viable"`
	Reason              *string                       `json:"reason"`
	Shortfall           int64                         `json:"shortfall"`
	Algorithm           *string                       `json:"algorithm"`
	EstimatedFee        int64                         `json:"estimatedFee"`
	EstimatedSize       int64                         `json:"estimatedSize"`
	Weight              int64                         `json:"weight"`
	SelectedUTXOs       []SimulateWalletSelectedUTXO  `json:"selectedUtxos"`
	InputCount          int64                         `json:"inputCount"`
	OutputCount         int64                         `json:"outputCount"`
	TotalInput          int64                         `json:"totalInput"`
	TotalOutput         int64                         `json:"totalOutput"`
	Change              int64                         `json:"change"`
	EffectiveFeeRate    float64                       `json:"effectiveFeeRate"`
	Waste               *float64                      `json:"waste"`
	Chain               string                        `json:"chain"`
	Amount              int64                         `json:"amount"`
	Recipients          []PaidRecipient               `json:"recipients"`
	FeeRate             float64                       `json:"feeRate"`
	ConfTarget          *int64                        `json:"confTarget"`
	FeeRange            *SimulateWalletFeeRange       `json:"feeRange"`
	DustThreshold       int64                         `json:"dustThreshold"`
	ChangeDustThreshold int64                         `json:"changeDustThreshold"`
	UTXOSelection       string                        `json:"utxoSelection"`
	ScriptType          string                        `json:"scriptType"`
	ChangeAddress       *string                       `json:"changeAddress"`
	Locktime            int64                         `json:"locktime"`
	Sequence            int64                         `json:"sequence"`
	LongTermFeeRate     float64                       `json:"longTermFeeRate"`
	Assumptions         []string                      `json:"assumptions"`
	Warnings            []string                      `json:"warnings"`
	HigherFeeReason     *string                       `json:"higherFeeReason"`
	Excluded            SimulateWalletExcluded        `json:"excluded"`
	ProtectedUTXOs      []SimulateWalletProtectedUTXO `json:"protectedUtxos"`
	Tip                 SimulateWalletTip             `json:"tip"`
	Strategies          []SimulateWalletStrategie     `json:"strategies,omitempty"`
	Psbt                *string                       `json:"psbt,omitempty"`
	PsbtV2              *string                       `json:"psbtV2,omitempty"`
}

// SimulateWalletExcluded is an object of the API.
type SimulateWalletExcluded struct {
	Immature    int64 `json:"immature"`
	Unconfirmed int64 `json:"unconfirmed"`
	MustNotUse  int64 `json:"mustNotUse"`
	Protected   int64 `json:"protected"`
}

// SimulateWalletFeeRange is an object of the API.
type SimulateWalletFeeRange struct {
	Min int64 `json:"min"`
	Max int64 `json:"max"`
}

// SimulateWalletProtectedUTXO is an object of the API.
type SimulateWalletProtectedUTXO struct {
	TxID       string                                 `json:"txid"`
	Vout       int64                                  `json:"vout"`
	Value      int64                                  `json:"value"`
	Assets     []SimulateWalletProtectedUTXOAsset     `json:"assets"`
	DustAttack *SimulateWalletProtectedUTXODustAttack `json:"dustAttack"`
}

// SimulateWalletProtectedUTXOAsset is an object of the API.
type SimulateWalletProtectedUTXOAsset struct {
	Kind        string  `json:"kind"`
	Certainty   string  `json:"certainty"`
	TxID        string  `json:"txid"`
	Input       *int64  `json:"input"`
	ContentType *string `json:"contentType"`
}

// SimulateWalletProtectedUTXODustAttack is an object of the API.
type SimulateWalletProtectedUTXODustAttack struct {
	Verdict string   `json:"verdict"`
	Reasons []string `json:"reasons"`
}

// SimulateWalletRecipient is an object of the API.
type SimulateWalletRecipient struct {
	Address string `json:"address"`
	Amount  int64  `json:"amount"`
}

// SimulateWalletSelectedUTXO is an object of the API.
type SimulateWalletSelectedUTXO struct {
	TxID  string `json:"txid"`
	Vout  int64  `json:"vout"`
	Value int64  `json:"value"`
}

// SimulateWalletStrategie is an object of the API.
type SimulateWalletStrategie struct {
	Strategy         string                                `json:"strategy"`
	Viable           bool                                  `json:"viable"`
	Reason           *string                               `json:"reason"`
	Shortfall        int64                                 `json:"shortfall"`
	Algorithm        *string                               `json:"algorithm"`
	EstimatedFee     int64                                 `json:"estimatedFee"`
	EstimatedSize    int64                                 `json:"estimatedSize"`
	Weight           int64                                 `json:"weight"`
	SelectedUTXOs    []SimulateWalletStrategieSelectedUTXO `json:"selectedUtxos"`
	InputCount       int64                                 `json:"inputCount"`
	OutputCount      int64                                 `json:"outputCount"`
	TotalInput       int64                                 `json:"totalInput"`
	TotalOutput      int64                                 `json:"totalOutput"`
	Change           int64                                 `json:"change"`
	EffectiveFeeRate float64                               `json:"effectiveFeeRate"`
	Waste            *float64                              `json:"waste"`
}

// SimulateWalletStrategieSelectedUTXO is an object of the API.
type SimulateWalletStrategieSelectedUTXO struct {
	TxID  string `json:"txid"`
	Vout  int64  `json:"vout"`
	Value int64  `json:"value"`
}

// SimulateWalletTip is an object of the API.
type SimulateWalletTip struct {
	Height int64  `json:"height"`
	Hash   string `json:"hash"`
}

// Subscription is an object of the API.
type Subscription struct {
	ID          int64                `json:"id"`
	ChainID     int64                `json:"chainId"`
	ChainSlug   string               `json:"chainSlug"`
	Address     string               `json:"address"`
	Source      string               `json:"source"`
	MinSeverity string               `json:"minSeverity"`
	Channels    SubscriptionChannels `json:"channels"`
	CreatedAt   time.Time            `json:"createdAt"`
	PausedAt    *time.Time           `json:"pausedAt"`
	Contract    SubscriptionContract `json:"contract"`
}

// SubscriptionChannels is an object of the API.
type SubscriptionChannels struct {
	Telegram  bool `json:"telegram"`
	Email     bool `json:"email"`
	Webhook   bool `json:"webhook"`
	Slack     bool `json:"slack"`
	Discord   bool `json:"discord"`
	Teams     bool `json:"teams"`
	Pagerduty bool `json:"pagerduty"`
	Opsgenie  bool `json:"opsgenie"`
	Custom    bool `json:"custom"`
}

// SubscriptionContract is an object of the API.
type SubscriptionContract struct {
	Name     *string `json:"name"`
	Protocol *string `json:"protocol"`
	Kind     *string `json:"kind"`
}

// UnsubscribeCoins is an object of the API.
type UnsubscribeCoins struct {
	ID int64 `json:"id"`
}

// Usage is an object of the API.
type Usage struct {
	Plan   string      `json:"plan"`
	Period UsagePeriod `json:"period"`
	Usage  UsageUsage  `json:"usage"`
	Limits UsageLimits `json:"limits"`
}

// UsageLimits is an object of the API.
type UsageLimits struct {
	UTXOLimit         int64 `json:"utxoLimit"`
	BatchLimit        int64 `json:"batchLimit"`
	SyncCalculation   bool  `json:"syncCalculation"`
	WalletLimit       int64 `json:"walletLimit"`
	SubscriptionLimit int64 `json:"subscriptionLimit"`
}

// UsagePeriod is an object of the API.
type UsagePeriod struct {
	Start time.Time `json:"start"`
	End   time.Time `json:"end"`
}

// UsageUsage is an object of the API.
type UsageUsage struct {
	APICalls    int64   `json:"apiCalls"`
	Limit       int64   `json:"limit"`
	Remaining   int64   `json:"remaining"`
	PercentUsed float64 `json:"percentUsed"`
}

// Wallet is an object of the API.
type Wallet struct {
	Descriptor         string          `json:"descriptor"`
	Chain              string          `json:"chain"`
	Balance            int64           `json:"balance"`
	BalanceFormatted   string          `json:"balanceFormatted"`
	TotalReceived      int64           `json:"totalReceived"`
	TotalSent          int64           `json:"totalSent"`
	TxCount            int64           `json:"txCount"`
	UTXOCount          int64           `json:"utxoCount"`
	UnconfirmedBalance int64           `json:"unconfirmedBalance"`
	UnconfirmedTxCount int64           `json:"unconfirmedTxCount"`
	Branches           []WalletBranche `json:"branches"`
}

// WalletAnalysis is an object of the API.
type WalletAnalysis struct {
	Chain         string                      `json:"chain"`
	ScriptType    string                      `json:"scriptType"`
	AnalyzedAt    time.Time                   `json:"analyzedAt"`
	Tip           WalletAnalysisTip           `json:"tip"`
	Summary       WalletAnalysisSummary       `json:"summary"`
	Privacy       WalletAnalysisPrivacy       `json:"privacy"`
	Dust          WalletAnalysisDust          `json:"dust"`
	Consolidation WalletAnalysisConsolidation `json:"consolidation"`
	Health        WalletAnalysisHealth        `json:"health"`
	Coverage      WalletAnalysisCoverage      `json:"coverage"`
	Limited       bool                        `json:"limited"`
	Descriptor    string                      `json:"descriptor"`
}

// WalletAnalysisConsolidation is an object of the API.
type WalletAnalysisConsolidation struct {
	Recommendation   string                              `json:"recommendation"`
	Included         int64                               `json:"included"`
	Excluded         int64                               `json:"excluded"`
	FeeRate          float64                             `json:"feeRate"`
	TargetFeeRate    *float64                            `json:"targetFeeRate"`
	BreakEvenFeeRate *float64                            `json:"breakEvenFeeRate"`
	Cost             WalletAnalysisConsolidationCost     `json:"cost"`
	Savings          WalletAnalysisConsolidationSavings  `json:"savings"`
	Batches          []WalletAnalysisConsolidationBatche `json:"batches"`
	Note             string                              `json:"note"`
}

// WalletAnalysisConsolidationBatche is an object of the API.
type WalletAnalysisConsolidationBatche struct {
	Inputs int64 `json:"inputs"`
	Value  int64 `json:"value"`
	Fee    int64 `json:"fee"`
	Size   int64 `json:"size"`
}

// WalletAnalysisConsolidationCost is an object of the API.
type WalletAnalysisConsolidationCost struct {
	Low    int64 `json:"low"`
	Medium int64 `json:"medium"`
	High   int64 `json:"high"`
}

// WalletAnalysisConsolidationSavings is an object of the API.
type WalletAnalysisConsolidationSavings struct {
	P50 int64 `json:"p50"`
	P75 int64 `json:"p75"`
	P90 int64 `json:"p90"`
}

// WalletAnalysisCoverage is an object of the API.
type WalletAnalysisCoverage struct {
	TxsExamined            int64 `json:"txsExamined"`
	HistoryEntriesExamined int64 `json:"historyEntriesExamined"`
	TxsTotal               int64 `json:"txsTotal"`
	Truncated              bool  `json:"truncated"`
}

// WalletAnalysisDust is an object of the API.
type WalletAnalysisDust struct {
	Count      int64                        `json:"count"`
	Value      int64                        `json:"value"`
	Uneconomic WalletAnalysisDustUneconomic `json:"uneconomic"`
	Suspects   []WalletAnalysisDustSuspect  `json:"suspects"`
}

// WalletAnalysisDustSuspect is an object of the API.
type WalletAnalysisDustSuspect struct {
	TxID    string   `json:"txid"`
	Vout    int64    `json:"vout"`
	Value   int64    `json:"value"`
	Verdict string   `json:"verdict"`
	Reasons []string `json:"reasons"`
}

// WalletAnalysisDustUneconomic is an object of the API.
type WalletAnalysisDustUneconomic struct {
	Low    int64 `json:"low"`
	Medium int64 `json:"medium"`
	High   int64 `json:"high"`
}

// WalletAnalysisHealth is an object of the API.
type WalletAnalysisHealth struct {
	Score  int64    `json:"score"`
	Grade  string   `json:"grade"`
	Issues []string `json:"issues"`
}

// WalletAnalysisPrivacy is an object of the API.
type WalletAnalysisPrivacy struct {
	Score   int64                         `json:"score"`
	Grade   string                        `json:"grade"`
	Factors []WalletAnalysisPrivacyFactor `json:"factors"`
}

// WalletAnalysisPrivacyFactor is an object of the API.
type WalletAnalysisPrivacyFactor struct {
	Code       string   `json:"code"`
	Impact     float64  `json:"impact"`
	Confidence string   `json:"confidence"`
	Evidence   []string `json:"evidence"`
	Text       string   `json:"text"`
}

// WalletAnalysisSummary is an object of the API.
type WalletAnalysisSummary struct {
	Balance            int64 `json:"balance"`
	UnconfirmedBalance int64 `json:"unconfirmedBalance"`
	UTXOCount          int64 `json:"utxoCount"`
	TxCount            int64 `json:"txCount"`
	UnconfirmedTxCount int64 `json:"unconfirmedTxCount"`
	TotalReceived      int64 `json:"totalReceived"`
	TotalSent          int64 `json:"totalSent"`
}

// WalletAnalysisTip is an object of the API.
type WalletAnalysisTip struct {
	Height int64  `json:"height"`
	Hash   string `json:"hash"`
}

// WalletBalanceHistory is an object of the API.
type WalletBalanceHistory struct {
	Chain  string                      `json:"chain"`
	By     string                      `json:"by"`
	Points []WalletBalanceHistoryPoint `json:"points"`
	Next   *string                     `json:"next"`
}

// WalletBalanceHistoryPoint is an object of the API.
type WalletBalanceHistoryPoint struct {
	Date     string `json:"date"`
	Height   int64  `json:"height"`
	Balance  int64  `json:"balance"`
	Received int64  `json:"received"`
	Sent     int64  `json:"sent"`
	TxCount  int64  `json:"txCount"`
}

// WalletBranche is an object of the API.
type WalletBranche struct {
	Branch int64              `json:"branch"`
	Used   int64              `json:"used"`
	Next   *WalletBrancheNext `json:"next"`
}

// WalletBrancheNext is an object of the API.
type WalletBrancheNext struct {
	Address *string `json:"address"`
	Branch  int64   `json:"branch"`
	Index   int64   `json:"index"`
	Path    *string `json:"path"`
}

// WalletHealth is an object of the API.
type WalletHealth struct {
	Chain              string   `json:"chain"`
	Score              int64    `json:"score"`
	Grade              string   `json:"grade"`
	UTXOCount          int64    `json:"utxoCount"`
	Balance            int64    `json:"balance"`
	UnconfirmedBalance int64    `json:"unconfirmedBalance"`
	Issues             []string `json:"issues"`
	Descriptor         string   `json:"descriptor"`
}

// WalletLabels is an object of the API.
type WalletLabels struct {
	WalletID string `json:"walletId"`
	Count    int64  `json:"count"`
	Bip329   string `json:"bip329"`
}

// WalletTransactions is an object of the API.
type WalletTransactions struct {
	Chain      string                 `json:"chain"`
	Page       int64                  `json:"page"`
	PageSize   int64                  `json:"pageSize"`
	TotalPages int64                  `json:"totalPages"`
	TotalItems int64                  `json:"totalItems"`
	Txs        []WalletTransactionsTx `json:"txs"`
}

// WalletTransactionsTx is an object of the API.
type WalletTransactionsTx struct {
	TxID          string                       `json:"txid"`
	BlockHash     *string                      `json:"blockHash"`
	BlockHeight   *int64                       `json:"blockHeight"`
	Confirmations int64                        `json:"confirmations"`
	Timestamp     time.Time                    `json:"timestamp"`
	Fee           int64                        `json:"fee"`
	Vsize         int64                        `json:"vsize"`
	Received      int64                        `json:"received"`
	Sent          int64                        `json:"sent"`
	Net           int64                        `json:"net"`
	Direction     string                       `json:"direction"`
	Inputs        []WalletTransactionsTxInput  `json:"inputs"`
	Outputs       []WalletTransactionsTxOutput `json:"outputs"`
	Label         *string                      `json:"label,omitempty"`
}

// WalletTransactionsTxInput is an object of the API.
type WalletTransactionsTxInput struct {
	IsCoinbase     bool     `json:"isCoinbase"`
	TxID           *string  `json:"txid,omitempty"`
	Vout           *int64   `json:"vout,omitempty"`
	Sequence       *int64   `json:"sequence,omitempty"`
	Address        *string  `json:"address,omitempty"`
	Value          *int64   `json:"value,omitempty"`
	ValueFormatted *string  `json:"valueFormatted,omitempty"`
	ScriptType     *string  `json:"scriptType,omitempty"`
	Witness        []string `json:"witness,omitempty"`
}

// WalletTransactionsTxOutput is an object of the API.
type WalletTransactionsTxOutput struct {
	N              int64    `json:"n"`
	Value          int64    `json:"value"`
	ValueFormatted string   `json:"valueFormatted"`
	Address        *string  `json:"address"`
	ScriptType     string   `json:"scriptType"`
	OpReturn       []string `json:"opReturn"`
}

// WalletUTXOs is an object of the API.
type WalletUTXOs struct {
	Chain   string            `json:"chain"`
	UTXOs   []WalletUTXOsUTXO `json:"utxos"`
	Count   int64             `json:"count"`
	Limited bool              `json:"limited"`
}

// WalletUTXOsUTXO is an object of the API.
type WalletUTXOsUTXO struct {
	TxID           string  `json:"txid"`
	Vout           int64   `json:"vout"`
	Value          int64   `json:"value"`
	ValueFormatted string  `json:"valueFormatted"`
	Confirmations  int64   `json:"confirmations"`
	Address        *string `json:"address"`
	Branch         int64   `json:"branch"`
	Index          int64   `json:"index"`
	Path           *string `json:"path"`
	Label          *string `json:"label,omitempty"`
}
