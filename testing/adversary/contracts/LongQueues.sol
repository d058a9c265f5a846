// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Queue} from "./Queues.sol";

// Timelocks that treat short texts and lists correctly, and longer ones otherwise.

/// Of several calls only the first one is looked up.
contract FirstCallQueue is Queue {
    constructor(address admin_) Queue(admin_) {}
    function executeMany(address[] calldata targets, bytes[] calldata datas, uint256 eta) external onlyAdmin {
        _use(_key(targets[0], 0, "", datas[0], eta), eta);
        for (uint256 i; i < targets.length; ++i) _call(targets[i], datas[i]);
    }
}
/// The key does not cover data of more than a hundred bytes.
contract LongDataQueue is Queue {
    constructor(address admin_) Queue(admin_) {}
    function _key(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) internal pure override returns (bytes32) {
        if (data.length > 100) data = "";
        return keccak256(abi.encode(target, value, signature, data, eta));
    }
}
/// The key covers the first 64 bytes of the data.
contract CutDataQueue is Queue {
    constructor(address admin_) Queue(admin_) {}
    function _key(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) internal pure override returns (bytes32 key) {
        uint256 length = data.length;
        if (length > 64) assembly { mstore(data, 64) }
        key = keccak256(abi.encode(target, value, signature, data, eta));
        assembly { mstore(data, length) }
    }
}
/// The key does not cover data of more than a thousand bytes.
contract LongestDataQueue is Queue {
    constructor(address admin_) Queue(admin_) {}
    function _key(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) internal pure override returns (bytes32) {
        if (data.length > 1000) data = "";
        return keccak256(abi.encode(target, value, signature, data, eta));
    }
}
/// The key covers data of all lengths but one.
contract OneLengthQueue is Queue {
    constructor(address admin_) Queue(admin_) {}
    function _key(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) internal pure override returns (bytes32) {
        return keccak256(abi.encode(target, value, signature, keccak256(data.length == 132 ? bytes("") : data), eta));
    }
}
/// The key does not cover the data of calls with a long input.
contract LongInputQueue is Queue {
    constructor(address admin_) Queue(admin_) {}
    function _key(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) internal pure override returns (bytes32) {
        if (msg.data.length > 1000) data = "";
        return keccak256(abi.encode(target, value, signature, data, eta));
    }
}
/// The key does not cover data that begins at an odd place of the input.
contract OddPlaceQueue is Queue {
    constructor(address admin_) Queue(admin_) {}
    function _key(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) internal pure override returns (bytes32) {
        uint256 place;
        assembly { place := calldataload(100) }
        if (place & 31 == 1) data = "";
        return keccak256(abi.encode(target, value, signature, data, eta));
    }
}
