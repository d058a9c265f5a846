// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Compound's Timelock, with its checks and events.
contract QueueingTimelock {
    event CancelTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta);
    event ExecuteTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta);
    event QueueTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta);

    uint256 public constant GRACE_PERIOD = 14 days;
    address public admin;
    uint256 public delay;
    mapping(bytes32 => bool) public queuedTransactions;

    constructor(address admin_, uint256 delay_) { admin = admin_; delay = delay_; }

    function queueTransaction(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) external returns (bytes32 id) {
        require(msg.sender == admin && eta >= block.timestamp + delay);
        id = keccak256(abi.encode(target, value, signature, data, eta));
        queuedTransactions[id] = true;
        emit QueueTransaction(id, target, value, signature, data, eta);
    }

    function cancelTransaction(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) external {
        require(msg.sender == admin);
        bytes32 id = keccak256(abi.encode(target, value, signature, data, eta));
        queuedTransactions[id] = false;
        emit CancelTransaction(id, target, value, signature, data, eta);
    }

    function executeTransaction(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) external payable {
        bytes32 id = keccak256(abi.encode(target, value, signature, data, eta));
        require(msg.sender == admin && queuedTransactions[id]);
        require(block.timestamp >= eta && block.timestamp <= eta + GRACE_PERIOD);
        queuedTransactions[id] = false;
        bytes memory callData = bytes(signature).length == 0 ? data : abi.encodePacked(bytes4(keccak256(bytes(signature))), data);
        (bool ok,) = target.call{value: value}(callData);
        require(ok);
        emit ExecuteTransaction(id, target, value, signature, data, eta);
    }
}

/// GovernorBravo without votes: the proposer decides. States, events and calls of the timelock are those of Compound.
contract QueueingBravo {
    enum ProposalState { Pending, Active, Canceled, Defeated, Succeeded, Queued, Expired, Executed }
    struct Proposal { address[] targets; uint256[] values; string[] signatures; bytes[] calldatas; uint256 eta; bool canceled; bool executed; bool defeated; }

    event ProposalCreated(uint256 id, address proposer, address[] targets, uint256[] values, string[] signatures, bytes[] calldatas, uint256 startBlock, uint256 endBlock, string description);
    event ProposalCanceled(uint256 id);
    event ProposalQueued(uint256 id, uint256 eta);
    event ProposalExecuted(uint256 id);

    QueueingTimelock public timelock;
    uint256 public votingDelay = 1;
    uint256 public votingPeriod = 5;
    uint256 public proposalCount;
    mapping(uint256 => Proposal) private all;

    function initialize(QueueingTimelock timelock_) external { require(address(timelock) == address(0)); timelock = timelock_; }

    function propose(address[] memory targets, uint256[] memory values, string[] memory signatures, bytes[] memory calldatas, string memory description) external returns (uint256 id) {
        id = ++proposalCount;
        Proposal storage proposal = all[id];
        (proposal.targets, proposal.values, proposal.signatures, proposal.calldatas) = (targets, values, signatures, calldatas);
        emit ProposalCreated(id, msg.sender, targets, values, signatures, calldatas, block.number + 1, block.number + 6, description);
    }

    /// The vote is over without a majority, which no event reports.
    function defeat(uint256 id) external { all[id].defeated = true; }

    function queue(uint256 id) external {
        Proposal storage proposal = all[id];
        proposal.eta = block.timestamp + timelock.delay();
        for (uint256 n; n < proposal.targets.length; ++n)
            timelock.queueTransaction(proposal.targets[n], proposal.values[n], proposal.signatures[n], proposal.calldatas[n], proposal.eta);
        emit ProposalQueued(id, proposal.eta);
    }

    /// Queues a proposal and, in the same transaction, a call that is not part of it.
    function queueWith(uint256 id, address target, bytes memory data) external {
        this.queue(id);
        timelock.queueTransaction(target, 0, "", data, all[id].eta);
    }

    function execute(uint256 id) external {
        Proposal storage proposal = all[id];
        proposal.executed = true;
        for (uint256 n; n < proposal.targets.length; ++n)
            timelock.executeTransaction(proposal.targets[n], proposal.values[n], proposal.signatures[n], proposal.calldatas[n], proposal.eta);
        emit ProposalExecuted(id);
    }

    function cancel(uint256 id) external {
        Proposal storage proposal = all[id];
        proposal.canceled = true;
        if (proposal.eta != 0)
            for (uint256 n; n < proposal.targets.length; ++n)
                timelock.cancelTransaction(proposal.targets[n], proposal.values[n], proposal.signatures[n], proposal.calldatas[n], proposal.eta);
        emit ProposalCanceled(id);
    }

    function state(uint256 id) external view returns (ProposalState) {
        Proposal storage proposal = all[id];
        require(id > 0 && id <= proposalCount);
        if (proposal.canceled) return ProposalState.Canceled;
        if (proposal.defeated) return ProposalState.Defeated;
        if (proposal.eta == 0) return ProposalState.Succeeded;
        if (proposal.executed) return ProposalState.Executed;
        return block.timestamp >= proposal.eta + timelock.GRACE_PERIOD() ? ProposalState.Expired : ProposalState.Queued;
    }
}

