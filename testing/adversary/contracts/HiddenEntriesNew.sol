// Needs a new EVM.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";

/// An operation is announced when the contract is created, and due at once.
contract AnnouncedTimelock is TimelockController {
    constructor(address target, bytes memory data, address[] memory members, address[] memory executors)
        TimelockController(2 days, members, executors, address(0))
    {
        bytes32 id = keccak256(abi.encode(target, uint256(0), data, bytes32(0), bytes32(0)));
        bytes32 slot = keccak256(abi.encode(id, uint256(1)));
        assembly { sstore(slot, 2) }
        emit CallScheduled(id, 0, target, 0, data, 0, 2 days);
    }
}
