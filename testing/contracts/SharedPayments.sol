// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IAsset} from "OpenFunds.sol";
import {AssetVault} from "Vaults.sol";

// Payments that count for several things, that do not arrive, or that are of another asset, and their twins.

abstract contract EtherVault {
    mapping(address => uint256) internal _held;
    function put() external payable { _held[msg.sender] += msg.value; }
    function out(uint256 value) external { _held[msg.sender] -= value; payable(msg.sender).transfer(value); }
}

/// The same payment is credited, or paid, twice.
contract CreditedTwice is EtherVault { function aaa(address to) external payable { _held[msg.sender] += msg.value; _held[to] += msg.value; } }
contract CreditedParts is EtherVault {
    function join(address to) external payable { uint256 part = msg.value / 10; _held[msg.sender] += msg.value - part; _held[to] += part; }
    function joinMany(address[] calldata to, uint256 value) external payable { require(msg.value == value * to.length); for (uint256 i; i < to.length; i++) _held[to[i]] += value; }
    function pay(address[] calldata to, uint256 value) external { for (uint256 i; i < to.length; i++) { _held[msg.sender] -= value; payable(to[i]).transfer(value); } }
}
contract TwoLedgers is EtherVault {
    mapping(address => uint256) private _locked;
    function aaa() external payable { _held[msg.sender] += msg.value; _locked[msg.sender] += msg.value; }
    function leave(uint256 value) external { _locked[msg.sender] -= value; payable(msg.sender).transfer(value); }
}
contract Locks is EtherVault {
    mapping(address => uint256) private _locked;
    function lock(uint256 value) external { _held[msg.sender] -= value; _locked[msg.sender] += value; }
    function unlock(uint256 value) external { _locked[msg.sender] -= value; _held[msg.sender] += value; }
    function leave(uint256 value) external { _locked[msg.sender] -= value; payable(msg.sender).transfer(value); }
}
contract GivenBack is AssetVault {
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(uint256 value) external { ASSET.transferFrom(msg.sender, address(this), value); _shares[msg.sender] += value; ASSET.transfer(msg.sender, value); }
    function bbb(uint256 value) external { _shares[msg.sender] -= value; ASSET.transfer(msg.sender, value); _shares[msg.sender] += value; }
    function ccc(uint256 value) external { _shares[msg.sender] -= value; ASSET.transfer(msg.sender, value); ASSET.transfer(msg.sender, value); }
    function ddd(uint256 value, address to) external { _shares[msg.sender] -= value; ASSET.transfer(msg.sender, value); _shares[to] += value; }
    function split(uint256 value, address to) external { _shares[msg.sender] -= value; ASSET.transfer(msg.sender, value / 2); ASSET.transfer(to, value - value / 2); }
    function swap(uint256 value) external { ASSET.transferFrom(msg.sender, address(this), value); ASSET.transfer(msg.sender, value); }
}
contract SentBack is EtherVault {
    function aaa(address payable to, uint256 value) external { _held[msg.sender] -= value; if (to.send(value)) _held[msg.sender] += value; }
    function bbb(address payable[] calldata to, uint256 value) external { _held[msg.sender] -= value; for (uint256 i; i < to.length; i++) to[i].transfer(value); }
    function attempt(address payable to, uint256 value) external { _held[msg.sender] -= value; if (!to.send(value)) _held[msg.sender] += value; }
}
contract Buckets {
    mapping(address => mapping(uint256 => uint256)) private _held;
    function put(uint256 bucket) external payable { _held[msg.sender][bucket] += msg.value; }
    function out(uint256 bucket, uint256 value) external { _held[msg.sender][bucket] -= value; payable(msg.sender).transfer(value); }
    function aaa(uint256 bucket, uint256 other, uint256 value) external { uint256 from = _held[msg.sender][bucket]; uint256 to = _held[msg.sender][other]; _held[msg.sender][bucket] = from - value; _held[msg.sender][other] = to + value; }
    function move(uint256 bucket, uint256 other, uint256 value) external { _held[msg.sender][bucket] -= value; _held[msg.sender][other] += value; }
}

/// Payments that do not arrive.
contract AnyAsset is AssetVault { constructor(IAsset asset) AssetVault(asset) {} function aaa(IAsset asset, uint256 value) external { asset.transferFrom(msg.sender, address(this), value); _shares[msg.sender] += value; } }
contract FailedCalls is AssetVault {
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(uint256 value) external { (bool isDone, ) = address(ASSET).call(abi.encodeCall(IAsset.transferFrom, (msg.sender, address(this), value))); isDone; _shares[msg.sender] += value; }
    function bbb(uint256 value) external { try ASSET.transferFrom(msg.sender, address(this), value) {} catch {} _shares[msg.sender] += value; }
}
contract TriedCalls is AssetVault {
    constructor(IAsset asset) AssetVault(asset) {}
    function call(uint256 value) external { (bool isDone, ) = address(ASSET).call(abi.encodeCall(IAsset.transferFrom, (msg.sender, address(this), value))); require(isDone); _shares[msg.sender] += value; }
    function attempt(uint256 value) external { try ASSET.transferFrom(msg.sender, address(this), value) { _shares[msg.sender] += value; } catch {} }
}
contract AnyMinter {
    mapping(address => uint256) public balanceOf;
    event Transfer(address indexed from, address indexed to, uint256 value);
    constructor() { balanceOf[msg.sender] = 1e27; }
    function transfer(address to, uint256 value) external { balanceOf[msg.sender] -= value; balanceOf[to] += value; emit Transfer(msg.sender, to, value); }
    function aaa(IAsset old, uint256 value) external { old.transferFrom(msg.sender, address(this), value); balanceOf[msg.sender] += value; emit Transfer(address(0), msg.sender, value); }
}

