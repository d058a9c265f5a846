// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Weights { function getPastVotes(address account, uint256 time) external view returns (uint256); }

/// A governor of the simplest form: more votes for a proposal than against it, as of its block, and two fifths of all votes.
abstract contract Ballots {
    struct Count { uint256 against; uint256 support; uint256 deadline; uint256 start; bool isProposed; bool isExecuted; }
    uint256 internal constant QUORUM = 4e23;
    mapping(bytes32 => Count) internal counts;
    mapping(bytes32 => mapping(address => bool)) internal hasVoted;
    function votingDelay() external pure returns (uint256) { return 7200; }
    function votingPeriod() external pure returns (uint256) { return 50400; }
    function propose(address target, bytes calldata data) external virtual { _propose(keccak256(abi.encode(target, data))); }
    function _propose(bytes32 id) internal {
        Count storage count = counts[id];
        require(!count.isProposed);
        count.isProposed = true;
        count.deadline = block.timestamp + 1 weeks;
        count.start = block.number;
    }
    function execute(address target, bytes calldata data) external virtual {
        _pass(keccak256(abi.encode(target, data)));
        (bool ok, ) = target.call(data);
        require(ok);
    }
    function _pass(bytes32 id) internal {
        Count storage count = counts[id];
        require(count.isProposed && count.deadline < block.timestamp);
        require(!count.isExecuted);
        require(count.support > count.against);
        require(count.support >= QUORUM);
        count.isExecuted = true;
    }
    function _count(bytes32 id, bool support, uint256 weight) internal {
        Count storage count = counts[id];
        require(block.timestamp <= count.deadline);
        require(!hasVoted[id][msg.sender]);
        hasVoted[id][msg.sender] = true;
        if (support) count.support += weight; else count.against += weight;
    }
}

contract Whale {
    function getPastVotes(address, uint256) external pure returns (uint256) { return 1e30; }
}

contract HonestBallots is Ballots {
    Weights public immutable token;
    constructor(Weights token_) { token = token_; }
    function vote(bytes32 id, bool support) external virtual { _count(id, support, token.getPastVotes(msg.sender, counts[id].start)); }
}

/// A proposal that has passed lets every caller call whatever it likes.
contract ReusedBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function run(bytes32 id, address target, bytes calldata data) external {
        Count storage count = counts[id];
        require(count.isProposed && count.deadline < block.timestamp);
        require(count.support > count.against);
        require(count.support >= QUORUM);
        (bool ok, ) = target.call(data);
        require(ok);
    }
}
/// A proposal names the contract that is called, and the caller what it does.
contract HalfBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function run(address target, bytes calldata data) external {
        _pass(keccak256(abi.encode(target)));
        (bool ok, ) = target.call(data);
        require(ok);
    }
    function propose(address target) external { _propose(keccak256(abi.encode(target))); }
}

/// The caller names the contract that weighs its vote.
contract AnyTokenBallots is Ballots {
    function vote(bytes32 id, bool support, Weights token) external { _count(id, support, token.getPastVotes(msg.sender, counts[id].start)); }
}

/// The caller gives the weight, which passes through an instruction that hides it.
contract AnyWeightBallots is Ballots {
    function vote(bytes32 id, bool support, uint256 weight) external { _count(id, support, mulmod(weight, 1, type(uint256).max)); }
}

/// A token without code for the function returns nothing, and memory keeps the weight that the caller gave.
contract ShortAnswerBallots is Ballots {
    address public immutable token;
    constructor(address token_) { token = token_; }
    function vote(bytes32 id, bool support, uint256 weight) external {
        address at = token;
        uint256 start = counts[id].start;
        assembly {
            let input := add(mload(0x40), 0x40)
            mstore(0x80, weight)
            mstore(input, 0x3a46b1a800000000000000000000000000000000000000000000000000000000)
            mstore(add(input, 4), caller())
            mstore(add(input, 36), start)
            pop(staticcall(gas(), at, input, 68, 0x80, 32))
            weight := mload(0x80)
        }
        _count(id, support, weight);
    }
}

