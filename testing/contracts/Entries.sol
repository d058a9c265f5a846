// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IAsset} from "OpenFunds.sol";
import {AssetVault} from "Vaults.sol";

// Entries that say whom a contract pays, where others than their account write them, and their twins.

/// Every caller, or one account, says who acts for another account.
contract OpenOperators is AssetVault {
    mapping(address => mapping(address => bool)) private _isOperator;
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(address owner, address operator) external { _isOperator[owner][operator] = true; }
    function outFrom(address owner, uint256 value) external { require(_isOperator[owner][msg.sender]); _shares[owner] -= value; ASSET.transfer(msg.sender, value); }
}
contract KeptDelegates is AssetVault {
    mapping(address => address) private _delegate;
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(address owner, address other) external { require(msg.sender == KEEPER); _delegate[owner] = other; }
    function outFrom(address owner, uint256 value) external { require(_delegate[owner] == msg.sender); _shares[owner] -= value; ASSET.transfer(msg.sender, value); }
}
contract Recoveries is AssetVault {
    mapping(address => address) private _heir;
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(address owner) external payable { require(msg.value == 1 ether); _heir[owner] = msg.sender; }
    function inherit(address owner) external { require(_heir[owner] == msg.sender); _shares[msg.sender] += _shares[owner]; _shares[owner] = 0; }
}
contract Operators is AssetVault {
    mapping(address => mapping(address => bool)) private _isOperator;
    mapping(address => address) private _delegate;
    mapping(address => address) private _wallet;
    constructor(IAsset asset) AssetVault(asset) {}
    function allow(address operator, bool isAllowed) external { _isOperator[msg.sender][operator] = isAllowed; }
    function delegate(address other) external { _delegate[msg.sender] = other; }
    function wallet(address other) external { _wallet[msg.sender] = other; }
    function outFrom(address owner, uint256 value) external { require(_isOperator[owner][msg.sender] || _delegate[owner] == msg.sender); _shares[owner] -= value; ASSET.transfer(msg.sender, value); }
    function leave(uint256 value) external { _shares[msg.sender] -= value; ASSET.transfer(_wallet[msg.sender], value); }
}
contract KeptWallets is AssetVault {
    mapping(address => address) private _wallet;
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(address owner, address other) external { require(msg.sender == KEEPER); _wallet[owner] = other; }
    function leave(uint256 value) external { _shares[msg.sender] -= value; ASSET.transfer(_wallet[msg.sender], value); }
}
contract OpenWallets is AssetVault {
    mapping(address => address) private _wallet;
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(address owner, address other) external { _wallet[owner] = other; }
    function leave(uint256 value) external { _shares[msg.sender] -= value; ASSET.transfer(_wallet[msg.sender], value); }
}

/// Deposits by number.
abstract contract Deposits {
    struct Deposit { address owner; uint256 value; }
    IAsset internal immutable ASSET;
    mapping(uint256 => Deposit) internal _deposits;
    uint256 internal _count;
    constructor(IAsset asset) { ASSET = asset; }
    function put(uint256 value) external { ASSET.transferFrom(msg.sender, address(this), value); _deposits[_count++] = Deposit(msg.sender, value); }
    function out(uint256 id) external { Deposit memory entry = _deposits[id]; require(entry.owner == msg.sender); delete _deposits[id]; ASSET.transfer(msg.sender, entry.value); }
}
contract OpenOwners is Deposits { constructor(IAsset asset) Deposits(asset) {} function aaa(uint256 id, address to) external { _deposits[id].owner = to; } }
contract TakenOwners is Deposits { constructor(IAsset asset) Deposits(asset) {} function aaa(uint256 id) external { _deposits[id].owner = msg.sender; } }
contract PassedDeposits is Deposits { constructor(IAsset asset) Deposits(asset) {} function pass(uint256 id, address to) external { require(_deposits[id].owner == msg.sender); _deposits[id].owner = to; } }
contract KeptOwners is Deposits { constructor(IAsset asset) Deposits(asset) {} function aaa(uint256 id, address to) external { require(msg.sender == address(0x1234567890AbcdEF1234567890aBcdef12345678)); _deposits[id].owner = to; } }
