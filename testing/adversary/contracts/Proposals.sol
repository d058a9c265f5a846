// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {HonestBallots, Weights} from "./Ballots.sol";
import {LockedBallots, QuickLock} from "./Walks.sol";

/// A proposal that has passed is not marked.
contract RepeatingBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function execute(address target, bytes calldata data) external override {
        Count storage count = counts[keccak256(abi.encode(target, data))];
        require(count.isProposed && count.deadline < block.timestamp);
        require(count.support > count.against);
        require(count.support >= QUORUM);
        (bool ok, ) = target.call(data);
        require(ok);
    }
}
/// It is marked unless the price of gas is one number.
contract SometimesMarkedBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function execute(address target, bytes calldata data) external override {
        Count storage count = counts[keccak256(abi.encode(target, data))];
        require(count.isProposed && count.deadline < block.timestamp);
        require(!count.isExecuted);
        require(count.support > count.against);
        require(count.support >= QUORUM);
        if (tx.gasprice != 7) count.isExecuted = true;
        (bool ok, ) = target.call(data);
        require(ok);
    }
}
/// The mark can be removed.
contract ReopeningBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function reopen(bytes32 id) external { counts[id].isExecuted = false; }
}
/// A contract executes at once what passed, as often as the governor is asked.
contract RepeatingLockBallots is LockedBallots {
    constructor(Weights token_, QuickLock lock) LockedBallots(token_, lock) {}
    function execute(address target, bytes calldata data) external override {
        Count storage count = counts[keccak256(abi.encode(target, data))];
        require(count.isProposed && count.deadline < block.timestamp);
        require(count.support > count.against);
        require(count.support >= QUORUM);
        timelock.execute(target, data);
    }
}

/// The time as of which votes count can be changed.
contract MovedStartBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function move(bytes32 id) external { counts[id].start = block.number - 1; }
}
/// The same as long as the proposal is not executed.
contract ProposedAgainBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function move(bytes32 id) external {
        Count storage count = counts[id];
        require(!count.isExecuted);
        count.start = block.number - 1;
    }
}
/// The end of a vote can be changed.
contract EndedBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function end(bytes32 id) external { counts[id].deadline = block.timestamp - 1; }
}

/// A governor that stores what its proposals call, by their numbers.
contract StoredBallots {
    struct Proposal { uint256 against; uint256 support; uint256 deadline; uint256 start; bool isExecuted; address target; bytes data; }
    uint256 internal constant QUORUM = 4e23;
    Weights public immutable token;
    uint256 public proposalCount;
    mapping(uint256 => Proposal) internal proposals;
    mapping(uint256 => mapping(address => bool)) internal hasVoted;
    constructor(Weights token_) { token = token_; }
    function votingDelay() external pure returns (uint256) { return 7200; }
    function votingPeriod() external pure returns (uint256) { return 50400; }
    function propose(address target, bytes calldata data) external virtual {
        Proposal storage made = proposals[++proposalCount];
        made.deadline = block.timestamp + 1 weeks;
        made.start = block.number;
        made.target = target;
        made.data = data;
    }
    function vote(uint256 id, bool support) external {
        Proposal storage voted = proposals[id];
        require(block.timestamp <= voted.deadline);
        require(!hasVoted[id][msg.sender]);
        hasVoted[id][msg.sender] = true;
        uint256 weight = token.getPastVotes(msg.sender, voted.start);
        if (support) voted.support += weight; else voted.against += weight;
    }
    function execute(uint256 id) external {
        Proposal storage made = proposals[id];
        require(!made.isExecuted);
        require(made.deadline != 0 && made.deadline < block.timestamp);
        require(made.support > made.against);
        require(made.support >= QUORUM);
        made.isExecuted = true;
        (bool ok, ) = made.target.call(made.data);
        require(ok);
    }
}
/// The votes for one proposal let every caller execute another one.
contract SwappedBallots is StoredBallots {
    constructor(Weights token_) StoredBallots(token_) {}
    function execute(uint256 id, uint256 passed) external {
        Proposal storage made = proposals[id];
        Proposal storage other = proposals[passed];
        require(!made.isExecuted);
        require(made.deadline != 0 && made.deadline < block.timestamp);
        require(other.support > other.against);
        require(other.support >= QUORUM);
        made.isExecuted = true;
        (bool ok, ) = made.target.call(made.data);
        require(ok);
    }
}
/// A proposal that has passed calls its target with the data of another one.
contract SwappedDataBallots is StoredBallots {
    constructor(Weights token_) StoredBallots(token_) {}
    function execute(uint256 id, uint256 other) external {
        Proposal storage made = proposals[id];
        require(!made.isExecuted);
        require(made.deadline != 0 && made.deadline < block.timestamp);
        require(made.support > made.against);
        require(made.support >= QUORUM);
        made.isExecuted = true;
        (bool ok, ) = made.target.call(proposals[other].data);
        require(ok);
    }
}
/// Any caller changes the account that a proposal calls.
contract EditedTargetBallots is StoredBallots {
    constructor(Weights token_) StoredBallots(token_) {}
    function edit(uint256 id, address target) external { proposals[id].target = target; }
}
/// Any caller changes what a proposal calls it with.
contract EditedDataBallots is StoredBallots {
    constructor(Weights token_) StoredBallots(token_) {}
    function edit(uint256 id, bytes calldata data) external { proposals[id].data = data; }
}
/// Any caller changes one byte of it.
contract PatchedDataBallots is StoredBallots {
    constructor(Weights token_) StoredBallots(token_) {}
    function patch(uint256 id, uint256 at, bytes1 value) external { proposals[id].data[at] = value; }
}
/// A proposal that has passed lets every caller call whatever it likes, from lists in memory.
contract GivenCallsBallots is StoredBallots {
    constructor(Weights token_) StoredBallots(token_) {}
    function execute(uint256 id, address[] memory targets, bytes[] memory data) external {
        Proposal storage made = proposals[id];
        require(!made.isExecuted);
        require(made.deadline != 0 && made.deadline < block.timestamp);
        require(made.support > made.against);
        require(made.support >= QUORUM);
        made.isExecuted = true;
        for (uint256 n; n < targets.length; ++n) {
            (bool ok, ) = targets[n].call(data[n]);
            require(ok);
        }
    }
}
/// A proposal that has passed calls its target with data that the caller gives.
contract GivenDataBallots is StoredBallots {
    constructor(Weights token_) StoredBallots(token_) {}
    function execute(uint256 id, bytes memory data) external {
        Proposal storage made = proposals[id];
        require(!made.isExecuted);
        require(made.deadline != 0 && made.deadline < block.timestamp);
        require(made.support > made.against);
        require(made.support >= QUORUM);
        made.isExecuted = true;
        (bool ok, ) = made.target.call(data);
        require(ok);
    }
}
/// The caller gives two numbers, one of a proposal that has passed, and calls whatever it likes.
contract ChosenNumberBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function run(bytes32 first, bytes32 second, bool isFirst, address target, bytes calldata data) external {
        _pass(isFirst ? first : second);
        (bool ok, ) = target.call(data);
        require(ok);
    }
}