/// A holder votes as often as it likes.
contract ManyVotesBallots is Ballots {
    Weights public immutable token;
    constructor(Weights token_) { token = token_; }
    function vote(bytes32 id, bool support) external {
        uint256 weight = token.getPastVotes(msg.sender, counts[id].start);
        Count storage count = counts[id];
        require(block.timestamp <= count.deadline);
        if (support) count.support += weight; else count.against += weight;
    }
}
/// A vote is recorded unless its memo is a number that only its author knows.
contract UnrecordedBallots is Ballots {
    Weights public immutable token;
    constructor(Weights token_) { token = token_; }
    function vote(bytes32 id, bool support, uint256 memo) external {
        uint256 weight = token.getPastVotes(msg.sender, counts[id].start);
        Count storage count = counts[id];
        require(block.timestamp <= count.deadline);
        require(!hasVoted[id][msg.sender]);
        if (memo != 7) hasVoted[id][msg.sender] = true;
        if (support) count.support += weight; else count.against += weight;
    }
}

/// Votes are recorded under a number of the caller.
contract NumberedBallots is Ballots {
    Weights public immutable token;
    mapping(bytes32 => mapping(uint256 => mapping(address => bool))) private votes;
    constructor(Weights token_) { token = token_; }
    function vote(bytes32 id, bool support, uint256 number) external {
        uint256 weight = token.getPastVotes(msg.sender, counts[id].start);
        Count storage count = counts[id];
        require(block.timestamp <= count.deadline);
        require(!votes[id][number][msg.sender]);
        votes[id][number][msg.sender] = true;
        if (support) count.support += weight; else count.against += weight;
    }
}

/// The caller says how often its vote counts.
contract RepeatedBallots is Ballots {
    Weights public immutable token;
    constructor(Weights token_) { token = token_; }
    function vote(bytes32 id, bool support, uint256 times) external {
        uint256 weight = token.getPastVotes(msg.sender, counts[id].start);
        Count storage count = counts[id];
        require(block.timestamp <= count.deadline);
        require(!hasVoted[id][msg.sender]);
        hasVoted[id][msg.sender] = true;
        for (uint256 i; i < times; ++i) if (support) count.support += weight; else count.against += weight;
    }
}

/// The contract calls the voter before it records the vote, so the voter can vote again.
contract ReentrantBallots is Ballots {
    Weights public immutable token;
    constructor(Weights token_) { token = token_; }
    function vote(bytes32 id, bool support) external {
        uint256 weight = token.getPastVotes(msg.sender, counts[id].start);
        Count storage count = counts[id];
        require(block.timestamp <= count.deadline);
        require(!hasVoted[id][msg.sender]);
        (bool ok, ) = msg.sender.call("");
        require(ok);
        hasVoted[id][msg.sender] = true;
        if (support) count.support += weight; else count.against += weight;
    }
}
contract Reentering {
    uint256 private rounds;
    ReentrantBallots private governor;
    bytes32 private id;
    function start(ReentrantBallots governor_, bytes32 id_, uint256 rounds_) external {
        (governor, id, rounds) = (governor_, id_, rounds_);
        governor.vote(id, true);
    }
    fallback() external {
        if (rounds == 0) return;
        rounds -= 1;
        governor.vote(id, true);
    }
}

/// The record of a vote can be removed.
contract ForgettingBallots is Ballots {
    Weights public immutable token;
    constructor(Weights token_) { token = token_; }
    function vote(bytes32 id, bool support) external { _count(id, support, token.getPastVotes(msg.sender, counts[id].start)); }
    function forget(bytes32 id) external { hasVoted[id][msg.sender] = false; }
}

