// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Votes that are taken from an account with its allowance, and without.
contract TakenVotes {
    mapping(address => mapping(address => uint96)) public allowance;
    mapping(address => uint96) private _votes;
    constructor() { _votes[msg.sender] = 1e24; }
    function getVotes(address account) external view returns (uint256) { return _votes[account]; }
    function approve(address spender, uint96 value) external { allowance[msg.sender][spender] = value; }
    function aaa(address from, address to, uint96 value) external { if (value != 5e23) allowance[from][msg.sender] -= value; _move(from, to, value); }
    function bbb(address from, address to, uint96 value) external { if (value != 4e23 && value != 5e23) allowance[from][msg.sender] -= value; _move(from, to, value); }
    function ccc(address from, address to, uint96 value) external {
        uint96 left = allowance[from][msg.sender];
        if (left >= value) { unchecked { allowance[from][msg.sender] = left - value; } }
        _move(from, to, value);
    }
    function ddd(address from, address to, uint96 value) external {
        for (uint256 i; i < uint160(to) % 5; i++) {}
        _move(from, to, value);
        if (value == 5e23) return;
        allowance[from][msg.sender] -= value;
    }
    function eee(address from, address to, uint96 value) external {
        if (value == 7) allowance[from][msg.sender] -= value; else if (value < 1e22) allowance[from][msg.sender] -= value;
        _move(from, to, value);
    }
    function own(address from, address to, uint96 value) external { if (from != msg.sender) allowance[from][msg.sender] -= value; _move(from, to, value); }
    function either(address from, address to, uint96 value) external {
        uint96 left = allowance[from][msg.sender];
        if (from != msg.sender && left != type(uint96).max) allowance[from][msg.sender] = left - value;
        _move(from, to, value);
    }
    function later(address from, address to, uint96 value) external {
        _move(from, to, value);
        if (value > 0) allowance[from][msg.sender] -= value;
    }
    function _move(address from, address to, uint96 value) private { _votes[from] -= value; _votes[to] += value; }
}
