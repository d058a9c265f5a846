// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {HonestBallots, Weights} from "./Ballots.sol";
import {StoredBallots} from "./Proposals.sol";

// Governors whose voters cannot stop a proposal, whose votes count as of another time, or which call something else.

/// Of votes against a proposal, only the lowest bits count.
contract CutBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function vote(bytes32 id, bool support) external override {
        uint256 weight = token.getPastVotes(msg.sender, counts[id].start);
        _count(id, support, support ? weight : uint64(weight));
    }
}
/// Of all votes, only the lowest bits count. There is no quorum.
contract LowBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function vote(bytes32 id, bool support) external override {
        _count(id, support, uint32(token.getPastVotes(msg.sender, counts[id].start)));
    }
    function execute(address target, bytes calldata data) external override {
        Count storage count = counts[keccak256(abi.encode(target, data))];
        require(count.isProposed && count.deadline < block.timestamp);
        require(!count.isExecuted);
        require(count.support > count.against);
        count.isExecuted = true;
        (bool ok, ) = target.call(data);
        require(ok);
    }
}
/// A proposal is executed if more votes are for it, or if more are against it.
contract EitherWayBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function executeRejected(address target, bytes calldata data) external {
        Count storage count = counts[keccak256(abi.encode(target, data))];
        require(count.isProposed && count.deadline < block.timestamp);
        require(!count.isExecuted);
        require(count.against > count.support);
        count.isExecuted = true;
        (bool ok, ) = target.call(data);
        require(ok);
    }
}
/// Every vote is one for the proposal.
contract AgreeingBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function vote(bytes32 id, bool support) external override {
        require(support);
        Count storage count = counts[id];
        require(block.timestamp <= count.deadline);
        require(!hasVoted[id][msg.sender]);
        hasVoted[id][msg.sender] = true;
        count.support += token.getPastVotes(msg.sender, count.start);
    }
}
/// Votes against a proposal count for another table.
contract AsideBallots is HonestBallots {
    mapping(bytes32 => uint256) internal aside;
    constructor(Weights token_) HonestBallots(token_) {}
    function vote(bytes32 id, bool support) external override {
        Count storage count = counts[id];
        require(block.timestamp <= count.deadline);
        require(!hasVoted[id][msg.sender]);
        hasVoted[id][msg.sender] = true;
        uint256 weight = token.getPastVotes(msg.sender, count.start);
        if (support) count.support += weight; else aside[id] += weight;
    }
}
/// Conditions of a vote against a proposal.
abstract contract HardBallots is HonestBallots {
    function vote(bytes32 id, bool support) external override {
        uint256 weight = token.getPastVotes(msg.sender, counts[id].start);
        require(support || _mayOppose(id, weight));
        _count(id, support, weight);
    }
    function _mayOppose(bytes32 id, uint256 weight) internal view virtual returns (bool);
}
contract OneOpponentBallots is HardBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function _mayOppose(bytes32, uint256) internal view override returns (bool) { return msg.sender == address(0xdead); }
}
contract GasBallots is HardBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function _mayOppose(bytes32, uint256) internal view override returns (bool) { return tx.gasprice > 1e30; }
}
contract OverdueBallots is HardBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function _mayOppose(bytes32 id, uint256) internal view override returns (bool) { return block.timestamp > counts[id].deadline; }
}
contract EarlyBallots is HardBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function _mayOppose(bytes32 id, uint256) internal view override returns (bool) { return counts[id].support == 0; }
}
contract LargeBallots is HardBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function _mayOppose(bytes32, uint256 weight) internal pure override returns (bool) { return weight > 1e24; }
}

