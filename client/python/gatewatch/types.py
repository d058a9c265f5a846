# Generated from server/openapi.json by `npm run generate`. Do not edit.
"""Types of the responses."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, NotRequired, Optional, TypedDict


class AddressView(TypedDict):
    chain: AddressViewChain
    address: str
    powers: List[AddressViewPower]
    isComplete: bool
    implementationOf: List[AddressViewImplementationOfItem]


class AddressViewChain(TypedDict):
    id: int
    slug: str


class AddressViewImplementationOfItem(TypedDict):
    chainId: int
    chainSlug: str
    address: str
    name: Optional[str]
    protocol: Optional[str]
    isCurrent: bool


AddressViewPower = TypedDict(
    "AddressViewPower",
    {
        "effect": "Literal['upgrade', 'execute', 'mint', 'move_funds', 'set_price', 'set_verifier', 'grant', 'set_dependency', 'freeze', 'pause', 'set_terms', 'other']",
        "class": "Literal['critical', 'high', 'info']",
        "contracts": "List[AddressViewPowerContract]",
    },
)


class AddressViewPowerContract(TypedDict):
    chainId: int
    chainSlug: str
    address: str
    name: Optional[str]
    protocol: Optional[str]
    role: str
    through: List[str]
    signaturesNeeded: int
    delaySeconds: float


class Analysis(TypedDict):
    address: str
    chain: str
    scriptType: str
    analyzedAt: str
    tip: AnalysisTip
    summary: AnalysisSummary
    privacy: AnalysisPrivacy
    dust: AnalysisDust
    consolidation: AnalysisConsolidation
    health: AnalysisHealth
    coverage: AnalysisCoverage
    limited: bool


class AnalysisBatch(TypedDict):
    batchId: str
    chain: str
    status: Literal["queued", "running", "completed"]
    total: int
    createdAt: str
    completedAt: Optional[str]
    results: List[AnalysisBatchResult]
    summary: Optional[AnalysisBatchSummary]
    webhook: Optional[AnalysisBatchWebhook]
    webhookSecret: NotRequired[str]


class AnalysisBatchResult(TypedDict):
    address: str
    ok: bool
    data: NotRequired[Analysis]
    error: NotRequired[AnalysisBatchResultError]


class AnalysisBatchResultError(TypedDict):
    code: str
    message: str


class AnalysisBatchSummary(TypedDict):
    ok: int
    failed: int


class AnalysisBatchWebhook(TypedDict):
    url: str
    status: Literal["waiting", "delivered", "retrying", "failed"]
    attempts: int
    lastError: Optional[str]


class AnalysisConsolidation(TypedDict):
    recommendation: Literal["now", "wait", "optional", "none"]
    included: int
    excluded: int
    feeRate: float
    targetFeeRate: Optional[float]
    breakEvenFeeRate: Optional[float]
    cost: AnalysisConsolidationCost
    savings: AnalysisConsolidationSavings
    batches: List[AnalysisConsolidationBatche]
    note: str


class AnalysisConsolidationBatche(TypedDict):
    inputs: int
    value: int
    fee: int
    size: int


class AnalysisConsolidationCost(TypedDict):
    low: int
    medium: int
    high: int


class AnalysisConsolidationSavings(TypedDict):
    p50: int
    p75: int
    p90: int


class AnalysisCoverage(TypedDict):
    txsExamined: int
    historyEntriesExamined: int
    txsTotal: int
    truncated: bool


class AnalysisDust(TypedDict):
    count: int
    value: int
    uneconomic: AnalysisDustUneconomic
    suspects: List[AnalysisDustSuspect]


class AnalysisDustSuspect(TypedDict):
    txid: str
    vout: int
    value: int
    verdict: Literal["possible", "probable"]
    reasons: List[str]


class AnalysisDustUneconomic(TypedDict):
    low: int
    medium: int
    high: int


class AnalysisHealth(TypedDict):
    score: int
    grade: Literal["A", "B", "C", "D", "F"]
    issues: List[str]


class AnalysisPrivacy(TypedDict):
    score: int
    grade: Literal["A", "B", "C", "D", "F"]
    factors: List[AnalysisPrivacyFactor]


class AnalysisPrivacyFactor(TypedDict):
    code: str
    impact: float
    confidence: Literal["deterministic", "high", "medium", "low"]
    evidence: List[str]
    text: str


class AnalysisSummary(TypedDict):
    balance: int
    unconfirmedBalance: int
    utxoCount: int
    txCount: int
    unconfirmedTxCount: int
    totalReceived: int
    totalSent: int


class AnalysisTip(TypedDict):
    height: int
    hash: str


class Broadcast(TypedDict):
    chain: str
    accepted: bool
    transactions: List[BroadcastTransaction]


class BroadcastTransaction(TypedDict):
    txid: str
    wtxid: str
    vsize: int
    fee: Optional[int]
    state: Literal["sent", "accepted", "known", "confirmed", "refused"]
    reason: Optional[str]
    explanation: Optional[str]


class Bump(TypedDict):
    txid: str
    chain: str
    state: Literal["unconfirmed", "confirmed"]
    recommendation: Literal["none", "rbf", "cpfp", "wait"]
    advice: Optional[BumpAdvice]


class BumpAdvice(TypedDict):
    version: int
    vsize: int
    fee: int
    feeRate: float
    targetFeeRate: float
    confTarget: Optional[int]
    isEnough: bool
    ancestors: BumpAdviceAncestors
    descendants: BumpAdviceDescendants
    rbf: BumpAdviceRbf
    cpfp: BumpAdviceCpfp


class BumpAdviceAncestors(TypedDict):
    count: int
    vsize: int
    fees: int


class BumpAdviceCpfp(TypedDict):
    possible: bool
    children: List[BumpAdviceCpfpChildrenItem]


class BumpAdviceCpfpChildrenItem(TypedDict):
    vout: int
    address: str
    value: int
    vsize: int
    fee: int
    packageCount: int
    packageVsize: int
    packageFees: int
    feeRate: float
    reason: Optional[Literal["TOO_MANY_ANCESTORS", "TOO_MANY_DESCENDANTS", "TRUC_HAS_CHILD", "TRUC_CHILD_TOO_LARGE", "OUTPUT_TOO_SMALL"]]
    isSizeAssumed: bool


class BumpAdviceDescendants(TypedDict):
    count: int
    vsize: int
    fees: int


class BumpAdviceRbf(TypedDict):
    possible: bool
    reason: Optional[Literal["NOT_SIGNALED", "TOO_MANY_REPLACED"]]
    rule: Optional[Literal["bip125", "full-rbf", "truc"]]
    replacedCount: int
    replacedFees: int
    minFee: int
    fee: int
    cost: int
    feeRate: float


class CoinAddress(TypedDict):
    address: str
    chain: str
    balance: int
    balanceFormatted: str
    totalReceived: int
    totalSent: int
    txCount: int
    unconfirmedBalance: int
    unconfirmedTxCount: int
    calculating: bool


class CoinAttempts(TypedDict):
    attempts: List[DeliveryAttempt]


class CoinBalanceHistory(TypedDict):
    address: str
    chain: str
    by: Literal["block", "day"]
    points: List[CoinBalanceHistoryPoint]
    next: Optional[str]


class CoinBalanceHistoryPoint(TypedDict):
    date: str
    height: int
    balance: int
    received: int
    sent: int
    txCount: int


class CoinBlock(TypedDict):
    hash: str
    height: int
    confirmations: int
    version: int
    merkleRoot: str
    timestamp: str
    medianTime: str
    nonce: int
    bits: str
    difficulty: float
    size: int
    weight: int
    strippedSize: int
    txCount: int
    previousBlockHash: Optional[str]
    nextBlockHash: Optional[str]
    reward: int
    subsidy: int
    totalFees: int
    feeRates: CoinBlockFeeRates
    mweb: NotRequired[CoinBlockMweb]
    txids: NotRequired[List[str]]


class CoinBlockAt(TypedDict):
    chain: str
    hash: str
    height: int
    confirmations: int
    timestamp: str
    medianTime: str


class CoinBlockFeeRates(TypedDict):
    p10: float
    p25: float
    p50: float
    p75: float
    p90: float


class CoinBlockMweb(TypedDict):
    hogexTxid: str
    amount: int


class CoinBlocks(TypedDict):
    chain: str
    tip: int
    blocks: List[CoinBlocksBlock]


class CoinBlocksBlock(TypedDict):
    hash: str
    height: int
    timestamp: str
    size: int
    weight: int
    txCount: int
    totalFees: int
    feeRates: CoinBlocksBlockFeeRates


class CoinBlocksBlockFeeRates(TypedDict):
    p10: float
    p25: float
    p50: float
    p75: float
    p90: float


class CoinChains(TypedDict):
    chains: List[CoinChainsChain]


class CoinChainsChain(TypedDict):
    id: Literal["btc", "ltc"]
    name: str
    symbol: str
    enabled: bool


class CoinDelivery(TypedDict):
    id: int
    channel: Literal["telegram", "email", "webhook", "slack", "discord", "teams", "pagerduty", "opsgenie", "custom"]
    status: Literal["pending", "retrying", "sent", "failed", "canceled"]
    attempts: int
    lastError: Optional[str]
    createdAt: str
    sentAt: Optional[str]
    subscriptionId: int
    retractedAt: Optional[str]
    acknowledgedAt: Optional[str]
    acknowledgedBy: Optional[str]
    event: CoinDeliveryEvent


class CoinDeliveryEvent(TypedDict):
    id: int
    subscriptionId: int
    chain: Literal["btc", "ltc"]
    kind: Literal["seen", "confirmed", "replaced", "spent", "more"]
    targetKind: Literal["address", "wallet", "transaction"]
    target: str
    txid: Optional[str]
    blockHeight: Optional[int]
    blockHash: Optional[str]
    confirmations: Optional[int]
    received: int
    sent: int
    replacedBy: Optional[str]
    count: Optional[int]
    hour: Optional[str]


class CoinEvent(TypedDict):
    type: Literal["reported", "retracted"]
    id: int
    subscriptionId: int
    chain: Literal["btc", "ltc"]
    kind: Literal["seen", "confirmed", "replaced", "spent", "more"]
    targetKind: Literal["address", "wallet", "transaction"]
    target: str
    txid: Optional[str]
    blockHeight: Optional[int]
    blockHash: Optional[str]
    confirmations: Optional[int]
    received: int
    sent: int
    replacedBy: Optional[str]
    count: Optional[int]
    hour: Optional[str]
    createdAt: str
    retractedAt: Optional[str]
    retractedBecause: Optional[Literal["reorganized", "replaced", "dropped", "returned"]]


class CoinEvents(TypedDict):
    events: List[CoinEvent]
    nextCursor: str


class CoinFees(TypedDict):
    low: float
    medium: float
    high: float
    urgent: float
    unit: Literal["sat/vB"]
    source: str
    mempoolSize: int
    timestamp: str


CoinHeaders = TypedDict(
    "CoinHeaders",
    {
        "chain": "str",
        "from": "int",
        "count": "int",
        "headers": "List[str]",
    },
)


class CoinHealth(TypedDict):
    address: str
    chain: str
    score: int
    grade: Literal["A", "B", "C", "D", "F"]
    utxoCount: int
    balance: int
    unconfirmedBalance: int
    issues: List[str]


class CoinMempool(TypedDict):
    address: str
    chain: str
    unconfirmedBalance: int
    unconfirmedTxCount: int
    txs: List[CoinMempoolTx]


class CoinMempoolTx(TypedDict):
    txid: str
    blockHash: Optional[str]
    blockHeight: Optional[int]
    confirmations: int
    timestamp: str
    fee: int
    vsize: int
    received: int
    sent: int
    net: int
    direction: Literal["in", "out", "self"]
    inputs: List[CoinMempoolTxInput]
    outputs: List[CoinMempoolTxOutput]


class CoinMempoolTxInput(TypedDict):
    isCoinbase: bool
    txid: NotRequired[str]
    vout: NotRequired[int]
    sequence: NotRequired[int]
    address: NotRequired[Optional[str]]
    value: NotRequired[int]
    valueFormatted: NotRequired[str]
    scriptType: NotRequired[str]
    witness: NotRequired[List[str]]


class CoinMempoolTxOutput(TypedDict):
    n: int
    value: int
    valueFormatted: str
    address: Optional[str]
    scriptType: str
    opReturn: Optional[List[str]]


class CoinNotifications(TypedDict):
    notifications: List[CoinDelivery]
    nextCursor: Optional[str]


class CoinOutspends(TypedDict):
    txid: str
    chain: str
    outputs: List[CoinOutspendsOutput]


class CoinOutspendsOutput(TypedDict):
    vout: int
    value: int
    state: Literal["unspent", "spent", "unspendable"]
    spender: Optional[CoinOutspendsOutputSpender]


class CoinOutspendsOutputSpender(TypedDict):
    txid: str
    vin: int
    blockHeight: Optional[int]
    confirmations: int


class CoinProof(TypedDict):
    txid: str
    chain: str
    blockHash: str
    blockHeight: int
    position: int
    merkle: List[str]
    merkleRoot: str
    header: str
    proof: str


class CoinRawTransaction(TypedDict):
    txid: str
    chain: str
    blockHeight: Optional[int]
    hex: str


class CoinStatus(TypedDict):
    chain: str
    chainName: str
    symbol: str
    blockHeight: int
    difficulty: float
    hashrate: str
    mempoolSize: int
    synced: bool
    source: str


class CoinSubscription(TypedDict):
    id: int
    chain: Literal["btc", "ltc"]
    targetKind: Literal["address", "wallet", "transaction"]
    target: str
    events: List[Literal["seen", "confirmed", "replaced", "spent"]]
    confirmations: int
    channels: List[str]
    fromHeight: int
    createdAt: str


class CoinSubscriptions(TypedDict):
    subscriptions: List[CoinSubscription]
    subscriptionLimit: int
    nextCursor: Optional[str]


class CoinTransaction(TypedDict):
    txid: str
    hash: str
    version: int
    size: int
    vsize: int
    weight: int
    locktime: int
    blockHash: Optional[str]
    blockHeight: Optional[int]
    confirmations: int
    fee: int
    inputs: List[CoinTransactionInput]
    outputs: List[CoinTransactionOutput]


class CoinTransactionInput(TypedDict):
    isCoinbase: bool
    txid: NotRequired[str]
    vout: NotRequired[int]
    sequence: NotRequired[int]
    address: NotRequired[Optional[str]]
    value: NotRequired[int]
    valueFormatted: NotRequired[str]
    scriptType: NotRequired[str]
    witness: NotRequired[List[str]]


class CoinTransactionOutput(TypedDict):
    n: int
    value: int
    valueFormatted: str
    address: Optional[str]
    scriptType: str
    opReturn: Optional[List[str]]


class CoinTransactions(TypedDict):
    address: str
    chain: str
    page: int
    pageSize: int
    totalPages: int
    totalItems: int
    txs: List[CoinTransactionsTx]
    nextCursor: Optional[str]


class CoinTransactionsTx(TypedDict):
    txid: str
    blockHash: Optional[str]
    blockHeight: Optional[int]
    confirmations: int
    timestamp: str
    fee: int
    vsize: int
    received: int
    sent: int
    net: int
    direction: Literal["in", "out", "self"]
    inputs: List[CoinTransactionsTxInput]
    outputs: List[CoinTransactionsTxOutput]


class CoinTransactionsTxInput(TypedDict):
    isCoinbase: bool
    txid: NotRequired[str]
    vout: NotRequired[int]
    sequence: NotRequired[int]
    address: NotRequired[Optional[str]]
    value: NotRequired[int]
    valueFormatted: NotRequired[str]
    scriptType: NotRequired[str]
    witness: NotRequired[List[str]]


class CoinTransactionsTxOutput(TypedDict):
    n: int
    value: int
    valueFormatted: str
    address: Optional[str]
    scriptType: str
    opReturn: Optional[List[str]]


class CoinUtxos(TypedDict):
    address: str
    chain: str
    utxos: List[CoinUtxosUtxo]
    count: int
    limited: bool


class CoinUtxosUtxo(TypedDict):
    txid: str
    vout: int
    value: int
    valueFormatted: str
    confirmations: int


class ContractView(TypedDict):
    chain: ContractViewChain
    address: str
    contract: Optional[ContractViewContract]
    latestSnapshot: Optional[ContractViewLatestSnapshot]
    counts: List[ContractViewCount]
    recentEvents: List[Event]
    controlProfile: ControlProfile
    powers: Optional[List[Power]]
    pending: List[PendingChange]


class ContractViewChain(TypedDict):
    id: int
    slug: str


class ContractViewContract(TypedDict):
    id: int
    kind: str
    name: Optional[str]
    protocol: Optional[str]
    implementation: Optional[str]
    admin: Optional[str]
    owner: Optional[str]
    verified: bool
    source: str
    metadata: Dict[str, Any]
    firstSeenAt: str
    lastCheckedAt: Optional[str]


class ContractViewCount(TypedDict):
    eventKey: str
    total: int
    real: int
    init: int


class ContractViewLatestSnapshot(TypedDict):
    implementation: Optional[str]
    admin: Optional[str]
    owner: Optional[str]
    beacon: Optional[str]
    adminIsContract: Optional[bool]
    ownerIsContract: Optional[bool]
    extra: ContractViewLatestSnapshotExtra
    takenAt: str


class ContractViewLatestSnapshotExtra(TypedDict):
    safeThreshold: Optional[int]
    minDelay: Optional[int]
    blockNumber: int


class ControlProfile(TypedDict):
    label: Literal["immutable", "single_key", "multisig", "timelocked", "short_timelock", "unknown"]
    text: str
    tone: Literal["green", "red", "amber", "grey"]
    reasons: List[str]


class Delivery(TypedDict):
    id: int
    channel: Literal["telegram", "email", "webhook", "slack", "discord", "teams", "pagerduty", "opsgenie", "custom"]
    status: Literal["pending", "retrying", "sent", "failed", "canceled"]
    attempts: int
    lastError: Optional[str]
    createdAt: str
    sentAt: Optional[str]
    event: Event


class DeliveryAttempt(TypedDict):
    number: int
    startedAt: str
    status: Literal["sent", "failed", "unknown"]
    durationMs: Optional[int]
    responseStatus: Optional[int]
    error: Optional[str]


class Event(TypedDict):
    id: int
    chainId: int
    chainSlug: str
    blockNumber: int
    blockTime: str
    txHash: str
    logIndex: int
    address: str
    eventKey: str
    category: Literal["upgrade", "ownership", "access", "pause", "multisig", "timelock", "governance", "token_admin"]
    severity: Literal["info", "high", "critical"]
    args: Dict[str, Any]
    isInit: bool
    contract: EventContract


class EventContract(TypedDict):
    name: Optional[str]
    protocol: Optional[str]
    kind: Optional[str]


class FeedEvent(TypedDict):
    id: int
    chainId: int
    chainSlug: str
    blockNumber: int
    blockTime: str
    txHash: str
    logIndex: int
    address: str
    eventKey: str
    category: Literal["upgrade", "ownership", "access", "pause", "multisig", "timelock", "governance", "token_admin"]
    severity: Literal["info", "high", "critical"]
    args: Dict[str, Any]
    isInit: bool
    contract: FeedEventContract
    retracted: NotRequired[bool]


class FeedEventContract(TypedDict):
    name: Optional[str]
    protocol: Optional[str]
    kind: Optional[str]


class ForgetWallet(TypedDict):
    walletId: str


class ImportLabels(TypedDict):
    walletId: str
    imported: int
    count: int
    ignoredCount: int
    ignored: List[ImportLabelsIgnoredItem]


class ImportLabelsIgnoredItem(TypedDict):
    line: int
    reason: str


class InspectUtxos(TypedDict):
    chain: str
    isComplete: bool
    outputs: List[InspectUtxosOutput]


class InspectUtxosOutput(TypedDict):
    txid: str
    vout: int
    assets: List[InspectUtxosOutputAsset]


class InspectUtxosOutputAsset(TypedDict):
    kind: Literal["inscription", "rune"]
    certainty: Literal["certain", "possible"]
    txid: str
    input: Optional[int]
    contentType: Optional[str]


class KeptWallet(TypedDict):
    walletId: str
    chain: str
    name: str
    descriptor: str
    gapLimit: int
    createdAt: str


class KeptWallets(TypedDict):
    wallets: List[KeptWallet]
    limit: int


class PaidRecipient(TypedDict):
    address: str
    amount: int
    dustThreshold: int


class PendingCall(TypedDict):
    chainId: int
    chainSlug: str
    target: str
    text: str
    selector: Optional[str]
    signature: Optional[str]
    args: Optional[List[Any]]
    value: str
    isControl: bool
    isDelegated: bool
    isComplete: bool
    calls: List[PendingCall]


class PendingChange(TypedDict):
    id: int
    chainId: int
    chainSlug: str
    address: str
    contract: PendingChangeContract
    family: Literal["oz_timelock", "solady_timelock", "compound_timelock", "aave_executor", "aave_governance", "aave_payloads", "access_manager", "default_admin", "zodiac_delay", "axelar_governance", "maker_pause", "morpho_vault", "governor", "lido_governance", "zksync_governance", "safe"]
    operation: str
    state: Literal["proposed", "queued", "ready", "executed", "failed", "canceled", "replaced", "expired", "defeated"]
    severity: Literal["info", "high", "critical"]
    summary: str
    calls: List[PendingCall]
    callCount: int
    queuedAt: str
    queuedBy: Optional[str]
    queuedBlock: Optional[int]
    queuedTxHash: Optional[str]
    earliestAt: Optional[str]
    expiresAt: Optional[str]
    closedAt: Optional[str]
    closedTxHash: Optional[str]
    confirmations: Optional[PendingChangeConfirmations]
    queuedIn: List[PendingChangeQueuedInItem]
    after: Optional[PendingChangeAfter]
    targets: List[PendingChangeTarget]


class PendingChangeAfter(TypedDict):
    simulatedAt: str
    block: int
    problem: Optional[Literal["reverts", "roles", "unknown_calls", "unavailable"]]
    reason: Optional[str]
    contracts: List[PendingChangeAfterContract]


class PendingChangeAfterContract(TypedDict):
    address: str
    label: Literal["immutable", "timelocked", "short_timelock", "multisig", "unknown", "single_key"]
    tone: Literal["green", "amber", "red", "grey"]
    previousLabel: Literal["immutable", "timelocked", "short_timelock", "multisig", "unknown", "single_key"]
    previousTone: Literal["green", "amber", "red", "grey"]
    gainedPowers: List[str]
    lostPowers: List[str]


class PendingChangeConfirmations(TypedDict):
    required: int
    owners: List[str]
    missing: List[str]
    nonce: Optional[int]


class PendingChangeContract(TypedDict):
    name: Optional[str]
    protocol: Optional[str]
    kind: Optional[str]


class PendingChangeQueuedInItem(TypedDict):
    address: str
    name: Optional[str]
    family: Literal["oz_timelock", "solady_timelock", "compound_timelock", "aave_executor", "aave_governance", "aave_payloads", "access_manager", "default_admin", "zodiac_delay", "axelar_governance", "maker_pause", "morpho_vault", "governor", "lido_governance", "zksync_governance", "safe"]
    operation: str


class PendingChangeTarget(TypedDict):
    address: str
    name: Optional[str]
    isAffected: bool
    codeHash: Optional[str]
    implementation: Optional[str]
    hasChanged: bool


Power = TypedDict(
    "Power",
    {
        "effect": "Literal['upgrade', 'execute', 'mint', 'move_funds', 'set_price', 'set_verifier', 'grant', 'set_dependency', 'freeze', 'pause', 'set_terms', 'other']",
        "class": "Literal['critical', 'high', 'info']",
        "functions": "List[PowerFunction]",
        "holders": "List[PowerHolder]",
        "label": "Literal['immutable', 'timelocked', 'short_timelock', 'multisig', 'unknown', 'single_key']",
        "delaySeconds": "float",
        "isOpen": "bool",
        "unknown": "Optional[str]",
        "summary": "str",
        "shortSummary": "str",
    },
)


class PowerFunction(TypedDict):
    selector: str
    signature: Optional[str]
    evidence: Literal["code", "trial", "name"]


class PowerHolder(TypedDict):
    chainId: int
    address: str
    kind: str
    role: str
    label: Literal["immutable", "timelocked", "short_timelock", "multisig", "unknown", "single_key"]
    labelText: str
    delaySeconds: float
    threshold: Optional[int]
    owners: Optional[int]


class ProtocolView(TypedDict):
    protocol: str
    slug: str
    contracts: List[ProtocolViewContract]
    recentEvents: List[Event]
    counts: ProtocolViewCounts
    controlSummary: ProtocolViewControlSummary
    pending: List[PendingChange]


class ProtocolViewContract(TypedDict):
    chainId: int
    chainSlug: str
    address: str
    name: Optional[str]
    protocol: str
    kind: str
    verified: bool
    source: str
    events30d: int
    critical30d: int
    lastEventAt: Optional[str]
    lastEventKey: Optional[str]
    controlProfile: ControlProfile


class ProtocolViewControlSummary(TypedDict):
    total: int
    singleKey: int
    multisig: int
    shortTimelock: int
    timelocked: int
    immutable: int
    unknown: int


class ProtocolViewCounts(TypedDict):
    contracts: int
    chains: int
    events30d: int
    critical30d: int


class Simulate(TypedDict):
    viable: bool
    reason: Optional[Literal["NO_UTXOS", "INSUFFICIENT_FUNDS", "FEES_EXCEED", "AMOUNT_BELOW_DUST", "TX_TOO_LARGE", "FEE_BELOW_MIN_RELAY", "INPUT_SIZE_ASSUMED"]]
    shortfall: int
    algorithm: Optional[str]
    estimatedFee: int
    estimatedSize: int
    weight: int
    selectedUtxos: List[SimulateSelectedUtxo]
    inputCount: int
    outputCount: int
    totalInput: int
    totalOutput: int
    change: int
    effectiveFeeRate: float
    waste: Optional[float]
    chain: str
    amount: int
    recipients: List[PaidRecipient]
    feeRate: float
    confTarget: Optional[int]
    feeRange: Optional[SimulateFeeRange]
    dustThreshold: int
    changeDustThreshold: int
    utxoSelection: str
    scriptType: str
    changeAddress: Optional[str]
    locktime: int
    sequence: int
    longTermFeeRate: float
    assumptions: List[str]
    warnings: List[str]
    higherFeeReason: Optional[str]
    excluded: SimulateExcluded
    protectedUtxos: List[SimulateProtectedUtxo]
    tip: SimulateTip
    strategies: NotRequired[List[SimulateStrategie]]
    psbt: NotRequired[Optional[str]]
    psbtV2: NotRequired[Optional[str]]


class SimulateExcluded(TypedDict):
    immature: int
    unconfirmed: int
    mustNotUse: int
    protected: int


class SimulateFeeRange(TypedDict):
    min: int
    max: int


class SimulateProtectedUtxo(TypedDict):
    txid: str
    vout: int
    value: int
    assets: List[SimulateProtectedUtxoAsset]
    dustAttack: Optional[SimulateProtectedUtxoDustAttack]


class SimulateProtectedUtxoAsset(TypedDict):
    kind: Literal["inscription", "rune"]
    certainty: Literal["certain", "possible"]
    txid: str
    input: Optional[int]
    contentType: Optional[str]


class SimulateProtectedUtxoDustAttack(TypedDict):
    verdict: Literal["possible", "probable"]
    reasons: List[str]


class SimulateRecipient(TypedDict):
    address: str
    amount: int


class SimulateSelectedUtxo(TypedDict):
    txid: str
    vout: int
    value: int


class SimulateStrategie(TypedDict):
    strategy: str
    viable: bool
    reason: Optional[Literal["NO_UTXOS", "INSUFFICIENT_FUNDS", "FEES_EXCEED", "AMOUNT_BELOW_DUST", "TX_TOO_LARGE", "FEE_BELOW_MIN_RELAY", "INPUT_SIZE_ASSUMED"]]
    shortfall: int
    algorithm: Optional[str]
    estimatedFee: int
    estimatedSize: int
    weight: int
    selectedUtxos: List[SimulateStrategieSelectedUtxo]
    inputCount: int
    outputCount: int
    totalInput: int
    totalOutput: int
    change: int
    effectiveFeeRate: float
    waste: Optional[float]


class SimulateStrategieSelectedUtxo(TypedDict):
    txid: str
    vout: int
    value: int


class SimulateTip(TypedDict):
    height: int
    hash: str


class SimulateWallet(TypedDict):
    viable: bool
    reason: Optional[Literal["NO_UTXOS", "INSUFFICIENT_FUNDS", "FEES_EXCEED", "AMOUNT_BELOW_DUST", "TX_TOO_LARGE", "FEE_BELOW_MIN_RELAY", "INPUT_SIZE_ASSUMED"]]
    shortfall: int
    algorithm: Optional[str]
    estimatedFee: int
    estimatedSize: int
    weight: int
    selectedUtxos: List[SimulateWalletSelectedUtxo]
    inputCount: int
    outputCount: int
    totalInput: int
    totalOutput: int
    change: int
    effectiveFeeRate: float
    waste: Optional[float]
    chain: str
    amount: int
    recipients: List[PaidRecipient]
    feeRate: float
    confTarget: Optional[int]
    feeRange: Optional[SimulateWalletFeeRange]
    dustThreshold: int
    changeDustThreshold: int
    utxoSelection: str
    scriptType: str
    changeAddress: Optional[str]
    locktime: int
    sequence: int
    longTermFeeRate: float
    assumptions: List[str]
    warnings: List[str]
    higherFeeReason: Optional[str]
    excluded: SimulateWalletExcluded
    protectedUtxos: List[SimulateWalletProtectedUtxo]
    tip: SimulateWalletTip
    strategies: NotRequired[List[SimulateWalletStrategie]]
    psbt: NotRequired[Optional[str]]
    psbtV2: NotRequired[Optional[str]]


class SimulateWalletExcluded(TypedDict):
    immature: int
    unconfirmed: int
    mustNotUse: int
    protected: int


class SimulateWalletFeeRange(TypedDict):
    min: int
    max: int


class SimulateWalletProtectedUtxo(TypedDict):
    txid: str
    vout: int
    value: int
    assets: List[SimulateWalletProtectedUtxoAsset]
    dustAttack: Optional[SimulateWalletProtectedUtxoDustAttack]


class SimulateWalletProtectedUtxoAsset(TypedDict):
    kind: Literal["inscription", "rune"]
    certainty: Literal["certain", "possible"]
    txid: str
    input: Optional[int]
    contentType: Optional[str]


class SimulateWalletProtectedUtxoDustAttack(TypedDict):
    verdict: Literal["possible", "probable"]
    reasons: List[str]


class SimulateWalletRecipient(TypedDict):
    address: str
    amount: int


class SimulateWalletSelectedUtxo(TypedDict):
    txid: str
    vout: int
    value: int


class SimulateWalletStrategie(TypedDict):
    strategy: str
    viable: bool
    reason: Optional[Literal["NO_UTXOS", "INSUFFICIENT_FUNDS", "FEES_EXCEED", "AMOUNT_BELOW_DUST", "TX_TOO_LARGE", "FEE_BELOW_MIN_RELAY", "INPUT_SIZE_ASSUMED"]]
    shortfall: int
    algorithm: Optional[str]
    estimatedFee: int
    estimatedSize: int
    weight: int
    selectedUtxos: List[SimulateWalletStrategieSelectedUtxo]
    inputCount: int
    outputCount: int
    totalInput: int
    totalOutput: int
    change: int
    effectiveFeeRate: float
    waste: Optional[float]


class SimulateWalletStrategieSelectedUtxo(TypedDict):
    txid: str
    vout: int
    value: int


class SimulateWalletTip(TypedDict):
    height: int
    hash: str


class Subscription(TypedDict):
    id: int
    chainId: int
    chainSlug: str
    address: str
    source: str
    minSeverity: Literal["info", "high", "critical"]
    channels: SubscriptionChannels
    createdAt: str
    pausedAt: Optional[str]
    contract: SubscriptionContract


class SubscriptionChannels(TypedDict):
    telegram: bool
    email: bool
    webhook: bool
    slack: bool
    discord: bool
    teams: bool
    pagerduty: bool
    opsgenie: bool
    custom: bool


class SubscriptionContract(TypedDict):
    name: Optional[str]
    protocol: Optional[str]
    kind: Optional[str]


class UnsubscribeCoins(TypedDict):
    id: int


class Usage(TypedDict):
    plan: str
    period: UsagePeriod
    usage: UsageUsage
    limits: UsageLimits


class UsageLimits(TypedDict):
    utxoLimit: int
    batchLimit: int
    syncCalculation: bool
    walletLimit: int
    subscriptionLimit: int


class UsagePeriod(TypedDict):
    start: str
    end: str


class UsageUsage(TypedDict):
    apiCalls: int
    limit: int
    remaining: int
    percentUsed: float


class Wallet(TypedDict):
    descriptor: str
    chain: str
    balance: int
    balanceFormatted: str
    totalReceived: int
    totalSent: int
    txCount: int
    utxoCount: int
    unconfirmedBalance: int
    unconfirmedTxCount: int
    branches: List[WalletBranche]


class WalletAnalysis(TypedDict):
    chain: str
    scriptType: str
    analyzedAt: str
    tip: WalletAnalysisTip
    summary: WalletAnalysisSummary
    privacy: WalletAnalysisPrivacy
    dust: WalletAnalysisDust
    consolidation: WalletAnalysisConsolidation
    health: WalletAnalysisHealth
    coverage: WalletAnalysisCoverage
    limited: bool
    descriptor: str


class WalletAnalysisConsolidation(TypedDict):
    recommendation: Literal["now", "wait", "optional", "none"]
    included: int
    excluded: int
    feeRate: float
    targetFeeRate: Optional[float]
    breakEvenFeeRate: Optional[float]
    cost: WalletAnalysisConsolidationCost
    savings: WalletAnalysisConsolidationSavings
    batches: List[WalletAnalysisConsolidationBatche]
    note: str


class WalletAnalysisConsolidationBatche(TypedDict):
    inputs: int
    value: int
    fee: int
    size: int


class WalletAnalysisConsolidationCost(TypedDict):
    low: int
    medium: int
    high: int


class WalletAnalysisConsolidationSavings(TypedDict):
    p50: int
    p75: int
    p90: int


class WalletAnalysisCoverage(TypedDict):
    txsExamined: int
    historyEntriesExamined: int
    txsTotal: int
    truncated: bool


class WalletAnalysisDust(TypedDict):
    count: int
    value: int
    uneconomic: WalletAnalysisDustUneconomic
    suspects: List[WalletAnalysisDustSuspect]


class WalletAnalysisDustSuspect(TypedDict):
    txid: str
    vout: int
    value: int
    verdict: Literal["possible", "probable"]
    reasons: List[str]


class WalletAnalysisDustUneconomic(TypedDict):
    low: int
    medium: int
    high: int


class WalletAnalysisHealth(TypedDict):
    score: int
    grade: Literal["A", "B", "C", "D", "F"]
    issues: List[str]


class WalletAnalysisPrivacy(TypedDict):
    score: int
    grade: Literal["A", "B", "C", "D", "F"]
    factors: List[WalletAnalysisPrivacyFactor]


class WalletAnalysisPrivacyFactor(TypedDict):
    code: str
    impact: float
    confidence: Literal["deterministic", "high", "medium", "low"]
    evidence: List[str]
    text: str


class WalletAnalysisSummary(TypedDict):
    balance: int
    unconfirmedBalance: int
    utxoCount: int
    txCount: int
    unconfirmedTxCount: int
    totalReceived: int
    totalSent: int


class WalletAnalysisTip(TypedDict):
    height: int
    hash: str


class WalletBalanceHistory(TypedDict):
    chain: str
    by: Literal["block", "day"]
    points: List[WalletBalanceHistoryPoint]
    next: Optional[str]


class WalletBalanceHistoryPoint(TypedDict):
    date: str
    height: int
    balance: int
    received: int
    sent: int
    txCount: int


class WalletBranche(TypedDict):
    branch: int
    used: int
    next: Optional[WalletBrancheNext]


class WalletBrancheNext(TypedDict):
    address: Optional[str]
    branch: int
    index: int
    path: Optional[str]


class WalletHealth(TypedDict):
    chain: str
    score: int
    grade: Literal["A", "B", "C", "D", "F"]
    utxoCount: int
    balance: int
    unconfirmedBalance: int
    issues: List[str]
    descriptor: str


class WalletLabels(TypedDict):
    walletId: str
    count: int
    bip329: str


class WalletTransactions(TypedDict):
    chain: str
    page: int
    pageSize: int
    totalPages: int
    totalItems: int
    txs: List[WalletTransactionsTx]


class WalletTransactionsTx(TypedDict):
    txid: str
    blockHash: Optional[str]
    blockHeight: Optional[int]
    confirmations: int
    timestamp: str
    fee: int
    vsize: int
    received: int
    sent: int
    net: int
    direction: Literal["in", "out", "self"]
    inputs: List[WalletTransactionsTxInput]
    outputs: List[WalletTransactionsTxOutput]
    label: NotRequired[Optional[str]]


class WalletTransactionsTxInput(TypedDict):
    isCoinbase: bool
    txid: NotRequired[str]
    vout: NotRequired[int]
    sequence: NotRequired[int]
    address: NotRequired[Optional[str]]
    value: NotRequired[int]
    valueFormatted: NotRequired[str]
    scriptType: NotRequired[str]
    witness: NotRequired[List[str]]


class WalletTransactionsTxOutput(TypedDict):
    n: int
    value: int
    valueFormatted: str
    address: Optional[str]
    scriptType: str
    opReturn: Optional[List[str]]


class WalletUtxos(TypedDict):
    chain: str
    utxos: List[WalletUtxosUtxo]
    count: int
    limited: bool


class WalletUtxosUtxo(TypedDict):
    txid: str
    vout: int
    value: int
    valueFormatted: str
    confirmations: int
    address: Optional[str]
    branch: int
    index: int
    path: Optional[str]
    label: NotRequired[Optional[str]]
