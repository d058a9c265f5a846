// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {AccessControl} from "openzeppelin-contracts-4/access/AccessControl.sol";
import {Ownable} from "openzeppelin-contracts-4/access/Ownable.sol";
import {ERC1967Proxy} from "openzeppelin-contracts-4/proxy/ERC1967/ERC1967Proxy.sol";
import {UUPSUpgradeable} from "openzeppelin-contracts-4/proxy/utils/UUPSUpgradeable.sol";
import {StorageSlot} from "openzeppelin-contracts-4/utils/StorageSlot.sol";

contract OwnedUups4 is Ownable, UUPSUpgradeable {
    bool private initialized;
    function initialize(address owner) external { require(!initialized); initialized = true; _transferOwnership(owner); }
    function _authorizeUpgrade(address) internal override onlyOwner {}
}

/// Any caller may initialize it again once it has no owner.
contract ReclaimableUups4 is Ownable, UUPSUpgradeable {
    function initialize(address owner) external { require(Ownable.owner() == address(0)); _transferOwnership(owner); }
    function _authorizeUpgrade(address) internal override onlyOwner {}
}

/// The owner upgrades; the roles have no part in it.
contract OwnedRoledUups4 is Ownable, AccessControl, UUPSUpgradeable {
    function initialize(address owner, address admin) external {
        require(Ownable.owner() == address(0));
        _transferOwnership(owner);
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
    }
    function _authorizeUpgrade(address) internal override onlyOwner {}
}

/// Any caller may upgrade.
contract OpenRoledUups4 is AccessControl, UUPSUpgradeable {
    function initialize(address admin) external { _grantRole(DEFAULT_ADMIN_ROLE, admin); }
    function _authorizeUpgrade(address) internal override {}
}

/// Lido's OssifiableProxy, modeled on https://github.com/lidofinance/core/blob/master/contracts/0.8.9/proxy/OssifiableProxy.sol.
contract OssifiableProxy is ERC1967Proxy {
    error ErrorNotAdmin();
    error ErrorProxyIsOssified();
    event ProxyOssified();
    constructor(address logic, address admin, bytes memory data) ERC1967Proxy(logic, data) { _changeAdmin(admin); }
    modifier onlyAdmin() {
        address admin = _getAdmin();
        if (admin == address(0)) revert ErrorProxyIsOssified();
        if (admin != msg.sender) revert ErrorNotAdmin();
        _;
    }
    function proxy__getAdmin() external view returns (address) { return _getAdmin(); }
    function proxy__getImplementation() external view returns (address) { return _implementation(); }
    function proxy__getIsOssified() external view returns (bool) { return _getAdmin() == address(0); }
    function proxy__ossify() external onlyAdmin {
        address previous = _getAdmin();
        StorageSlot.getAddressSlot(_ADMIN_SLOT).value = address(0);
        emit AdminChanged(previous, address(0));
        emit ProxyOssified();
    }
    function proxy__changeAdmin(address next) external onlyAdmin { _changeAdmin(next); }
    function proxy__upgradeTo(address next) external onlyAdmin { _upgradeTo(next); }
    function proxy__upgradeToAndCall(address next, bytes memory data, bool force) external onlyAdmin { _upgradeToAndCall(next, data, force); }
}

/// An OssifiableProxy that lets any caller delegatecall arbitrary code.
contract OpenProxy is OssifiableProxy {
    constructor(address logic, address admin, bytes memory data) OssifiableProxy(logic, admin, data) {}
    function proxy__run(address code, bytes calldata data) external { (bool ok,) = code.delegatecall(data); require(ok); }
}
