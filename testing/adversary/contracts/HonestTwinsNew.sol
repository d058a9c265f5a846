// Needs a new EVM.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {AccessControlUpgradeable} from "@openzeppelin/contracts-upgradeable/access/AccessControlUpgradeable.sol";
import {AccessControlEnumerableUpgradeable} from "@openzeppelin/contracts-upgradeable/access/extensions/AccessControlEnumerableUpgradeable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

/// Roles are given with their events.
contract RoledLogic is AccessControlUpgradeable, UUPSUpgradeable {
    function initialize(address admin) external initializer { _grantRole(DEFAULT_ADMIN_ROLE, admin); }
    function _authorizeUpgrade(address) internal override onlyRole(DEFAULT_ADMIN_ROLE) {}
}

/// Members of roles are also listed in sets.
contract RoledSetLogic is AccessControlEnumerableUpgradeable, UUPSUpgradeable {
    function initialize(address admin) external initializer { _grantRole(DEFAULT_ADMIN_ROLE, admin); }
    function _authorizeUpgrade(address) internal override onlyRole(DEFAULT_ADMIN_ROLE) {}
}
