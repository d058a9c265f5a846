// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {VestingWallet} from "@openzeppelin/contracts/finance/VestingWallet.sol";
import {ERC20, IERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IAsset} from "OpenFunds.sol";
import {AssetVault} from "Vaults.sol";

// How much functions that every caller may use give for what they take, and their twins, which give no more.

/// A path on which the caller is paid more than its entry loses.
contract MorePaid is AssetVault {
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(uint256 value, bool isTwice) external { _shares[msg.sender] -= value; ASSET.transfer(msg.sender, isTwice ? value * 2 : value); }
    function bbb(uint256 value) external { _shares[msg.sender] -= value; ASSET.transfer(msg.sender, value % 10 == 7 ? ASSET.balanceOf(address(this)) : value); }
    function ccc(uint256 value) external { _shares[msg.sender] -= value; ASSET.transfer(msg.sender, msg.sender == KEEPER ? ASSET.balanceOf(address(this)) : value); }
    function ddd(uint256 value) external { _shares[msg.sender] -= value; uint256 fee; if (value > 1e18) fee = value / 50; ASSET.transfer(msg.sender, value - fee); }
    function eee(uint256 value) external { _shares[msg.sender] -= value; uint256 bonus; if (value > 1e18) bonus = value / 50; ASSET.transfer(msg.sender, value + bonus); }
    function ggg() external { uint256 all = _shares[msg.sender]; _shares[msg.sender] = all - 1; ASSET.transfer(msg.sender, all); }
    function hhh(uint256 value) external { uint256 all = _shares[msg.sender]; _shares[msg.sender] = all - value; ASSET.transfer(msg.sender, all / 2); }
    function iii() external { uint256 all = _shares[msg.sender]; _shares[msg.sender] = 0; ASSET.transfer(msg.sender, all / 2); }
    function fff(uint256 value, bool isLess) external { _shares[msg.sender] -= isLess ? value / 2 : value; ASSET.transfer(msg.sender, value); }
}

/// A path on which the same payment is worth more shares.
contract MoreCredited is AssetVault {
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(uint256 value, bool isTwice) external { ASSET.transferFrom(msg.sender, address(this), value); _shares[msg.sender] += isTwice ? value * 2 : value; }
}

/// A payment is worth twice as many shares when it comes in as when it goes out.
contract DoubleCredit is AssetVault {
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(uint256 value) external { ASSET.transferFrom(msg.sender, address(this), value); _shares[msg.sender] += value * 2; }
    function half(uint256 value) external { _shares[msg.sender] -= value; ASSET.transfer(msg.sender, value / 2); }
}

/// Rounding that costs more than one unit.
contract RoundedPayments is AssetVault {
    mapping(address => uint256) private _units;
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(uint256 value) external { _shares[msg.sender] -= value / 1e18 * 1e18; ASSET.transfer(msg.sender, value); }
    function bbb(uint256 value) external { _units[msg.sender] -= value / 1e30; ASSET.transfer(msg.sender, value); }
    function ccc(uint256 value) external { _shares[msg.sender] -= value * 1e18; ASSET.transfer(msg.sender, (value + 1) * 1e18); }
    function ddd(uint256 value) external { _shares[msg.sender] -= value >> 100 << 100; ASSET.transfer(msg.sender, value); }
    function putUnits(uint256 value) external { ASSET.transferFrom(msg.sender, address(this), value); _units[msg.sender] += value / 1e30; }
}

/// One account sets how much a share is worth.
contract KeptRate is AssetVault {
    uint256 private _rate = 1e18;
    uint256 private _fee;
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(uint256 rate) external { require(msg.sender == KEEPER); _rate = rate; }
    function fee(uint256 value) external { require(msg.sender == KEEPER && value < 100); _fee = value; }
    function leave(uint256 value) external { _shares[msg.sender] -= value; ASSET.transfer(msg.sender, value * _rate / 1e18); }
    function leaveEarly(uint256 value) external { _shares[msg.sender] -= value; ASSET.transfer(msg.sender, value - value * _fee / 1000); }
}

/// What is paid is computed, and may be had again and again unless it is recorded.
contract Earnings is AssetVault {
    mapping(address => uint256) private _paid;
    uint256 private _start = block.timestamp;
    uint256 private _claimed;
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa() external { ASSET.transfer(msg.sender, _shares[msg.sender] * (block.timestamp - _start) / 365 days); }
    function bbb() external { uint256 value = _shares[msg.sender] / 100; _paid[msg.sender] += value; ASSET.transfer(msg.sender, value); }
    function ccc() external { uint256 all = _shares[msg.sender] * (block.timestamp - _start) / 365 days; uint256 value = all - _paid[msg.sender]; _paid[msg.sender] = value; ASSET.transfer(msg.sender, value); }
    function claim() external { uint256 all = _shares[msg.sender] * (block.timestamp - _start) / 365 days; uint256 value = all - _paid[msg.sender]; _paid[msg.sender] = all; ASSET.transfer(msg.sender, value); }
    function claimSum() external { uint256 all = _shares[msg.sender] * (block.timestamp - _start) / 365 days; uint256 value = all - _paid[msg.sender]; _paid[msg.sender] += value; ASSET.transfer(msg.sender, value); }
}

