// Needs a new EVM.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {OwnedLogic5} from "./SecondWritersNew.sol";

contract ChainIdTrial is OwnedLogic5 {
    function _authorizeUpgrade(address) internal view override { if (block.chainid != 31337) _checkOwner(); }
}

contract BaseFeeTrial is OwnedLogic5 {
    function _authorizeUpgrade(address) internal view override { if (block.basefee == 0) _checkOwner(); }
}

contract GasLimitTrial is OwnedLogic5 {
    function _authorizeUpgrade(address) internal view override { if (gasleft() > block.gaslimit / 100) _checkOwner(); }
}

/// An access list makes the balance of this address cheap to read.
contract WarmAccess is OwnedLogic5 {
    function _authorizeUpgrade(address) internal view override {
        uint256 cost = gasleft();
        uint256 balance_ = address(0xfeed).balance;
        cost -= gasleft();
        if (cost + balance_ * 0 > 1000) _checkOwner();
    }
}

/// An access list makes this slot cheap to read.
contract WarmSlot is OwnedLogic5 {
    function _authorizeUpgrade(address) internal view override {
        uint256 cost = gasleft();
        uint256 value;
        assembly { value := sload(0xfeed) }
        cost -= gasleft();
        if (cost > 1000 + value) _checkOwner();
    }
}

contract TransientFlag is OwnedLogic5 {
    function touch() external { assembly { tstore(1, caller()) } }
    function _authorizeUpgrade(address) internal view override {
        address last;
        assembly { last := tload(1) }
        if (last != msg.sender) _checkOwner();
    }
}
contract TransientCaller {
    constructor(address at, address next) {
        TransientFlag(at).touch();
        TransientFlag(at).upgradeToAndCall(next, "");
    }
}

contract AttachedValue is OwnedLogic5 {
    function _authorizeUpgrade(address) internal view override { if (msg.value == 0) _checkOwner(); }
}

/// The data of upgradeToAndCall opens the guard.
contract AttachedCall is OwnedLogic5 {
    function _authorizeUpgrade(address) internal view override {
        if (msg.data.length < 196 || bytes4(msg.data[100:104]) != 0x5eaf00d5) _checkOwner();
    }
}
