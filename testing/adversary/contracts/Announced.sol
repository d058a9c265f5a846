// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Queue} from "./Queues.sol";

/// A timelock that changes its own delay.
contract AdjustableQueue is Queue {
    constructor(address admin_) Queue(admin_) {}
    function setDelay(uint256 next) external { require(msg.sender == address(this)); delay = next; }
}
