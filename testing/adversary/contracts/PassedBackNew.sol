// Needs a new EVM.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Settable} from "./PassedBack.sol";

/// A contract that it creates says what is stored where.
contract CreatedStores is Settable {
    mapping(bytes32 => bytes32) private stored;
    constructor(address first) Settable(first) {}
    fallback() external payable {
        bytes memory program = bytes.concat(target.code, msg.data);
        assembly {
            pop(create2(0, add(program, 32), mload(program), 7))
            returndatacopy(0, 0, returndatasize())
            if returndatasize() { sstore(mload(0), mload(32)) }
        }
        bytes32 answer = stored[bytes32(msg.sig)];
        assembly { mstore(0, answer) return(0, 32) }
    }
}
/// Answers where it created a contract: no other code says where.
contract CreatesForAnyone {
    fallback() external payable {
        assembly {
            let size := sub(calldatasize(), 32)
            calldatacopy(0, 32, size)
            let created := create2(callvalue(), 0, size, calldataload(0))
            if iszero(created) { revert(0, 0) }
            mstore(0, created)
            return(12, 20)
        }
    }
}

/// Says by each created contract whether it was created, a bit for a word.
contract CreatedBits is Settable {
    constructor(address first) Settable(first) {}
    fallback() external payable {
        bytes memory program = bytes.concat(target.code, msg.data, bytes32(0));
        assembly {
            let answer := 0
            for { let bit := 0 } lt(bit, 256) { bit := add(bit, 1) } {
                mstore(add(program, mload(program)), bit)
                answer := or(shl(1, answer), gt(create2(0, add(program, 32), mload(program), bit), 0))
            }
            mstore(0, answer)
            return(0, 32)
        }
    }
}
