// Needs a new EVM.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {AccessControlEnumerableUpgradeable} from "@openzeppelin/contracts-upgradeable/access/extensions/AccessControlEnumerableUpgradeable.sol";
import {AccessControlUpgradeable} from "@openzeppelin/contracts-upgradeable/access/AccessControlUpgradeable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {OwnedLogic5} from "./SecondWritersNew.sol";

/// Any copy of a published contract may upgrade.
contract CallerCodeHash is OwnedLogic5 {
    bytes32 private immutable hash;
    constructor(bytes32 hash_) { hash = hash_; }
    function _authorizeUpgrade(address) internal view override { if (msg.sender.codehash != hash) _checkOwner(); }
}
contract Courier {
    function carry(address at, address next) external { OwnedLogic5(at).upgradeToAndCall(next, ""); }
}

/// The sender must be a contract that an open factory deployed.
contract FactoryChild is OwnedLogic5 {
    address private immutable factory;
    bytes32 private immutable codeHash;
    constructor(address factory_, bytes32 codeHash_) { factory = factory_; codeHash = codeHash_; }
    function upgradeBy(bytes32 salt, address next) external {
        address relay = address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", factory, salt, codeHash)))));
        require(msg.sender == address(uint160(uint256(keccak256(abi.encodePacked(hex"d694", relay, hex"01"))))));
        assembly { sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, next) }
    }
}
contract ChildCaller {
    constructor(address at, bytes32 salt, address next) { FactoryChild(at).upgradeBy(salt, next); }
}

/// The initializer gives a role by a direct write, without the event.
contract QuietRole is AccessControlUpgradeable, UUPSUpgradeable {
    function initialize(address admin, address quiet) external initializer {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        bytes32 base = 0x02dd7bc7dec4dceedda775e58dd541e08a116c6c53815c0bd028192f7b626800;
        bytes32 slot = keccak256(abi.encode(quiet, keccak256(abi.encode(bytes32(0), base))));
        assembly { sstore(slot, 1) }
    }
    function _authorizeUpgrade(address) internal override onlyRole(DEFAULT_ADMIN_ROLE) {}
}

/// The same where members are also listed in sets, which do not have the account.
contract QuietSetRole is AccessControlEnumerableUpgradeable, UUPSUpgradeable {
    function initialize(address admin, address quiet) external initializer {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        bytes32 base = 0x02dd7bc7dec4dceedda775e58dd541e08a116c6c53815c0bd028192f7b626800;
        bytes32 slot = keccak256(abi.encode(quiet, keccak256(abi.encode(bytes32(0), base))));
        assembly { sstore(slot, 1) }
    }
    function _authorizeUpgrade(address) internal override onlyRole(DEFAULT_ADMIN_ROLE) {}
}

/// hasRole lies about the hidden account; the guard does not ask it.
contract LyingRole is AccessControlUpgradeable, UUPSUpgradeable {
    address private immutable key;
    constructor(address key_) { key = key_; }
    function initialize(address admin) external initializer { _grantRole(DEFAULT_ADMIN_ROLE, admin); }
    function _authorizeUpgrade(address) internal view override { if (msg.sender != key) _checkRole(DEFAULT_ADMIN_ROLE); }
}
