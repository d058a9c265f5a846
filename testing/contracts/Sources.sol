// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {PlainToken} from "HiddenPowers.sol";

// Functions for all callers that ask another contract how much they give, at what price, or to whom.

interface IPaid {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function balanceOf(address account) external view returns (uint256);
}
interface IRates {
    function rate() external view returns (uint256);
}
interface IBook {
    function treasury() external view returns (address);
}

/// The owner decides what it answers.
contract KeyRates is IRates, IBook {
    address public owner;
    uint256 public rate = 1e18;
    address public treasury;
    constructor(address key) { owner = key; treasury = key; }
    function aaa(uint256 value) external { require(msg.sender == owner); rate = value; }
    function bbb(address to) external { require(msg.sender == owner); treasury = to; }
}
/// No account decides what it answers.
contract FixedRates is IRates, IBook {
    uint256 public immutable rate = 1e18;
    address public immutable treasury;
    constructor(address to) { treasury = to; }
}
/// Every caller decides what it answers.
contract OpenRates is IRates {
    uint256 public rate = 1e18;
    function aaa(uint256 value) external { rate = value; }
}
/// Answers what another contract answers.
contract PassedRates is IRates {
    IRates private immutable RATES;
    constructor(IRates rates) { RATES = rates; }
    function rate() external view returns (uint256) { return RATES.rate(); }
}
/// Every caller stores what another contract answers.
contract StoredRates is IRates {
    IRates private immutable RATES;
    uint256 public rate;
    constructor(IRates rates) { RATES = rates; rate = rates.rate(); }
    function poke() external { rate = RATES.rate(); }
}
/// What another contract answers decides how much ether, how many tokens or units a caller gets, or where they go.
contract RatedPayments is PlainToken {
    IRates private _rates;
    IPaid private _asset;
    mapping(address => uint256) private _shares;
    constructor(IRates rates, IPaid asset) payable { _rates = rates; _asset = asset; }
    function put(uint256 value) external { _asset.transferFrom(msg.sender, address(this), value); _shares[msg.sender] += value; }
    function aaa(uint256 value) external { _shares[msg.sender] -= value; _asset.transfer(msg.sender, value * _rates.rate() / 1e18); }
    function bbb(uint256 value) external { _shares[msg.sender] -= value; payable(msg.sender).transfer(value * _rates.rate() / 1e18); }
    function ccc() external payable { _mint(msg.sender, msg.value * _rates.rate() / 1e18); }
    function eee(uint256 value) external { _asset.transferFrom(msg.sender, address(this), value * _rates.rate() / 1e18); _mint(msg.sender, value); }
    function out(uint256 value) external { _shares[msg.sender] -= value; _asset.transfer(msg.sender, value); }
}
/// What another contract answers decides what units cost.
contract RatedSale is PlainToken {
    IRates private _rates;
    constructor(IRates rates) { _rates = rates; }
    function aaa(uint256 value) external payable { require(msg.value * _rates.rate() >= value * 1e18); _mint(msg.sender, value); }
}
/// Every caller makes it pay the account that another contract names.
contract NamedPayments {
    IBook private _book;
    IPaid private _asset;
    constructor(IBook book, IPaid asset) payable { _book = book; _asset = asset; }
    receive() external payable {}
    function aaa() external { payable(_book.treasury()).transfer(address(this).balance); }
    function bbb() external { _asset.transfer(_book.treasury(), _asset.balanceOf(address(this))); }
}
/// The owner chooses which contract is asked.
contract ChosenRates is PlainToken {
    address public owner;
    IRates private _rates;
    constructor(address key, IRates rates) { owner = key; _rates = rates; }
    function aaa(IRates rates) external { require(msg.sender == owner); _rates = rates; }
    function bbb() external payable { _mint(msg.sender, msg.value * _rates.rate() / 1e18); }
}
interface IList {
    function isBlocked(address account) external view returns (bool);
}
/// The owner decides who is on it.
contract KeyList is IList {
    address public owner;
    mapping(address => bool) public isBlocked;
    constructor(address key) { owner = key; }
    function aaa(address account, bool value) external { require(msg.sender == owner); isBlocked[account] = value; }
}
/// Another contract is asked who may transfer.
contract ListedToken {
    mapping(address => uint256) public balanceOf;
    IList private _list;
    constructor(IList list, address holder) { _list = list; balanceOf[holder] = 1000; }
    function transfer(address to, uint256 value) external returns (bool) {
        require(!_list.isBlocked(msg.sender) && !_list.isBlocked(to));
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        return true;
    }
}
/// Calls other contracts for the contract that runs its code, and for no other.
contract RunByOthers {
    address private immutable SELF = address(this);
    function aaa(address to, bytes calldata data) external { require(address(this) != SELF); (bool isDone, ) = to.call(data); require(isDone); }
}
