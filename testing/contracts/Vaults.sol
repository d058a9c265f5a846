// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20, SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IAsset} from "OpenFunds.sol";

// Keys behind functions of vaults that every caller may use, or that change what others take.

/// Deposits of accounts, in shares.
abstract contract AssetVault {
    address payable internal constant KEEPER = payable(0x1234567890AbcdEF1234567890aBcdef12345678);
    IAsset internal immutable ASSET;
    mapping(address => uint256) internal _shares;
    constructor(IAsset asset) { ASSET = asset; }
    function put(uint256 value) external { ASSET.transferFrom(msg.sender, address(this), value); _shares[msg.sender] += value; }
    function out(uint256 value) external { _shares[msg.sender] -= value; ASSET.transfer(msg.sender, value); }
}

/// Every caller sends the assets to an account that nobody chooses.
contract FixedRecipients is AssetVault {
    address private _treasury;
    constructor(IAsset asset, address treasury) AssetVault(asset) { _treasury = treasury; }
    receive() external payable {}
    function aaa() external { ASSET.transfer(KEEPER, ASSET.balanceOf(address(this))); }
    function bbb(uint256 value) external { ASSET.transfer(KEEPER, value); }
    function ccc() external { KEEPER.transfer(address(this).balance); }
    function ddd() external { ASSET.approve(KEEPER, type(uint256).max); }
    function eee(address from, uint256 value) external { ASSET.transferFrom(from, KEEPER, value); }
    function fff() external { ASSET.transfer(_treasury, ASSET.balanceOf(address(this))); }
    function ggg() external { SafeERC20.safeTransfer(IERC20(address(ASSET)), KEEPER, ASSET.balanceOf(address(this))); }
    function pay(uint256 value) external { ASSET.transferFrom(msg.sender, KEEPER, value); }
    function tip() external payable { KEEPER.transfer(msg.value); }
    function leave(uint256 value) external {
        _shares[msg.sender] -= value;
        uint256 fee = value / 100;
        ASSET.transfer(KEEPER, fee);
        ASSET.transfer(msg.sender, value - fee);
    }
}

/// A fixed contract is called with any input.
contract FixedTargets is AssetVault {
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(bytes calldata data) external { (bool isDone, ) = address(ASSET).call(data); require(isDone); }
    function bbb(bytes calldata data) external { require(msg.sender == KEEPER); (bool isDone, ) = address(ASSET).call(data); require(isDone); }
    function ccc(bytes memory data) external { require(msg.sender == KEEPER); (bool isDone, ) = address(ASSET).call(data); require(isDone); }
    function ddd(bytes calldata data) external { require(bytes4(data) != IAsset.transfer.selector); (bool isDone, ) = address(ASSET).call(data); require(isDone); }
    function batch(bytes calldata data) external { (bool isDone, ) = address(this).delegatecall(data); require(isDone); }
}

/// Every caller says who is paid.
contract WrittenRecipients is AssetVault {
    address payable private _next;
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(address payable next) external { _next = next; }
    function flush() external { ASSET.transfer(_next, ASSET.balanceOf(address(this))); }
}

/// The one who offers most is paid back when another offers more.
contract Auction {
    address payable private _first;
    uint256 private _bid;
    function bid() external payable {
        require(msg.value > _bid);
        (address payable last, uint256 value) = (_first, _bid);
        (_first, _bid) = (payable(msg.sender), msg.value);
        last.transfer(value);
    }
}

