// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {AccessControl} from "openzeppelin-contracts-4/access/AccessControl.sol";
import {Initializable} from "openzeppelin-contracts-4/proxy/utils/Initializable.sol";
import {UUPSUpgradeable} from "openzeppelin-contracts-4/proxy/utils/UUPSUpgradeable.sol";
import {LOGIC, Plain} from "./Base.sol";

/// Members of one role upgrade, members of another role grant it.
abstract contract RoledBase is AccessControl, Initializable, UUPSUpgradeable {
    bytes32 public constant UPGRADER_ROLE = keccak256("UPGRADER_ROLE");
    bytes32 public constant ADMIN_ROLE = keccak256("ADMIN_ROLE");
    function initialize(address owner, address hidden) external virtual initializer { _setUp(owner, hidden); }
    function _setUp(address owner, address) internal virtual {
        _setRoleAdmin(UPGRADER_ROLE, ADMIN_ROLE);
        _setRoleAdmin(ADMIN_ROLE, ADMIN_ROLE);
        _grantRole(ADMIN_ROLE, owner);
        _grantRole(UPGRADER_ROLE, owner);
    }
    function _authorizeUpgrade(address) internal virtual override onlyRole(UPGRADER_ROLE) {}
    function _slotOf(bytes32 role, address account) internal pure returns (bytes32) {
        return keccak256(abi.encode(account, keccak256(abi.encode(role, uint256(0)))));
    }
}

contract LadderRoles is RoledBase {}

/// Any caller may join the role that grants the role that upgrades.
contract OpenLadder is RoledBase {
    function join() external { _grantRole(ADMIN_ROLE, msg.sender); }
}

/// Any caller may replace the role that administers the administrators.
contract OpenRoleAdmin is RoledBase {
    bytes32 public constant GUEST_ROLE = keccak256("GUEST_ROLE");
    function welcome() external { _grantRole(GUEST_ROLE, msg.sender); }
    function delegateTo(bytes32 next) external { _setRoleAdmin(ADMIN_ROLE, next); }
}

/// hasRole denies a member that the guard finds in the table.
contract DenyingRoles is RoledBase {
    address private hidden;
    function _setUp(address owner, address hidden_) internal override {
        super._setUp(owner, hidden_);
        hidden = hidden_;
        _grantRole(UPGRADER_ROLE, hidden_);
    }
    function hasRole(bytes32 role, address account) public view override returns (bool) { return account != hidden && super.hasRole(role, account); }
    function _authorizeUpgrade(address) internal view override {
        bytes32 slot = _slotOf(UPGRADER_ROLE, msg.sender);
        uint256 entry;
        assembly { entry := sload(slot) }
        require(entry != 0);
    }
}

/// To revoke a role clears the bit that hasRole reads and leaves another one, which the guard reads.
contract HalfRevoked is RoledBase {
    function _setUp(address owner, address hidden) internal override {
        super._setUp(owner, hidden);
        bytes32 slot = _slotOf(UPGRADER_ROLE, owner);
        assembly { sstore(slot, 0x10001) }
        slot = _slotOf(UPGRADER_ROLE, hidden);
        assembly { sstore(slot, 0x10000) }
        emit RoleGranted(UPGRADER_ROLE, hidden, owner);
        emit RoleRevoked(UPGRADER_ROLE, hidden, owner);
    }
    function _authorizeUpgrade(address) internal view override {
        bytes32 slot = _slotOf(UPGRADER_ROLE, msg.sender);
        uint256 entry;
        assembly { entry := and(sload(slot), 0x10000) }
        require(entry != 0);
    }
}

/// getRoleAdmin names one role, the table another.
contract LyingRoleAdmin is RoledBase {
    bytes32 private constant QUIET = keccak256("QUIET");
    function _setUp(address owner, address hidden) internal override {
        super._setUp(owner, hidden);
        _grantRole(QUIET, hidden);
        _setRoleAdmin(UPGRADER_ROLE, QUIET);
    }
    function getRoleAdmin(bytes32 role) public view override returns (bytes32) { return role == UPGRADER_ROLE ? ADMIN_ROLE : super.getRoleAdmin(role); }
    function grantRole(bytes32 role, address account) public override onlyRole(super.getRoleAdmin(role)) { _grantRole(role, account); }
}

/// wards() denies a ward that the guard finds in the table.
contract DenyingWards is Plain {
    event Rely(address indexed usr);
    mapping(address => uint256) private entries;
    address private hidden;
    bool private initialized;
    function wards(address usr) external view returns (uint256) { return usr == hidden ? 0 : entries[usr]; }
    function initialize(address shown, address hidden_) external {
        require(!initialized);
        initialized = true;
        hidden = hidden_;
        entries[shown] = 1;
        emit Rely(shown);
        entries[hidden_] = 1;
        emit Rely(hidden_);
    }
    function rely(address usr) external { require(entries[msg.sender] == 1); entries[usr] = 1; emit Rely(usr); }
    function proxiableUUID() external pure returns (bytes32) { return LOGIC; }
    function upgradeToAndCall(address next, bytes calldata) external payable { require(entries[msg.sender] == 1); assembly { sstore(LOGIC, next) } }
}

/// The first logic of a proxy: it fills the table of the next one without an event, and makes way for it.
contract EarlierLogic is RoledBase {
    function initialize(address owner, address hidden) external override initializer {
        _setUp(owner, hidden);
        bytes32 slot = _slotOf(UPGRADER_ROLE, hidden);
        assembly { sstore(slot, 1) }
    }
    function finish(address next) external { assembly { sstore(LOGIC, next) } emit Upgraded(next); }
}