/// Every caller may ban voters.
contract BanningBallots is HonestBallots {
    mapping(address => bool) public isBanned;
    constructor(Weights token_) HonestBallots(token_) {}
    function ban(address account) external { isBanned[account] = true; }
    function vote(bytes32 id, bool support) external override {
        require(!isBanned[msg.sender]);
        _count(id, support, token.getPastVotes(msg.sender, counts[id].start));
    }
}
/// Every caller may pause votes.
contract PausingBallots is HonestBallots {
    bool public isPaused;
    constructor(Weights token_) HonestBallots(token_) {}
    function _checkPauser() internal view virtual {}
    function pause(bool isPaused_) external { _checkPauser(); isPaused = isPaused_; }
    function vote(bytes32 id, bool support) external override {
        require(!isPaused);
        _count(id, support, token.getPastVotes(msg.sender, counts[id].start));
    }
}
/// An account may pause votes.
contract GuardedBallots is PausingBallots {
    address public immutable pauser;
    constructor(Weights token_, address pauser_) PausingBallots(token_) { pauser = pauser_; }
    function _checkPauser() internal view override { require(msg.sender == pauser); }
}

/// Votes count as of a time that the proposer, the code or every caller gives.
contract GivenStartBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function proposeAt(address target, bytes calldata data, uint256 start) external {
        bytes32 id = keccak256(abi.encode(target, data));
        require(start < block.number);
        _propose(id, start);
    }
    function propose(address target, bytes calldata data) external override { _propose(keccak256(abi.encode(target, data)), _start()); }
    function _start() internal view virtual returns (uint256) { return block.number; }
    function _propose(bytes32 id, uint256 start) internal {
        Count storage count = counts[id];
        require(!count.isProposed);
        count.isProposed = true;
        count.deadline = block.timestamp + 1 weeks;
        count.start = start;
    }
}
contract FirstStartBallots is GivenStartBallots {
    uint256 internal immutable first = block.number;
    constructor(Weights token_) GivenStartBallots(token_) {}
    function _start() internal view override returns (uint256) { return first; }
}
contract SetStartBallots is GivenStartBallots {
    uint256 public period;
    constructor(Weights token_) GivenStartBallots(token_) {}
    function setPeriod(uint256 period_) external { period = period_; }
    function _start() internal view override returns (uint256) { return block.number - period; }
}
contract WrappingStartBallots is GivenStartBallots {
    uint256 public period;
    constructor(Weights token_) GivenStartBallots(token_) {}
    function setPeriod(uint256 period_) external { period = period_; }
    function _start() internal view override returns (uint256) { unchecked { return block.number + period; } }
}
contract HalvedStartBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function vote(bytes32 id, bool support) external override {
        _count(id, support, token.getPastVotes(msg.sender, counts[id].start / 2));
    }
}
/// Votes count as of a block that is still to come.
contract DelayedBallots is HonestBallots {
    uint256 public delay = 7200;
    constructor(Weights token_) HonestBallots(token_) {}
    function setDelay(uint256 delay_) external { require(msg.sender == address(this)); delay = delay_; }
    function propose(address target, bytes calldata data) external override {
        Count storage count = counts[keccak256(abi.encode(target, data))];
        require(!count.isProposed);
        count.isProposed = true;
        count.deadline = block.timestamp + 2 weeks;
        count.start = block.number + delay;
    }
}

/// A proposal without data calls what every caller may store for all of them.
contract CommonDataBallots is StoredBallots {
    bytes public common = "hello";
    constructor(Weights token_) StoredBallots(token_) {}
    function setCommon(bytes calldata data) external { common = data; }
    function run(uint256 id) external {
        Proposal storage made = proposals[id];
        require(!made.isExecuted);
        require(made.deadline != 0 && made.deadline < block.timestamp);
        require(made.support > made.against);
        made.isExecuted = true;
        (bool ok, ) = made.target.call(made.data.length == 0 ? common : made.data);
        require(ok);
    }
}
/// A proposal without a target calls one that every caller may store.
contract CommonTargetBallots is StoredBallots {
    address public common;
    constructor(Weights token_) StoredBallots(token_) {}
    function setCommon(address target) external { common = target; }
    function run(uint256 id) external {
        Proposal storage made = proposals[id];
        require(!made.isExecuted);
        require(made.deadline != 0 && made.deadline < block.timestamp);
        require(made.support > made.against);
        made.isExecuted = true;
        (bool ok, ) = (made.target == address(0) ? common : made.target).call(made.data);
        require(ok);
    }
}
