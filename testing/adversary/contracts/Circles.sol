// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {OwnedLogic} from "./Base.sol";

// Contracts that act for the account that controls them.

abstract contract SignsForAnyone {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) { return 0x1626ba7e; }
    function isValidSignature(bytes calldata, bytes calldata) external pure returns (bytes4) { return 0x20c13b0b; }
}

contract SigningLogic is OwnedLogic, SignsForAnyone {}

contract ApprovingLogic is OwnedLogic {
    function approve(address safe, bytes32 hash) external { (bool ok,) = safe.call(abi.encodeWithSignature("approveHash(bytes32)", hash)); require(ok); }
}

contract OwnedWallet {
    address public owner = msg.sender;
    function transferOwnership(address next) external { require(msg.sender == owner); owner = next; }
    function run(address target, bytes calldata data) external { require(msg.sender == owner); (bool ok,) = target.call(data); require(ok); }
}

contract SigningWallet is OwnedWallet, SignsForAnyone {}
