// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Forwarding} from "./Base.sol";
import {HonestBallots, Weights} from "./Ballots.sol";
import {CheckpointToken} from "./Checkpoints.sol";

/// Votes count as of the block before the vote.
contract LateBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function vote(bytes32 id, bool support) external override { _count(id, support, token.getPastVotes(msg.sender, block.number - 1)); }
}
interface PresentWeights {
    function getVotes(address account) external view returns (uint256);
    function balanceOf(address account) external view returns (uint96);
}
/// The votes that an account has now.
contract PresentBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function vote(bytes32 id, bool support) external override { _count(id, support, PresentWeights(address(token)).getVotes(msg.sender)); }
}
/// The tokens that it has now.
contract BalanceBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function vote(bytes32 id, bool support) external override { _count(id, support, PresentWeights(address(token)).balanceOf(msg.sender)); }
}
/// The votes as of the block of the proposal in one function, and those of now in another.
contract SometimesPresentBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function voteNow(bytes32 id, bool support) external { _count(id, support, PresentWeights(address(token)).getVotes(msg.sender)); }
}

/// The votes now, whatever the time.
contract PresentVotes is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function getPastVotes(address account, uint256) public view override returns (uint256) {
        uint32 count = numCheckpoints[account];
        return count == 0 ? 0 : checkpoints[account][count - 1].votes;
    }
}
/// The balance now.
contract PresentBalance is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function getPastVotes(address account, uint256) public view override returns (uint256) { return balanceOf[account]; }
}
/// The votes one block ago.
contract RecentVotes is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function getPastVotes(address account, uint256) public view override returns (uint256) { return super.getPastVotes(account, block.number - 1); }
}

/// Votes that only the owner gives and takes.
contract Members {
    address public owner;
    mapping(address => uint256) internal votes;
    constructor(address owner_) { owner = owner_; }
    function getVotes(address account) external view returns (uint256) { return votes[account]; }
    function setVotes(address account, uint256 amount) external { require(msg.sender == owner); votes[account] = amount; }
}
/// A member gives its votes to another account.
contract LeavingMembers is Members {
    constructor(address owner_) Members(owner_) {}
    function leave(address to) external {
        uint256 amount = votes[msg.sender];
        votes[msg.sender] = 0;
        votes[to] += amount;
    }
}
/// All accounts have the votes of one.
contract SharedVotes is CheckpointToken {
    address private immutable first;
    constructor(address holder) CheckpointToken(holder) { first = holder; }
    function getPastVotes(address, uint256 time) public view override returns (uint256) { return super.getPastVotes(first, time); }
}
/// A proxy that gives its callers votes, next to what the token behind it does.
contract GivingProxy is Forwarding {
    mapping(address => mapping(uint32 => uint256)) private checkpoints;
    mapping(address => uint32) private numCheckpoints;
    address private immutable logic;
    constructor(address logic_) { logic = logic_; }
    function take() external {
        checkpoints[msg.sender][0] = block.number | (1e24 << 32);
        numCheckpoints[msg.sender] = 1;
    }
    fallback() external payable { _delegate(logic); }
}