/// One account changes the shares of others.
contract KeptShares is AssetVault {
    mapping(address => mapping(address => bool)) private _operators;
    constructor(IAsset asset) AssetVault(asset) {}
    modifier kept() { require(msg.sender == KEEPER); _; }
    function aaa(address to, uint256 value) external kept { _shares[to] += value; }
    function bbb(address from, address to, uint256 value) external kept { _shares[from] -= value; _shares[to] += value; }
    function ccc(address to, uint256 value) external kept { _shares[to] = value; }
    function ddd(address from, address to, uint256 value) external {
        require(msg.sender == from || msg.sender == KEEPER);
        _shares[from] -= value;
        ASSET.transfer(to, value);
    }
    function eee(address from, address to, uint256 value) external kept { _shares[from] -= value; ASSET.transfer(to, value); }
    function fff(address from) external kept { _shares[from] = 0; }
    function putFor(address to, uint256 value) external kept { ASSET.transferFrom(msg.sender, address(this), value); _shares[to] += value; }
    function give(address to, uint256 value) external { _shares[msg.sender] -= value; _shares[to] += value; }
    function operate(address operator, bool isOn) external { _operators[msg.sender][operator] = isOn; }
    function outFor(address from, address to, uint256 value) external {
        require(msg.sender == from || _operators[from][msg.sender]);
        _shares[from] -= value;
        ASSET.transfer(to, value);
    }
}

/// Shares shrink by less than is paid for them.
contract LooseShares is AssetVault {
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(uint256 value) external { unchecked { _shares[msg.sender] -= value; } ASSET.transfer(msg.sender, value); }
    function bbb(uint256 value) external { _shares[msg.sender] -= uint64(value); ASSET.transfer(msg.sender, value); }
    function ccc(address to, uint256 value) external { unchecked { _shares[msg.sender] -= value; _shares[to] += value; } }
    function ddd(uint256 value) external { require(_shares[msg.sender] >= value); unchecked { _shares[msg.sender] -= value; } ASSET.transfer(msg.sender, value); }
    function eee(uint256 value) external { uint256 shares = value / 2; _shares[msg.sender] -= shares; ASSET.transfer(msg.sender, value); }
}

/// Every caller clears the shares of others.
contract LostShares is AssetVault {
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(address from) external { _shares[from] = 0; }
    function leave() external { _shares[msg.sender] = 0; }
}

/// Shares for tokens that the caller does not pay.
contract UnpaidShares is AssetVault {
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(address from, uint256 value) external { ASSET.transferFrom(from, address(this), value); _shares[msg.sender] += value; }
    function bbb(address to, uint256 value) external { ASSET.transferFrom(msg.sender, to, value); _shares[msg.sender] += value; }
    function putFor(address to, uint256 value) external { ASSET.transferFrom(msg.sender, address(this), value); _shares[to] += value; }
}

/// Every caller stops transfers, of all accounts or of one.
contract StoppedToken {
    mapping(address => uint256) public balanceOf;
    bool private _isStopped;
    mapping(address => bool) private _isBlocked;
    mapping(address => bool) private _isQuiet;
    function transfer(address to, uint256 value) external returns (bool) {
        require(!_isStopped && !_isBlocked[msg.sender]);
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        return true;
    }
    function aaa() external { _isStopped = true; }
    function ccc() external { require(!_isStopped); _isStopped = true; }
    function bbb(address account) external { _isBlocked[account] = true; }
    function go() external { _isStopped = false; }
    function quiet() external { _isQuiet[msg.sender] = true; }
}

/// Every caller stops transfers for good.
contract EndedToken {
    mapping(address => uint256) public balanceOf;
    bool private _isEnded;
    function transfer(address to, uint256 value) external returns (bool) {
        require(!_isEnded);
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        return true;
    }
    function aaa() external { require(!_isEnded); _isEnded = true; }
}

/// Requests that name who is paid, and how much.
contract Requests is AssetVault {
    struct Request { address to; uint256 value; }
    mapping(uint256 => Request) private _requests;
    uint256 private _count;
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(uint256 value) external { _requests[++_count] = Request(msg.sender, value); }
    function bbb(uint256 value) external { require(msg.sender == KEEPER); _requests[++_count] = Request(msg.sender, value); }
    function ask(uint256 value) external { _shares[msg.sender] -= value; _requests[++_count] = Request(msg.sender, value); }
    function fund(address to, uint256 value) external { ASSET.transferFrom(msg.sender, address(this), value); _requests[++_count] = Request(to, value); }
    function pay(uint256 id) external { Request memory request = _requests[id]; delete _requests[id]; ASSET.transfer(request.to, request.value); }
}
