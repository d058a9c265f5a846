// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Ballots} from "./Ballots.sol";
import {CheckpointToken} from "./SignedVotes.sol";

interface PastWeights { function getPastVotes(address account, uint256 time) external view returns (uint256); }

/// Votes count as of the block of the proposal, and half of all votes must be for it.
contract PastBallots is Ballots {
    PastWeights public immutable token;
    mapping(bytes32 => uint256) internal starts;
    constructor(PastWeights token_) { token = token_; }
    function propose(address target, bytes calldata data) external override {
        bytes32 id = keccak256(abi.encode(target, data));
        require(counts[id].deadline == 0);
        counts[id].deadline = block.timestamp + 1 weeks;
        starts[id] = block.number;
    }
    function execute(address target, bytes calldata data) external override {
        Count storage count = counts[keccak256(abi.encode(target, data))];
        require(count.deadline != 0 && count.deadline < block.timestamp);
        require(count.support > count.against);
        require(count.support > 5e23);
        (bool ok, ) = target.call(data);
        require(ok);
    }
    function vote(bytes32 id, bool support) external virtual { _count(id, support, token.getPastVotes(msg.sender, starts[id])); }
}
/// Votes count as of the block before the vote.
contract LateBallots is PastBallots {
    constructor(PastWeights token_) PastBallots(token_) {}
    function vote(bytes32 id, bool support) external override { _count(id, support, token.getPastVotes(msg.sender, block.number - 1)); }
}

contract PastToken is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function getPastVotes(address account, uint256 time) public view virtual returns (uint256) {
        require(time < block.number);
        uint32 count = numCheckpoints[account];
        if (count == 0) return 0;
        if (checkpoints[account][count - 1].fromBlock <= time) return checkpoints[account][count - 1].votes;
        if (checkpoints[account][0].fromBlock > time) return 0;
        uint32 lower = 0;
        uint32 upper = count - 1;
        while (upper > lower) {
            uint32 center = upper - (upper - lower) / 2;
            Checkpoint memory found = checkpoints[account][center];
            if (found.fromBlock == time) return found.votes;
            if (found.fromBlock < time) lower = center; else upper = center - 1;
        }
        return checkpoints[account][lower].votes;
    }
}
/// The votes now, whatever the time.
contract PresentVotes is PastToken {
    constructor(address holder) PastToken(holder) {}
    function getPastVotes(address account, uint256) public view override returns (uint256) {
        uint32 count = numCheckpoints[account];
        return count == 0 ? 0 : checkpoints[account][count - 1].votes;
    }
}
/// The balance now.
contract PresentBalance is PastToken {
    constructor(address holder) PastToken(holder) {}
    function getPastVotes(address account, uint256) public view override returns (uint256) { return balanceOf[account]; }
}
/// The votes one block ago.
contract RecentVotes is PastToken {
    constructor(address holder) PastToken(holder) {}
    function getPastVotes(address account, uint256) public view override returns (uint256) { return super.getPastVotes(account, block.number - 1); }
}
/// The votes for one proposal let every caller execute another one.
contract SwappedBallots {
    struct Proposal { uint256 against; uint256 support; uint256 deadline; uint256 start; address target; bytes data; }
    PastWeights public immutable token;
    uint256 public proposalCount;
    mapping(uint256 => Proposal) internal proposals;
    mapping(uint256 => mapping(address => bool)) internal hasVoted;
    constructor(PastWeights token_) { token = token_; }
    function votingDelay() external pure returns (uint256) { return 7200; }
    function votingPeriod() external pure returns (uint256) { return 50400; }
    function propose(address target, bytes calldata data) external {
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
    function execute(uint256 id, uint256 passed) external {
        Proposal storage made = proposals[id];
        require(made.deadline != 0 && made.deadline < block.timestamp);
        require(proposals[passed].support > proposals[passed].against);
        (bool ok, ) = made.target.call(made.data);
        require(ok);
    }
}