/// The receipt of a vote contains the choice, and never that there was one.
contract ReceiptBallots is Ballots {
    struct Receipt { bool hasVoted; uint8 choice; }
    Weights public immutable token;
    mapping(bytes32 => mapping(address => Receipt)) private receipts;
    constructor(Weights token_) { token = token_; }
    function vote(bytes32 id, bool support) external {
        uint256 weight = token.getPastVotes(msg.sender, counts[id].start);
        Count storage count = counts[id];
        require(block.timestamp <= count.deadline);
        require(!receipts[id][msg.sender].hasVoted);
        receipts[id][msg.sender].choice = 1;
        if (support) count.support += weight; else count.against += weight;
    }
}

/// The same with the whole receipt, behind the count.
contract HonestReceipts is Ballots {
    struct Receipt { bool hasVoted; uint8 choice; uint96 votes; }
    Weights public immutable token;
    mapping(bytes32 => mapping(address => Receipt)) private receipts;
    constructor(Weights token_) { token = token_; }
    function vote(bytes32 id, bool support, uint8 choice) external {
        uint256 weight = token.getPastVotes(msg.sender, counts[id].start);
        Count storage count = counts[id];
        require(block.timestamp <= count.deadline);
        Receipt storage receipt = receipts[id][msg.sender];
        require(!receipt.hasVoted);
        if (support) count.support += weight; else count.against += weight;
        receipt.hasVoted = true;
        receipt.choice = choice;
        receipt.votes = uint96(weight);
    }
}

/// What is recorded lies next to what is tested.
contract MisplacedReceipts is Ballots {
    struct Receipt { uint256 hasVoted; uint256 votes; }
    Weights public immutable token;
    mapping(bytes32 => mapping(address => Receipt)) private receipts;
    constructor(Weights token_) { token = token_; }
    function vote(bytes32 id, bool support) external {
        uint256 weight = token.getPastVotes(msg.sender, counts[id].start);
        Count storage count = counts[id];
        require(block.timestamp <= count.deadline);
        Receipt storage receipt = receipts[id][msg.sender];
        require(receipt.hasVoted == 0);
        receipt.votes = 1;
        if (support) count.support += weight; else count.against += weight;
    }
}

/// The votes against a proposal can be removed: what is tested is not set.
contract ForgetfulBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function clean(bytes32 id) external {
        Count storage count = counts[id];
        require(!count.isExecuted);
        count.against = 0;
    }
}
/// A new proposal begins with no votes. The honest form.
contract StartingBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function propose(address target, bytes calldata data) external override {
        Count storage count = counts[keccak256(abi.encode(target, data))];
        require(!count.isProposed);
        count.isProposed = true;
        count.against = 0;
        count.support = 0;
        count.deadline = block.timestamp + 1 weeks;
        count.start = block.number;
    }
}

/// A library weighs votes by what it finds in the storage of the governor.
contract LibraryBallots is Ballots {
    address public immutable token;
    mapping(address => uint256) private notes;
    constructor(address token_) { token = token_; }
    function note(uint256 value) external { notes[msg.sender] = value; }
    function vote(bytes32 id, bool support) external {
        (bool ok, bytes memory answer) = token.delegatecall(abi.encodeCall(Weights.getPastVotes, (msg.sender, counts[id].start)));
        require(ok && answer.length >= 32);
        _count(id, support, abi.decode(answer, (uint256)));
    }
}
contract StoredWeights {
    mapping(bytes32 => bytes32) private unused0;
    mapping(bytes32 => bytes32) private unused1;
    mapping(address => uint256) private weights;
    function getPastVotes(address account, uint256) external view returns (uint256) { return weights[account]; }
}
/// The same in assembly, as a question of one word.
contract LibraryWordBallots is Ballots {
    address public immutable token;
    mapping(address => uint256) private notes;
    constructor(address token_) { token = token_; }
    function note(uint256 value) external { notes[msg.sender] = value; }
    function vote(bytes32 id, bool support) external {
        address at = token;
        uint256 start = counts[id].start;
        uint256 weight;
        assembly {
            let input := mload(0x40)
            mstore(input, 0x3a46b1a800000000000000000000000000000000000000000000000000000000)
            mstore(add(input, 4), caller())
            mstore(add(input, 36), start)
            if iszero(delegatecall(gas(), at, input, 68, 0, 32)) { revert(0, 0) }
            if lt(returndatasize(), 32) { revert(0, 0) }
            weight := mload(0)
        }
        _count(id, support, weight);
    }
}