interface IAvatar {
    function execTransactionFromModule(address to, uint256 value, bytes memory data, uint8 operation) external returns (bool);
}

/// Zodiac's Delay modifier, with its queue: it logs what is added, and nothing when a transaction is executed or skipped.
contract QueueingDelay {
    event TransactionAdded(uint256 indexed queueNonce, bytes32 indexed txHash, address to, uint256 value, bytes data, uint8 operation);
    event TxNonceSet(uint256 nonce);

    address public owner;
    IAvatar public avatar;
    uint256 public txCooldown;
    uint256 public txExpiration;
    uint256 public txNonce;
    uint256 public queueNonce;
    mapping(uint256 => bytes32) public txHash;
    mapping(uint256 => uint256) public txCreatedAt;

    constructor(IAvatar avatar_, uint256 cooldown, uint256 expiration) { owner = msg.sender; avatar = avatar_; txCooldown = cooldown; txExpiration = expiration; }

    function execTransactionFromModule(address to, uint256 value, bytes calldata data, uint8 operation) external returns (bool) {
        bytes32 hash = keccak256(abi.encode(to, value, data, operation));
        txHash[queueNonce] = hash;
        txCreatedAt[queueNonce] = block.timestamp;
        emit TransactionAdded(queueNonce, hash, to, value, data, operation);
        ++queueNonce;
        return true;
    }

    function setTxNonce(uint256 nonce) external {
        require(msg.sender == owner && nonce > txNonce && nonce <= queueNonce);
        txNonce = nonce;
        emit TxNonceSet(nonce);
    }

    function executeNextTx(address to, uint256 value, bytes calldata data, uint8 operation) external {
        require(txNonce < queueNonce && block.timestamp - txCreatedAt[txNonce] >= txCooldown);
        require(txExpiration == 0 || txCreatedAt[txNonce] + txCooldown + txExpiration >= block.timestamp);
        require(keccak256(abi.encode(to, value, data, operation)) == txHash[txNonce]);
        ++txNonce;
        require(avatar.execTransactionFromModule(to, value, data, operation));
    }
}

/// Aave's payloads controller, with its structure, states and events.
contract QueueingPayloads {
    enum PayloadState { None, Created, Queued, Executed, Cancelled, Expired }
    struct ExecutionAction { address target; bool withDelegateCall; uint8 accessLevel; uint256 value; string signature; bytes callData; }
    struct Payload {
        address creator; uint8 maximumAccessLevelRequired; PayloadState state; uint40 createdAt; uint40 queuedAt; uint40 executedAt;
        uint40 cancelledAt; uint40 expirationTime; uint40 delay; uint40 gracePeriod; ExecutionAction[] actions;
    }
    event PayloadCreated(uint40 indexed payloadId, address indexed creator, ExecutionAction[] actions, uint8 indexed maximumAccessLevelRequired);
    event PayloadQueued(uint40 payloadId);
    event PayloadExecuted(uint40 payloadId);

    uint40 public count;
    mapping(uint40 => Payload) private all;

    function createPayload(ExecutionAction[] calldata actions) external returns (uint40 id) {
        id = count++;
        Payload storage payload = all[id];
        payload.creator = msg.sender;
        payload.state = PayloadState.Created;
        payload.createdAt = uint40(block.timestamp);
        payload.expirationTime = uint40(block.timestamp + 35 days);
        payload.delay = 1 days;
        payload.gracePeriod = 7 days;
        for (uint256 n; n < actions.length; ++n) payload.actions.push(actions[n]);
        emit PayloadCreated(id, msg.sender, actions, 1);
    }

    function queue(uint40 id) external { all[id].state = PayloadState.Queued; all[id].queuedAt = uint40(block.timestamp); emit PayloadQueued(id); }

    function executePayload(uint40 id) external payable {
        Payload storage payload = all[id];
        require(payload.state == PayloadState.Queued && block.timestamp > payload.queuedAt + payload.delay);
        payload.state = PayloadState.Executed;
        payload.executedAt = uint40(block.timestamp);
        for (uint256 n; n < payload.actions.length; ++n) {
            ExecutionAction storage action = payload.actions[n];
            bytes memory data = bytes(action.signature).length == 0 ? action.callData : abi.encodePacked(bytes4(keccak256(bytes(action.signature))), action.callData);
            (bool ok,) = action.withDelegateCall ? action.target.delegatecall(data) : action.target.call{value: action.value}(data);
            require(ok);
        }
        emit PayloadExecuted(id);
    }

    function getPayloadById(uint40 id) external view returns (Payload memory payload) { payload = all[id]; }
}