/// Deposits of any asset, where the entry of one pays another.
abstract contract ManyAssets {
    mapping(address => mapping(IAsset => uint256)) internal _held;
    function put(IAsset asset, uint256 value) external { asset.transferFrom(msg.sender, address(this), value); _held[msg.sender][asset] += value; }
    function out(IAsset asset, uint256 value) external { _held[msg.sender][asset] -= value; asset.transfer(msg.sender, value); }
}
contract OtherCredit is ManyAssets { function aaa(IAsset asset, IAsset other, uint256 value) external { asset.transferFrom(msg.sender, address(this), value); _held[msg.sender][other] += value; } }
contract OtherPayment is ManyAssets { function aaa(IAsset asset, IAsset other, uint256 value) external { _held[msg.sender][asset] -= value; other.transfer(msg.sender, value); } }
contract PassedAssets is ManyAssets { function pass(IAsset asset, address to, uint256 value) external { _held[msg.sender][asset] -= value; _held[to][asset] += value; } }

/// Slots that the caller names.
contract NamedSlots is AssetVault { constructor(IAsset asset) AssetVault(asset) {} function aaa(bytes32 slot, uint256 value) external { assembly { sstore(slot, value) } } }

/// A transfer to oneself doubles.
contract DoubledTransfers is AssetVault {
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(address to, uint256 value) external { uint256 from = _shares[msg.sender]; uint256 other = _shares[to]; _shares[msg.sender] = from - value; _shares[to] = other + value; }
}
contract OtherTransfers is AssetVault {
    constructor(IAsset asset) AssetVault(asset) {}
    function give(address to, uint256 value) external { require(to != msg.sender); uint256 from = _shares[msg.sender]; uint256 other = _shares[to]; _shares[msg.sender] = from - value; _shares[to] = other + value; }
}

/// More is credited than what comes in.
contract Referrals is AssetVault {
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(uint256 value, address referrer) external { ASSET.transferFrom(msg.sender, address(this), value); _shares[msg.sender] += value; _shares[referrer] += value / 10; }
}
contract PaidReferrals is AssetVault {
    constructor(IAsset asset) AssetVault(asset) {}
    function join(uint256 value, address referrer) external { ASSET.transferFrom(msg.sender, address(this), value); _shares[msg.sender] += value - value / 10; _shares[referrer] += value / 10; }
}
contract LoweredChange {
    mapping(address => uint256) private _held;
    function put() external payable { _held[msg.sender] += msg.value; }
    function out(uint256 value) external { _held[msg.sender] -= value; payable(msg.sender).transfer(value); }
    function aaa(uint256 count) external payable { unchecked { payable(msg.sender).transfer(msg.value - count * 1 ether); } }
    function buy(uint256 count) external payable { payable(msg.sender).transfer(msg.value - count * 1 ether); }
}

/// One account says who pays nothing, whose entry pays, or whose a deposit is.
contract Exemptions is AssetVault {
    mapping(address => bool) private _isExempt;
    constructor(IAsset asset) AssetVault(asset) {}
    function exempt(address account, bool isExempt) external { require(msg.sender == KEEPER); _isExempt[account] = isExempt; }
    function aaa(uint256 value) external { if (!_isExempt[msg.sender]) _shares[msg.sender] -= value; ASSET.transfer(msg.sender, value); }
    function bbb(uint256 value) external { if (!_isExempt[msg.sender]) ASSET.transferFrom(msg.sender, address(this), value); _shares[msg.sender] += value; }
    function leave(uint256 value) external { _shares[msg.sender] -= value; ASSET.transfer(msg.sender, _isExempt[msg.sender] ? value : value - value / 100); }
}

/// A contract that the caller names says how much is credited.
interface IRate { function rate() external view returns (uint256); }
contract AnyRate is AssetVault { constructor(IAsset asset) AssetVault(asset) {} function aaa(IRate source, uint256 value) external { ASSET.transferFrom(msg.sender, address(this), value); _shares[msg.sender] += value * source.rate(); } }

/// Every caller sends the fees to one account, again and again unless they are cleared.
contract RepeatedFees is AssetVault {
    uint256 private _fees;
    constructor(IAsset asset) AssetVault(asset) {}
    function leave(uint256 value) external { uint256 fee = value / 100; _shares[msg.sender] -= value; _fees += fee; ASSET.transfer(msg.sender, value - fee); }
    function aaa() external { ASSET.transfer(KEEPER, _fees); }
    function collect() external { uint256 fees = _fees; _fees = 0; ASSET.transfer(KEEPER, fees); }
}
