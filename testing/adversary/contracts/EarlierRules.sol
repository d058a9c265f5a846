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
    function queueTransaction(address target, uint256 value, string calldata signature, bytes calldata data, uint256 eta) external {
        require(_isQueuer() && eta >= block.timestamp + delay);
        bytes32 id = keccak256(abi.encode(target, value, data, eta));
        times[id] = eta;
        _report(id, target, value, signature, data, eta);
    }
    function executeTransaction(address target, uint256 value, string calldata, bytes calldata data, uint256 eta) external {
        _check();
        bytes32 id = keccak256(abi.encode(target, value, data, eta));
        uint256 time = times[id];
        require(time > 1 && time <= block.timestamp);
        delete times[id];
        (bool ok,) = target.call(data);
        require(ok);
    }
    function settle(uint256 delay_, address admin_) external { require(msg.sender == address(this)); delay = delay_; _replace(admin_); }
    function _isQueuer() internal view virtual returns (bool) { return msg.sender == admin; }
    function _replace(address admin_) internal virtual { admin = admin_; }
    function _report(bytes32, address, uint256, string calldata, bytes calldata, uint256) internal virtual {}
    function _check() internal view virtual {}
}
/// Reports what is queued. Its first administrator waits too.
contract LeftQueue is RaisedQueue {
    event QueueTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta);
    constructor(address admin_) RaisedQueue(admin_) { delay = 2 days; }
    function _report(bytes32 id, address target, uint256 value, string calldata signature, bytes calldata data, uint256 eta) internal override {
        emit QueueTransaction(id, target, value, signature, data, eta);
    }
}
/// A list of accounts may queue.
contract WardQueue is LeftQueue {
    mapping(address => uint256) public wards;
    address private first;
    event Rely(address indexed usr);
    event Deny(address indexed usr);
    constructor(address admin_) LeftQueue(address(0xdead)) { first = admin_; wards[admin_] = 1; emit Rely(admin_); }
    function _isQueuer() internal view override returns (bool) { return wards[msg.sender] == 1; }
    function _replace(address admin_) internal override { wards[admin_] = 1; emit Rely(admin_); wards[first] = 0; emit Deny(first); }
}
/// Only the present administrator executes what is due.
contract HeldQueue is LeftQueue {
    constructor(address admin_) LeftQueue(admin_) {}
    function _check() internal view override { require(msg.sender == admin); }
}

/// The token is set once.
contract FirstTokenBallots is Ballots {
    Weights public token;
    bool private isSettled;
    constructor(Weights first) { token = first; }
    function vote(bytes32 id, bool support) external { _count(id, support, token.getPastVotes(msg.sender, counts[id].start)); }
    function settle(Weights last) external { require(!isSettled); isSettled = true; token = last; }
}
