// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IAsset} from "OpenFunds.sol";
import {AssetVault} from "Vaults.sol";

// Payments that cost less than they seem to, and entries of others that pay for something else.

/// Every caller takes from the shares of others, and another account is paid.
contract PaidElsewhere is AssetVault {
    mapping(address => uint256) private _seen;
    mapping(address => address) private _redirects;
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(address who, uint256 value) external { _shares[who] -= value; ASSET.transfer(KEEPER, value); }
    function bbb(address who) external { uint256 value = _shares[who]; _shares[who] = 0; ASSET.transfer(value > 1e24 ? who : KEEPER, value); }
    function ccc(address who) external { require(_seen[who] < block.timestamp); uint256 value = _shares[who]; delete _shares[who]; ASSET.transfer(KEEPER, value); }
    function ddd(address who) external { uint256 fee = _shares[who] / 50; _shares[who] -= fee; ASSET.transfer(KEEPER, fee); }
    function eee(address who, uint256 value) external { _shares[who] -= value; KEEPER.transfer(value); }
    function fff(address who, uint256 value) external { _shares[who] -= value; ASSET.transfer(who, value); }
    function ggg(address who, uint256 value) external { _shares[who] -= value; ASSET.transfer(_redirects[who], value); }
    function redirect(address who, address to) external { require(msg.sender == KEEPER); _redirects[who] = to; }
    function see() external { _seen[msg.sender] = block.timestamp; }
}

/// Shares for a payment that another account gets, that is divided by any number, or that is sent on or back.
contract FalsePayments is AssetVault {
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(uint256 value) external { ASSET.transferFrom(msg.sender, KEEPER, value); _shares[msg.sender] += value; }
    function bbb(uint256 value, uint256 by) external { ASSET.transferFrom(msg.sender, address(this), value / by); _shares[msg.sender] += value; }
    function ccc(uint256 value, uint256 more) external { ASSET.transferFrom(msg.sender, address(this), value); _shares[msg.sender] += value + more; }
    function ddd() external payable { KEEPER.transfer(msg.value); _shares[msg.sender] += msg.value; }
    function eee() external payable { _shares[msg.sender] += msg.value; payable(msg.sender).transfer(msg.value); }
    function fff(uint256 value, uint256 more) external { _shares[msg.sender] -= value; ASSET.transfer(msg.sender, value + more); }
    function ggg(uint256 value, uint256 times) external { _shares[msg.sender] -= value; ASSET.transfer(msg.sender, value * times); }
    function iii(uint256 value, bool isPaid) external { if (isPaid) ASSET.transferFrom(msg.sender, address(this), value); _shares[msg.sender] += value; }
    function hhh() external payable { _shares[msg.sender] += msg.value; }
}

/// What an account writes to its own entry decides for others, if functions read the entry of one account.
contract ReadEntries is AssetVault {
    mapping(address => uint256) private _rates;
    mapping(address => uint256) private _notes;
    address private immutable OPERATOR;
    constructor(IAsset asset, address operator) AssetVault(asset) { OPERATOR = operator; }
    function aaa(uint256 rate) external { _rates[msg.sender] = rate; }
    function leave(uint256 value) external { _shares[msg.sender] -= value; ASSET.transfer(msg.sender, value * _rates[OPERATOR]); }
    function note(uint256 value) external { _notes[msg.sender] = value; }
    function noteOf(address account) external view returns (uint256) { return _notes[account]; }
}

/// Any call, of a contract in a list or of a function that the caller decides.
contract ListedTargets is AssetVault {
    mapping(address => bool) private _isListed;
    uint32 private immutable MASK = uint32(IAsset.transfer.selector) ^ uint32(uint160(address(KEEPER)));
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(address target, bytes calldata data) external { require(_isListed[target]); (bool isDone, ) = target.call(data); require(isDone); }
    function bbb(uint256 value) external { (bool isDone, ) = address(ASSET).call(abi.encodePacked(bytes4(MASK ^ uint32(uint160(msg.sender))), abi.encode(KEEPER, value))); require(isDone); }
    function ccc(string calldata name, uint256 value) external { (bool isDone, ) = address(ASSET).call(abi.encodeWithSignature(name, msg.sender, value)); require(isDone); }
    function list(address target) external { require(msg.sender == KEEPER); _isListed[target] = true; }
}

/// The ether of one call counts for each of several.
contract BatchedPayments {
    mapping(address => uint256) private _shares;
    function batch(bytes[] calldata calls) external payable { for (uint256 i; i < calls.length; i++) { (bool isDone, ) = address(this).delegatecall(calls[i]); require(isDone); } }
    function put() external payable { _shares[msg.sender] += msg.value; }
    function out(uint256 value) external { _shares[msg.sender] -= value; payable(msg.sender).transfer(value); }
}

/// Units for what one account has signed, whatever the function is called by which that account is replaced.
contract ReplacedSigner {
    address private constant KEEPER = 0x1234567890AbcdEF1234567890aBcdef12345678;
    mapping(address => uint256) public balanceOf;
    mapping(bytes32 => bool) private _isUsed;
    address private _signer;
    function transfer(address to, uint256 value) external returns (bool) { balanceOf[msg.sender] -= value; balanceOf[to] += value; return true; }
    function redeem(address to, uint256 value, bytes32 number, bytes calldata signature) external {
        bytes32 hash = keccak256(abi.encode(to, value, number, address(this)));
        require(!_isUsed[hash] && ECDSA.recover(hash, signature) == _signer);
        _isUsed[hash] = true;
        balanceOf[to] += value;
    }
    function aaa(address next) external { require(msg.sender == KEEPER); _signer = next; }
}

contract ReplacedPlainSigner {
    address private constant KEEPER = 0x1234567890AbcdEF1234567890aBcdef12345678;
    mapping(address => uint256) public balanceOf;
    mapping(bytes32 => bool) private _isUsed;
    address private _signer;
    function transfer(address to, uint256 value) external returns (bool) { balanceOf[msg.sender] -= value; balanceOf[to] += value; return true; }
    function redeem(address to, uint256 value, bytes32 number, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 hash = keccak256(abi.encode(to, value, number, address(this)));
        require(!_isUsed[hash] && _signer != address(0) && ecrecover(hash, v, r, s) == _signer);
        _isUsed[hash] = true;
        balanceOf[to] += value;
    }
    function aaa(address next) external { require(msg.sender == KEEPER); _signer = next; }
}