/// Records of what an account was paid, where every account may have as much, or as often as it likes.
contract FreeRecords is AssetVault {
    mapping(address => uint256) private _paid;
    mapping(address => uint256) private _points;
    uint256 private _start = block.timestamp;
    uint256 private _given;
    constructor(IAsset asset) AssetVault(asset) {}
    function _claim(uint256 all) private { uint256 value = all - _paid[msg.sender]; _paid[msg.sender] = all; ASSET.transfer(msg.sender, value); }
    function aaa() external { _claim(ASSET.balanceOf(address(this))); }
    function bbb() external { unchecked { _claim((block.timestamp - _start) * 1e18); } }
    function ccc() external { unchecked { _claim(_points[msg.sender] * 1e18); } }
    function ddd() external { uint256 value = block.timestamp - _start - _given; _given += value; ASSET.transfer(msg.sender, value); }
    function eee() external { uint256 value = block.timestamp - _start - _given; _given += value; ASSET.transfer(KEEPER, value); }
    function fff() external { unchecked { _claim((_shares[msg.sender] + 1) * (block.timestamp - _start)); } }
    function ggg() external { unchecked { _claim(_shares[msg.sender] * (block.timestamp - _start) / 365 days); } }
    function hhh() external { unchecked { _claim(_points[msg.sender] * (block.timestamp - _start)); } }
    function iii() external { unchecked { uint256 all = _shares[msg.sender] * (block.timestamp - _start) / 365 days; uint256 value = all - _paid[msg.sender]; _paid[msg.sender] = all; ASSET.transfer(msg.sender, value); } }
    function point() external { unchecked { _points[msg.sender] += 1; } }
}

/// The account that made a request is paid as often as anyone asks for it.
contract KeptRequests is AssetVault {
    struct Request { address to; uint256 value; }
    mapping(uint256 => Request) private _requests;
    uint256 private _count;
    constructor(IAsset asset) AssetVault(asset) {}
    function ask(uint256 value) external { _shares[msg.sender] -= value; _requests[++_count] = Request(msg.sender, value); }
    function aaa(uint256 id) external { ASSET.transfer(_requests[id].to, _requests[id].value); }
    function pay(uint256 id) external { Request memory request = _requests[id]; delete _requests[id]; ASSET.transfer(request.to, request.value); }
}

/// The ether of one call pays for each of several.
contract BatchedPayouts {
    function batch(bytes[] calldata calls) external payable { for (uint256 i; i < calls.length; i++) { (bool isDone, ) = address(this).delegatecall(calls[i]); require(isDone); } }
    function aaa(address payable to) external payable { to.transfer(msg.value); }
}

/// Calls whose words a loop copies, as compilers did before Cancun, behind a selector that is joined to them.
contract CopiedCalls is AssetVault {
    address private _treasury;
    constructor(IAsset asset) AssetVault(asset) {}
    function _send(address to, uint256 value) private { _call(abi.encodeWithSelector(bytes4(0), to, value), 0xa9059cbb); }
    function _pull(uint256 value) private { _call(abi.encodeWithSelector(bytes4(0), msg.sender, address(this), value), 0x23b872dd); }
    function _call(bytes memory data, uint256 selector) private {
        address asset = address(ASSET);
        assembly {
            let from := add(data, 32)
            mstore(from, or(and(mload(from), 0xffffffffffffffffffffffffffffffffffffffffffffffffffffffff), shl(224, selector)))
            let copy := mload(0x40)
            for { let at := 0 } lt(at, mload(data)) { at := add(at, 32) } { mstore(add(copy, at), mload(add(from, at))) }
            if iszero(call(gas(), asset, 0, copy, mload(data), 0, 0)) { revert(0, 0) }
        }
    }
    function twice(address a, address b, uint256 value) external { _pull(value); _shares[a] += value; _shares[b] += value; }
    function enter(uint256 value) external { _pull(value); _shares[msg.sender] += value; }
    function aaa(uint256 value) external { _shares[msg.sender] -= value; _send(msg.sender, value * 2); }
    function bbb(address treasury) external { require(msg.sender == KEEPER); _treasury = treasury; }
    function symbol() external view returns (string memory) { return IERC20Metadata(address(ASSET)).symbol(); }
    function flush() external { _send(_treasury, ASSET.balanceOf(address(this))); }
    function leave(uint256 value) external { _shares[msg.sender] -= value; _send(msg.sender, value); }
}

