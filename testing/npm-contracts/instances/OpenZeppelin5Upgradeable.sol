// SPDX-License-Identifier: MIT
pragma solidity ^0.8.27;

// What OpenZeppelin's wizard writes for upgradeable contracts with namespaced storage.
import {AccessControlUpgradeable} from "@openzeppelin/contracts-upgradeable/access/AccessControlUpgradeable.sol";
import {AccessManagedUpgradeable} from "@openzeppelin/contracts-upgradeable/access/manager/AccessManagedUpgradeable.sol";
import {OwnableUpgradeable} from "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
import {ERC20Upgradeable} from "@openzeppelin/contracts-upgradeable/token/ERC20/ERC20Upgradeable.sol";
import {ERC20PausableUpgradeable} from "@openzeppelin/contracts-upgradeable/token/ERC20/extensions/ERC20PausableUpgradeable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

contract OwnableUpgradeableToken is ERC20PausableUpgradeable, OwnableUpgradeable, UUPSUpgradeable {
    function initialize(address owner_) public initializer {
        __ERC20_init("Token", "T");
        __ERC20Pausable_init();
        __Ownable_init(owner_);
    }

    function pause() public onlyOwner {
        _pause();
    }

    function unpause() public onlyOwner {
        _unpause();
    }

    function mint(address to, uint256 amount) public onlyOwner {
        _mint(to, amount);
    }

    function _authorizeUpgrade(address) internal override onlyOwner {}
}

contract RolesUpgradeableToken is ERC20PausableUpgradeable, AccessControlUpgradeable, UUPSUpgradeable {
    bytes32 public constant PAUSER_ROLE = keccak256("PAUSER_ROLE");
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");
    bytes32 public constant UPGRADER_ROLE = keccak256("UPGRADER_ROLE");

    function initialize(address admin) public initializer {
        __ERC20_init("Token", "T");
        __ERC20Pausable_init();
        __AccessControl_init();
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(UPGRADER_ROLE, admin);
    }

    function pause() public onlyRole(PAUSER_ROLE) {
        _pause();
    }

    function mint(address to, uint256 amount) public onlyRole(MINTER_ROLE) {
        _mint(to, amount);
    }

    function _authorizeUpgrade(address) internal override onlyRole(UPGRADER_ROLE) {}
}

contract ManagedUpgradeableToken is ERC20Upgradeable, AccessManagedUpgradeable, UUPSUpgradeable {
    function initialize(address authority_) public initializer {
        __ERC20_init("Token", "T");
        __AccessManaged_init(authority_);
    }

    function mint(address to, uint256 amount) public restricted {
        _mint(to, amount);
    }

    function _authorizeUpgrade(address) internal override restricted {}
}
