// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {PlainToken} from "HiddenPowers.sol";

// Functions that every caller may use and that give assets away, and their twins, which take as much in return.

interface IAsset {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function approve(address spender, uint256 value) external returns (bool);
    function balanceOf(address account) external view returns (uint256);
}

/// Every caller takes the Ether.
contract OpenEther {
    receive() external payable {}
    function aaa() external { payable(msg.sender).transfer(address(this).balance); }
    function bbb(address payable to, uint256 value) external { (bool isSent, ) = to.call{value: value}(""); require(isSent); }
    function ccc(bytes memory code) external { assembly { pop(create(selfbalance(), add(code, 32), mload(code))) } }
}

/// Every caller takes the tokens of depositors, or those that accounts have approved.
contract OpenShares {
    IAsset private immutable ASSET;
    mapping(address => uint256) private _shares;
    constructor(IAsset asset) { ASSET = asset; }
    function put(uint256 value) external { ASSET.transferFrom(msg.sender, address(this), value); _shares[msg.sender] += value; }
    function out(uint256 value) external { _shares[msg.sender] -= value; ASSET.transfer(msg.sender, value); }
    function aaa(uint256 value) external { ASSET.transfer(msg.sender, value); }
    function bbb(address to) external { ASSET.approve(to, type(uint256).max); }
    function ccc(IAsset asset, address from, address to, uint256 value) external { asset.transferFrom(from, to, value); }
    function ddd(IAsset asset, address to) external { asset.transfer(to, asset.balanceOf(address(this))); }
    function eee(int256 value, bytes calldata) external { ASSET.transfer(msg.sender, uint256(value)); }
}

/// Every caller makes the contract call anything.
contract OpenCalls {
    receive() external payable {}
    function aaa(address to, bytes calldata data, uint256 value) external { (bool isDone, ) = to.call{value: value}(data); require(isDone); }
    function bbb(address to, bytes calldata data) external returns (bytes memory) { (bool isDone, bytes memory result) = to.call(data); require(isDone); return result; }
}

/// Every caller has as many units as it likes, or those of others.
contract OpenToken is PlainToken {
    constructor(address victim) { _mint(victim, 1000); }
    function aaa(address account, uint256 value) external { balanceOf[account] = value; }
    function bbb(uint256 value) external { _mint(msg.sender, value); }
    function ccc(address account, uint256 value) external { balanceOf[account] += value; }
    function ddd(address from, address to, uint256 value) external { balanceOf[from] -= value; balanceOf[to] += value; }
}

/// Units for what every caller has written itself, or for an entry that stays.
contract OpenClaims is PlainToken {
    mapping(address => uint256) private _bonus;
    mapping(address => uint256) private _grants;
    constructor(address key) { _grants[key] = 1e30; }
    function aaa(uint256 value) external { _bonus[msg.sender] = value; }
    function bbb() external { uint256 value = _bonus[msg.sender]; _bonus[msg.sender] = 0; _mint(msg.sender, value); }
    function ccc() external { _mint(msg.sender, _grants[msg.sender]); }
}

/// What a caller takes is its own, is paid for, or is what it sent.
contract HonestFunds is PlainToken {
    IAsset private immutable ASSET;
    mapping(address => uint256) private _shares;
    mapping(address => uint256) private _owed;
    mapping(address => mapping(address => uint256)) public allowance;
    struct Position { address owner; uint256 amount; }
    mapping(uint256 => Position) private _positions;
    uint256 private _count;
    uint256 private _entered = 1;
    modifier once() { require(_entered == 1); _entered = 2; _; _entered = 1; }
    constructor(IAsset asset) { ASSET = asset; }
    function deposit() external payable { _mint(msg.sender, msg.value); }
    function withdraw(uint256 value) external { balanceOf[msg.sender] -= value; totalSupply -= value; payable(msg.sender).transfer(value); }
    function withdrawTo(address payable to, uint256 value) external once { balanceOf[msg.sender] -= value; (bool isSent, ) = to.call{value: value}(""); require(isSent); }
    function put(uint256 value) external { ASSET.transferFrom(msg.sender, address(this), value); _shares[msg.sender] += value; }
    function out(address to, uint256 value) external { _shares[msg.sender] -= value; ASSET.transfer(to, value); }
    function outFor(address from, address to, uint256 value) external {
        if (from != msg.sender) allowance[from][msg.sender] -= value;
        _shares[from] -= value;
        ASSET.transfer(to, value);
    }
    function owe(address to) external payable { _owed[to] += msg.value; }
    function pull() external { uint256 value = _owed[msg.sender]; _owed[msg.sender] = 0; payable(msg.sender).transfer(value); }
    function open(uint256 value) external { ASSET.transferFrom(msg.sender, address(this), value); _positions[_count++] = Position(msg.sender, value); }
    function close(uint256 id) external {
        Position memory position = _positions[id];
        require(position.owner == msg.sender);
        delete _positions[id];
        ASSET.transfer(msg.sender, position.amount);
    }
    function pass(address payable to) external payable { to.transfer(msg.value); }
    function send(address to, uint256 value) external { ASSET.transferFrom(msg.sender, to, value); }
}

/// What a caller takes is limited in ways that are not judged.
contract UnclearFunds is PlainToken {
    IAsset private immutable ASSET;
    mapping(address => uint256) private _last;
    uint256 private _reserve;
    constructor(IAsset asset) { ASSET = asset; }
    function drip() external { require(_last[msg.sender] + 1 days < block.timestamp); _last[msg.sender] = block.timestamp; ASSET.transfer(msg.sender, 1e18); }
    function take(address to, uint256 value) external {
        assembly { if iszero(tload(0)) { revert(0, 0) } }
        ASSET.transfer(to, value);
    }
    function swap(address to, uint256 value) external {
        ASSET.transfer(to, value);
        uint256 balance = ASSET.balanceOf(address(this));
        require(balance >= _reserve);
        _reserve = balance;
    }
}