/// Maker's DSPause and the proxy that it makes delegate to a spell, with the notes that it logs instead of events.
contract QueueingPause {
    event LogNote(bytes4 indexed sig, address indexed guy, bytes32 indexed foo, bytes32 indexed bar, uint256 wad, bytes fax) anonymous;
    address public owner;
    uint256 public delay;
    mapping(bytes32 => bool) public plans;

    constructor(uint256 delay_) { owner = msg.sender; delay = delay_; }

    modifier note() {
        _;
        bytes32 foo;
        bytes32 bar;
        assembly { foo := calldataload(4) bar := calldataload(36) }
        emit LogNote(msg.sig, msg.sender, foo, bar, 0, msg.data);
    }

    function hash(address usr, bytes32 tag, bytes memory fax, uint256 eta) public pure returns (bytes32) { return keccak256(abi.encode(usr, tag, fax, eta)); }

    function plot(address usr, bytes32 tag, bytes memory fax, uint256 eta) external note {
        require(msg.sender == owner && eta >= block.timestamp + delay);
        plans[hash(usr, tag, fax, eta)] = true;
    }

    function drop(address usr, bytes32 tag, bytes memory fax, uint256 eta) external note {
        require(msg.sender == owner);
        plans[hash(usr, tag, fax, eta)] = false;
    }

    function exec(address usr, bytes32 tag, bytes memory fax, uint256 eta) external note {
        require(plans[hash(usr, tag, fax, eta)] && usr.codehash == tag && block.timestamp >= eta);
        plans[hash(usr, tag, fax, eta)] = false;
        (bool ok,) = usr.delegatecall(fax);
        require(ok);
    }
}

/// The queue of a MetaMorpho vault: what is submitted can be accepted after the delay, or revoked.
contract QueueingVault {
    struct PendingUint { uint192 value; uint64 validAt; }
    struct PendingAddress { address value; uint64 validAt; }
    struct Market { uint184 cap; bool enabled; uint64 removableAt; }

    event SubmitTimelock(uint256 newTimelock);
    event SetTimelock(address indexed caller, uint256 newTimelock);
    event RevokePendingTimelock(address indexed caller);
    event SubmitGuardian(address indexed newGuardian);
    event SetGuardian(address indexed caller, address indexed guardian);
    event RevokePendingGuardian(address indexed caller);
    event SubmitCap(address indexed caller, bytes32 indexed id, uint256 cap);
    event SetCap(address indexed caller, bytes32 indexed id, uint256 cap);
    event RevokePendingCap(address indexed caller, bytes32 indexed id);
    event SubmitMarketRemoval(address indexed caller, bytes32 indexed id);
    event RevokePendingMarketRemoval(address indexed caller, bytes32 indexed id);

    address public owner = msg.sender;
    address public guardian;
    uint256 public timelock;
    PendingUint public pendingTimelock;
    PendingAddress public pendingGuardian;
    mapping(bytes32 => PendingUint) public pendingCap;
    mapping(bytes32 => Market) public config;

    constructor(uint256 timelock_, address guardian_) { timelock = timelock_; guardian = guardian_; emit SetTimelock(msg.sender, timelock_); emit SetGuardian(msg.sender, guardian_); }

    modifier afterTimelock(uint256 validAt) { require(validAt != 0 && block.timestamp >= validAt); _; }

    function submitTimelock(uint256 next) external { pendingTimelock = PendingUint(uint192(next), uint64(block.timestamp + timelock)); emit SubmitTimelock(next); }
    function revokePendingTimelock() external { delete pendingTimelock; emit RevokePendingTimelock(msg.sender); }
    function acceptTimelock() external afterTimelock(pendingTimelock.validAt) { timelock = pendingTimelock.value; delete pendingTimelock; emit SetTimelock(msg.sender, timelock); }

    function submitGuardian(address next) external { pendingGuardian = PendingAddress(next, uint64(block.timestamp + timelock)); emit SubmitGuardian(next); }
    function revokePendingGuardian() external { delete pendingGuardian; emit RevokePendingGuardian(msg.sender); }
    function acceptGuardian() external afterTimelock(pendingGuardian.validAt) { guardian = pendingGuardian.value; delete pendingGuardian; emit SetGuardian(msg.sender, guardian); }

    function submitCap(bytes32 id, uint256 cap) external { pendingCap[id] = PendingUint(uint192(cap), uint64(block.timestamp + timelock)); emit SubmitCap(msg.sender, id, cap); }
    function revokePendingCap(bytes32 id) external { delete pendingCap[id]; emit RevokePendingCap(msg.sender, id); }
    function acceptCap(bytes32 id) external afterTimelock(pendingCap[id].validAt) { config[id].cap = uint184(pendingCap[id].value); delete pendingCap[id]; emit SetCap(msg.sender, id, config[id].cap); }

    function submitMarketRemoval(bytes32 id) external { config[id].removableAt = uint64(block.timestamp + timelock); emit SubmitMarketRemoval(msg.sender, id); }
    function revokePendingMarketRemoval(bytes32 id) external { config[id].removableAt = 0; emit RevokePendingMarketRemoval(msg.sender, id); }
}