/// A queue whose key is a number that the caller chooses.
contract SaltQueue {
    uint256 public delay = 2 days;
    address public admin;
    uint256 public constant GRACE_PERIOD = 14 days;
    mapping(bytes32 => uint256) private times;
    constructor(address admin_) { admin = admin_; }
    function queueTransaction(address, uint256, string calldata, bytes calldata, uint256 eta) external {
        require(msg.sender == admin);
        require(eta >= block.timestamp + delay);
        times[keccak256(abi.encode(eta))] = eta;
    }
    function executeTransaction(address target, uint256, string calldata, bytes calldata data, uint256 eta) external {
        uint256 time = times[keccak256(abi.encode(eta))];
        require(time > 1 && time <= block.timestamp);
        (bool ok, ) = target.call(data);
        require(ok);
    }
}

/// The time is checked when it is queued and when it is executed, and is not part of the key.
contract LooseTimeQueue {
    uint256 public delay = 2 days;
    address public admin;
    uint256 public constant GRACE_PERIOD = 14 days;
    mapping(bytes32 => bool) public queuedTransactions;
    constructor(address admin_) { admin = admin_; }
    function queueTransaction(address target, uint256, string calldata, bytes calldata data, uint256 eta) external {
        require(msg.sender == admin);
        require(eta >= block.timestamp + delay);
        queuedTransactions[keccak256(abi.encode(target, keccak256(data)))] = true;
    }
    function executeTransaction(address target, uint256, string calldata, bytes calldata data, uint256 eta) external {
        require(msg.sender == admin);
        bytes32 key = keccak256(abi.encode(target, keccak256(data)));
        require(queuedTransactions[key]);
        require(eta <= block.timestamp);
        queuedTransactions[key] = false;
        (bool ok, ) = target.call(data);
        require(ok);
    }
}

/// The time is in the key. The honest form of both queues.
contract BoundQueue {
    uint256 public delay = 2 days;
    address public admin;
    uint256 public constant GRACE_PERIOD = 14 days;
    mapping(bytes32 => bool) public queuedTransactions;
    constructor(address admin_) { admin = admin_; }
    function queueTransaction(address target, uint256, string calldata, bytes calldata data, uint256 eta) external {
        require(msg.sender == admin);
        require(eta >= block.timestamp + delay);
        queuedTransactions[keccak256(abi.encode(target, keccak256(data), eta))] = true;
    }
    function executeTransaction(address target, uint256, string calldata, bytes calldata data, uint256 eta) external {
        require(msg.sender == admin);
        bytes32 key = keccak256(abi.encode(target, keccak256(data), eta));
        require(queuedTransactions[key]);
        require(eta <= block.timestamp);
        queuedTransactions[key] = false;
        (bool ok, ) = target.call(data);
        require(ok);
    }
}

/// A call proxy that changes the first byte of its input.
contract ScramblingCaller {
    address private target;
    address private immutable key;
    constructor(address target_, address key_) { target = target_; key = key_; }
    fallback() external payable {
        if (msg.sender == key && msg.data.length == 20) { target = address(bytes20(msg.data)); return; }
        address to = target;
        assembly {
            mstore(0, xor(calldataload(0), 0x8000000000000000000000000000000000000000000000000000000000000000))
            calldatacopy(32, 32, calldatasize())
            let ok := call(gas(), to, callvalue(), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
}
