// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {LOGIC, OwnedLogic} from "./Base.sol";

/// Only the contract itself may seize; `relay` runs that function under its own name.
contract RenamedInput is OwnedLogic {
    function seize(address next) external {
        require(msg.sender == address(this));
        assembly { sstore(LOGIC, next) }
    }
    /// The copy of the input is empty.
    function relay(address) external payable {
        bytes4 selector = this.seize.selector;
        assembly {
            mstore(0, selector)
            calldatacopy(4, 4, 32)
            calldatacopy(0, 0, callvalue())
            if iszero(delegatecall(gas(), address(), 0, 36, 0, 0)) { revert(0, 0) }
        }
    }
    function start(address) external {
        bytes4 selector = this.relay.selector;
        assembly {
            mstore(0, selector)
            calldatacopy(4, 4, 32)
            if iszero(call(gas(), address(), 0, 0, 36, 0, 0)) { revert(0, 0) }
        }
    }
}

/// The same, with one byte of the input before the others of the selector.
contract MixedInput is OwnedLogic {
    function seize(address next) external {
        require(msg.sender == address(this));
        assembly { sstore(LOGIC, next) }
    }
    fallback() external {
        bytes4 selector = this.seize.selector;
        if (msg.sig != bytes4(uint32(uint32(selector) ^ 1))) return;
        assembly {
            mstore(0, calldataload(0))
            mstore(1, mul(selector, 256))
            calldatacopy(4, 4, 32)
            if iszero(delegatecall(gas(), address(), 0, 36, 0, 0)) { revert(0, 0) }
        }
    }
    function start(address) external {
        bytes4 selector = bytes4(uint32(uint32(this.seize.selector) ^ 1));
        assembly {
            mstore(0, selector)
            calldatacopy(4, 4, 32)
            if iszero(call(gas(), address(), 0, 0, 36, 0, 0)) { revert(0, 0) }
        }
    }
}
