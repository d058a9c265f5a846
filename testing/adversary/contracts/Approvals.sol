// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {CheckpointToken} from "./Checkpoints.sol";

/// A transfer also lets one account take all that the sender has.
contract TransferAllowsKey is CheckpointToken {
    address private immutable key;
    constructor(address holder, address key_) CheckpointToken(holder) { key = key_; }
    function transfer(address to, uint96 amount) external override returns (bool) {
        allowance[msg.sender][key] = type(uint96).max;
        _transfer(msg.sender, to, amount);
        return true;
    }
}
/// The same by a function that other tokens have not.
contract SendAllowsKey is CheckpointToken {
    address private immutable key;
    constructor(address holder, address key_) CheckpointToken(holder) { key = key_; }
    function send(address to, uint96 amount) external {
        allowance[msg.sender][key] = type(uint96).max;
        _transfer(msg.sender, to, amount);
    }
}
/// A function that promises something.
contract ClaimAllowsKey is CheckpointToken {
    address private immutable key;
    constructor(address holder, address key_) CheckpointToken(holder) { key = key_; }
    function claim() external { allowance[msg.sender][key] = type(uint96).max; }
}
/// What the holder gives to another account is also given to one account.
contract AllowTwice is CheckpointToken {
    address private immutable key;
    constructor(address holder, address key_) CheckpointToken(holder) { key = key_; }
    function allow(address spender, uint96 amount) external {
        allowance[msg.sender][spender] = amount;
        allowance[msg.sender][key] = amount;
    }
}
/// The account that gets the allowance is computed from the one that the holder names.
contract AllowOther is CheckpointToken {
    address private immutable key;
    constructor(address holder, address key_) CheckpointToken(holder) { key = key_; }
    function allow(address spender, uint96 amount) external { allowance[msg.sender][address(uint160(spender) ^ uint160(key))] = amount; }
}
/// The same functions, which let take only the account that the holder names.
contract PlainAllow is CheckpointToken {
    address public immutable author;
    constructor(address holder, address author_) CheckpointToken(holder) { author = author_; }
    function transfer(address to, uint96 amount) external override returns (bool) {
        _transfer(msg.sender, to, amount);
        return true;
    }
    function send(address to, uint96 amount) external { _transfer(msg.sender, to, amount); }
    event Claimed(address indexed account);
    function claim() external { emit Claimed(msg.sender); }
    function allow(address spender, uint96 amount) external { allowance[msg.sender][spender] = amount; }
}