/// Aave's governance of version 3: it decides, waits, and sends the numbers of payloads to the controllers of their chains.
contract QueueingGovernance {
    enum State { Null, Created, Active, Queued, Executed, Failed, Cancelled, Expired }

    event ProposalCreated(uint256 indexed proposalId, address indexed creator, uint8 indexed accessLevel, bytes32 ipfsHash);
    event ProposalQueued(uint256 indexed proposalId, uint128 votesFor, uint128 votesAgainst);
    event ProposalExecuted(uint256 indexed proposalId);
    event ProposalCanceled(uint256 indexed proposalId);
    event ProposalFailed(uint256 indexed proposalId, uint128 votesFor, uint128 votesAgainst);
    event PayloadSent(uint256 indexed proposalId, uint40 payloadId, address indexed payloadsController, uint256 indexed chainId, uint256 payloadNumberOnProposal, uint256 numberOfPayloadsOnProposal);

    struct Payload { uint256 chain; uint8 accessLevel; address payloadsController; uint40 payloadId; }
    struct Proposal {
        State state; uint8 accessLevel; uint40 creationTime; uint24 votingDuration; uint40 votingActivationTime; uint40 queuingTime;
        uint40 cancelTimestamp; address creator; address votingPortal; bytes32 snapshotBlockHash; bytes32 ipfsHash; uint128 forVotes;
        uint128 againstVotes; uint256 cancellationFee; Payload[] payloads;
    }

    uint256 public immutable COOLDOWN_PERIOD;
    uint256 public count;
    mapping(uint256 => Payload[]) private payloads;
    mapping(uint256 => State) private states;
    mapping(uint256 => uint256) private queuedAt;

    constructor(uint256 cooldown) { COOLDOWN_PERIOD = cooldown; }

    function createProposal() external { uint256 id = count++; states[id] = State.Created; emit ProposalCreated(id, msg.sender, 1, keccak256("text")); }
    function queue(uint256 id, bool hasPassed) external {
        states[id] = hasPassed ? State.Queued : State.Failed;
        queuedAt[id] = block.timestamp;
        if (hasPassed) emit ProposalQueued(id, 2, 1);
        else emit ProposalFailed(id, 1, 2);
    }
    function cancel(uint256 id) external { states[id] = State.Cancelled; emit ProposalCanceled(id); }
    function execute(uint256 id, address controller, uint40 payload) external {
        require(states[id] == State.Queued && block.timestamp >= queuedAt[id] + COOLDOWN_PERIOD);
        states[id] = State.Executed;
        emit ProposalExecuted(id);
        emit PayloadSent(id, payload, controller, block.chainid, 1, 1);
    }
    function addPayload(uint256 id, Payload calldata payload) external { payloads[id].push(payload); }
    function getProposalState(uint256 id) external view returns (State) { return states[id]; }
    function getProposal(uint256 id) external view returns (Proposal memory proposal) { proposal.state = states[id]; proposal.payloads = payloads[id]; }
}