/// Shares of all that a vault has, a wallet that pays with time, and ether behind units.
contract ShareVault is ERC4626 { constructor(IERC20 asset) ERC20("Share", "S") ERC4626(asset) {} }
contract TimeWallet is VestingWallet { constructor(address to) payable VestingWallet(to, uint64(block.timestamp), 365 days) {} }

/// Shares by hand, as old vaults compute them.
contract PlainShareVault {
    IAsset private immutable ASSET;
    mapping(address => uint256) public balanceOf;
    uint256 public totalSupply;
    constructor(IAsset asset) { ASSET = asset; }
    function transfer(address to, uint256 value) external returns (bool) { balanceOf[msg.sender] -= value; balanceOf[to] += value; return true; }
    function enter(uint256 value) external {
        uint256 held = ASSET.balanceOf(address(this));
        uint256 shares = totalSupply == 0 || held == 0 ? value : value * totalSupply / held;
        balanceOf[msg.sender] += shares;
        totalSupply += shares;
        ASSET.transferFrom(msg.sender, address(this), value);
    }
    function leave(uint256 shares) external {
        uint256 value = shares * ASSET.balanceOf(address(this)) / totalSupply;
        balanceOf[msg.sender] -= shares;
        totalSupply -= shares;
        ASSET.transfer(msg.sender, value);
    }
}

/// Rewards for deposits, as MasterChef counts them.
contract RewardedDeposits is AssetVault {
    struct User { uint256 amount; uint256 debt; }
    mapping(address => User) private _users;
    uint256 private _perUnit;
    uint256 private _last;
    uint256 private _total;
    IAsset private immutable REWARD;
    constructor(IAsset asset, IAsset reward) AssetVault(asset) { REWARD = reward; }
    function _update() private { if (_total > 0) _perUnit += (block.timestamp - _last) * 1e30 / _total; _last = block.timestamp; }
    function deposit(uint256 value) external {
        User storage user = _users[msg.sender];
        _update();
        uint256 reward = user.amount * _perUnit / 1e12 - user.debt;
        user.amount += value;
        user.debt = user.amount * _perUnit / 1e12;
        _total += value;
        REWARD.transfer(msg.sender, reward);
        ASSET.transferFrom(msg.sender, address(this), value);
    }
    function withdraw(uint256 value) external {
        User storage user = _users[msg.sender];
        _update();
        uint256 reward = user.amount * _perUnit / 1e12 - user.debt;
        user.amount -= value;
        user.debt = user.amount * _perUnit / 1e12;
        _total -= value;
        REWARD.transfer(msg.sender, reward);
        ASSET.transfer(msg.sender, value);
    }
}

/// Rewards for deposits with time, as Synthetix counts them.
contract RewardsByTime is AssetVault {
    IAsset private immutable REWARD;
    uint256 private _rate;
    uint256 private _last;
    uint256 private _perUnit;
    uint256 private _total;
    mapping(address => uint256) private _paidUntil;
    mapping(address => uint256) private _rewards;
    mapping(address => uint256) private _staked;
    constructor(IAsset asset, IAsset reward) AssetVault(asset) { REWARD = reward; }
    function perUnit() public view returns (uint256) { return _total == 0 ? _perUnit : _perUnit + (block.timestamp - _last) * _rate * 1e18 / _total; }
    function earned(address account) public view returns (uint256) { return _staked[account] * (perUnit() - _paidUntil[account]) / 1e18 + _rewards[account]; }
    modifier updated(address account) { _perUnit = perUnit(); _last = block.timestamp; if (account != address(0)) { _rewards[account] = earned(account); _paidUntil[account] = _perUnit; } _; }
    function stake(uint256 value) external updated(msg.sender) { _total += value; _staked[msg.sender] += value; ASSET.transferFrom(msg.sender, address(this), value); }
    function withdraw(uint256 value) external updated(msg.sender) { _total -= value; _staked[msg.sender] -= value; ASSET.transfer(msg.sender, value); }
    function getReward() external updated(msg.sender) { uint256 reward = _rewards[msg.sender]; if (reward > 0) { _rewards[msg.sender] = 0; REWARD.transfer(msg.sender, reward); } }
    function notify(uint256 rate) external updated(address(0)) { require(msg.sender == KEEPER); _rate = rate; }
}

/// Payments to several accounts, each out of the entry of the caller.
contract PaidLists is AssetVault {
    constructor(IAsset asset) AssetVault(asset) {}
    function give(address[] calldata to, uint256[] calldata values) external { for (uint256 i; i < to.length; i++) { _shares[msg.sender] -= values[i]; _shares[to[i]] += values[i]; } }
}
