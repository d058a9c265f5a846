// Needs a new EVM.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Forwarding, LOGIC} from "./Base.sol";
import {VotingToken} from "./Walks.sol";

// Proxies that change the input, managers of what is behind another contract, and logic with an owner of its own.

/// Forwards all calls to the singleton of a Safe, but makes each call of a module a delegatecall.
contract DelegatingSafeProxy {
    constructor(address singleton) { assembly { sstore(0, singleton) } }
    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            if eq(shr(224, calldataload(0)), 0x468721a7) { mstore(100, 1) } // execTransactionFromModule
            let ok := delegatecall(gas(), sload(0), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
}
/// Forwards all calls to the singleton of a Safe as they are.
contract PlainSafeProxy is Forwarding {
    constructor(address singleton) { assembly { sstore(0, singleton) } }
    fallback() external payable { address singleton; assembly { singleton := sload(0) } _delegate(singleton); }
}
interface IUpgrades { function upgradeAndCall(address proxy, address logic, bytes calldata data) external; }
/// A token that, run by a Safe, upgrades a proxy.
contract UpgradingToken {
    address private immutable admin;
    address private immutable proxy;
    constructor(address admin_, address proxy_) { (admin, proxy) = (admin_, proxy_); }
    function transfer(address logic, uint256) external returns (bool) { IUpgrades(admin).upgradeAndCall(proxy, logic, ""); return true; }
}
/// Calls a fixed contract with every input.
contract FixedTarget is Forwarding {
    address private immutable target;
    constructor(address target_) { target = target_; }
    fallback() external payable { _call(target); }
}
/// A proxy whose manager replaces its logic.
contract ManagedTarget is Forwarding {
    address private immutable manager;
    constructor(address logic, address manager_) { manager = manager_; assembly { sstore(LOGIC, logic) } }
    function swap(address next) external { require(msg.sender == manager); assembly { sstore(LOGIC, next) } }
    fallback() external payable { address logic; assembly { logic := sload(LOGIC) } _delegate(logic); }
}
/// Logic that calls what its owner says.
contract StoredForwarder {
    address public owner;
    function initialize(address first) external { require(owner == address(0)); owner = first; }
    function forward(address to, bytes calldata data) external { require(msg.sender == owner); (bool ok, ) = to.call(data); require(ok); }
}
/// The same for every caller.
contract OpenForwarder {
    function forward(address to, bytes calldata data) external { (bool ok, ) = to.call(data); require(ok); }
}

/// A library that its owner may destroy by a call of the library's user only.
contract EndingLibrary {
    address private immutable self = address(this);
    uint256 private number;
    address private owner;
    function end() external { require(address(this) != self && msg.sender == owner); selfdestruct(payable(msg.sender)); }
}
contract LibraryLogic {
    uint256 public number;
    address public owner;
    address private immutable lib;
    constructor(address lib_) { lib = lib_; }
    function initialize(address first) external { require(owner == address(0)); owner = first; }
    function end() external {
        address to = lib;
        assembly {
            mstore(0, 0xefbe1c1c00000000000000000000000000000000000000000000000000000000)
            pop(delegatecall(gas(), to, 0, 4, 0, 0))
        }
    }
}

/// A token with votes, and another count that every account sets for itself.
contract ClaimedVotes is VotingToken {
    mapping(address => uint256) private claims;
    function claim(uint256 amount) external { claims[msg.sender] = amount; }
    function claimed(address account, uint256) external view returns (uint256) { return claims[account]; }
}
/// Forwards all calls, but reads the other count when it is asked for votes.
contract ClaimingProxy is Forwarding {
    address private immutable logic;
    constructor(address logic_) { logic = logic_; }
    fallback() external payable {
        address to = logic;
        assembly {
            calldatacopy(0, 0, calldatasize())
            // getPastVotes(address,uint256) becomes claimed(address,uint256)
            if iszero(mul(xor(shr(224, calldataload(0)), 0x3a46b1a8), 3)) { mstore(0, or(shr(32, shl(32, mload(0))), shl(224, 0x4dd6c8de))) }
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
}
