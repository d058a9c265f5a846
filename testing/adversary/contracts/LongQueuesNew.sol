// Needs a new EVM.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";

/// The number of a batch covers its first call only.
contract FirstCallTimelock is TimelockController {
    constructor(address[] memory members) TimelockController(2 days, members, members, address(0)) {}
    function hashOperationBatch(address[] calldata targets, uint256[] calldata values, bytes[] calldata datas, bytes32 before, bytes32 salt) public pure override returns (bytes32) {
        return keccak256(abi.encode(targets[0], values[0], datas[0], before, salt));
    }
}
