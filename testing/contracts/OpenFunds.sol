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

interface IRecipients { function recipient() external view returns (address payable); }

/// Every caller takes the Ether as an account that it is, has the key of, or finds.
contract OpenRecipients {
    address private _key;
    receive() external payable {}
    constructor(address key) { _key = key; }
    function aaa() external { payable(tx.origin).transfer(address(this).balance); }
    function bbb(bytes32 hash, uint8 v, bytes32 r, bytes32 s) external { payable(ecrecover(hash, v, r, s)).transfer(address(this).balance); }
    function ccc(bytes calldata text) external { payable(address(bytes20(keccak256(text)))).transfer(address(this).balance); }
    function ddd(IRecipients from) external { from.recipient().transfer(address(this).balance); }
    function eee() external { block.coinbase.transfer(address(this).balance); }
    function fff() external { require(tx.origin == _key); payable(tx.origin).transfer(address(this).balance); }
}

interface IOtherAsset {
    function transferAndCall(address to, uint256 value) external returns (bool);
    function transferFromAndCall(address from, address to, uint256 value) external returns (bool);
    function approveAndCall(address spender, uint256 value) external returns (bool);
    function approveAndCall(address spender, uint256 value, bytes calldata data) external returns (bool);
    function transfer(address to, uint256 id, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 id, uint256 value) external returns (bool);
    function approve(address spender, uint256 id, uint256 value) external returns (bool);
    function setOperator(address operator, bool isApproved) external returns (bool);
    function withdrawTo(address to, uint256 value) external returns (bool);
    function approveDelegation(address to, uint256 value) external;
    function push(address to, uint256 value) external;
    function move(address from, address to, uint256 value) external;
    function transferShares(address to, uint256 value) external returns (uint256);
    function increaseApproval(address spender, uint256 value) external returns (bool);
    function transferPunk(address to, uint256 id) external;
}

/// Every caller takes assets by functions that fewer tokens have.
contract OpenAssets {
    IOtherAsset private immutable ASSET;
    constructor(IOtherAsset asset) { ASSET = asset; }
    function a01(address to, uint256 value) external { ASSET.transferAndCall(to, value); }
    function a02(address from, address to, uint256 value) external { ASSET.transferFromAndCall(from, to, value); }
    function a03(address to, uint256 value) external { ASSET.approveAndCall(to, value); }
    function a04(address to, uint256 value) external { ASSET.approveAndCall(to, value, ""); }
    function a05(address to, uint256 value) external { ASSET.transfer(to, 1, value); }
    function a06(address from, address to, uint256 value) external { ASSET.transferFrom(from, to, 1, value); }
    function a07(address to, uint256 value) external { ASSET.approve(to, 1, value); }
    function a08(address to) external { ASSET.setOperator(to, true); }
    function a09(address to, uint256 value) external { ASSET.withdrawTo(to, value); }
    function a10(address to, uint256 value) external { ASSET.approveDelegation(to, value); }
    function a11(address to, uint256 value) external { ASSET.push(to, value); }
    function a12(address from, address to, uint256 value) external { ASSET.move(from, to, value); }
    function a13(address to, uint256 value) external { ASSET.transferShares(to, value); }
    function a14(address to, uint256 value) external { ASSET.increaseApproval(to, value); }
    function a15(address to, uint256 id) external { ASSET.transferPunk(to, id); }
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

interface ILedger {
    function take(uint256 value) external;
    function takeAll(address account) external returns (uint256 value);
}

/// Every caller chooses the contract that approves payments.
contract OpenLedger {
    ILedger private _ledger;
    constructor(ILedger ledger) { _ledger = ledger; }
    receive() external payable {}
    function aaa(ILedger ledger) external { _ledger = ledger; }
    function bbb(uint256 value) external { _ledger.take(value); payable(msg.sender).transfer(value); }
}

/// Every caller chooses the contract that returns how much is paid, in two steps.
contract OpenNextLedger {
    bool private _isStopped;
    ILedger private _ledger;
    ILedger private _next;
    constructor(ILedger ledger) { _ledger = ledger; }
    receive() external payable {}
    function aaa(ILedger ledger) external { _next = ledger; }
    function bbb() external { _ledger = _next; }
    function ccc() external { require(!_isStopped); uint256 value = _ledger.takeAll(msg.sender); payable(msg.sender).transfer(value); }
}

/// Every caller chooses the asset that is paid in, and then the one that is paid out.
contract OpenAsset {
    IAsset internal _asset;
    mapping(address => uint256) private _shares;
    constructor(IAsset asset) { _asset = asset; }
    function aaa(IAsset asset) external virtual { _asset = asset; }
    function put(uint256 value) external { _asset.transferFrom(msg.sender, address(this), value); _shares[msg.sender] += value; }
    function out(uint256 value) external { _shares[msg.sender] -= value; _asset.transfer(msg.sender, value); }
}

/// The same, where a condition stands before it that every caller can meet.
contract OpenAssetOnce is OpenAsset {
    mapping(IAsset => uint256) private _changes;
    constructor(IAsset asset) OpenAsset(asset) {}
    function aaa(IAsset asset) external override { require(_changes[asset] == 0); _changes[asset] = 1; _asset = asset; }
}

/// The contracts that functions call are fixed, set once, chosen by an owner, or those of the caller alone.
contract HonestLedger {
    address private immutable OWNER;
    ILedger private _fixed;
    ILedger private _once;
    ILedger private _owned;
    address private _last;
    mapping(address => ILedger) private _own;
    mapping(address => uint256) private _paid;
    constructor(address owner, ILedger ledger) { OWNER = owner; _fixed = ledger; _owned = ledger; }
    function start(ILedger ledger) external { require(address(_once) == address(0)); _once = ledger; }
    function aaa(ILedger ledger) external { require(msg.sender == OWNER); _owned = ledger; }
    function bbb(ILedger ledger) external { _own[msg.sender] = ledger; }
    function ccc(uint256 value) external { _own[msg.sender].take(value); }
    function put() external payable { payable(_last).transfer(1); _last = msg.sender; _paid[msg.sender] += msg.value - 1; }
    function out(uint256 value) external {
        _paid[msg.sender] -= value;
        _fixed.take(value);
        _once.take(value);
        _owned.take(value);
        payable(msg.sender).transfer(value);
    }
}

/// Approves all that is asked.
contract AnyLedger is ILedger {
    function take(uint256) external {}
    function takeAll(address) external view returns (uint256) { return msg.sender.balance; }
}
