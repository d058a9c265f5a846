// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Ballots, Weights} from "./Ballots.sol";

// Entries stay that were made when a delay was shorter, or when another contract weighed the votes.

/// The queue itself changes its administrator and its delay. Any account executes what is due.
contract RaisedQueue {
    uint256 public delay;
    address public admin;
    uint256 public constant GRACE_PERIOD = 14 days;
    mapping(bytes32 => uint256) public times;
    constructor(address admin_) { admin = admin_; }
    function queueTransaction(address target, uint256 value, string calldata, bytes calldata data, uint256 eta) external {
        require(msg.sender == admin && eta >= block.timestamp + delay);
        times[keccak256(abi.encode(target, value, data, eta))] = eta;
    }
    function executeTransaction(address target, uint256 value, string calldata, bytes calldata data, uint256 eta) external {
        bytes32 id = keccak256(abi.encode(target, value, data, eta));
        uint256 time = times[id];
        require(time > 1 && time <= block.timestamp);
        delete times[id];
        (bool ok,) = target.call(data);
        require(ok);
    }
    function settle(uint256 delay_, address admin_) external { require(msg.sender == address(this)); delay = delay_; admin = admin_; }
}

/// The token is set once.
contract FirstTokenBallots is Ballots {
    Weights public token;
    bool private isSettled;
    constructor(Weights first) { token = first; }
    function vote(bytes32 id, bool support) external { _count(id, support, token.getPastVotes(msg.sender, counts[id].start)); }
    function settle(Weights last) external { require(!isSettled); isSettled = true; token = last; }
}
