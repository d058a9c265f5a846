// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {AccessManaged} from "@openzeppelin/contracts/access/manager/AccessManaged.sol";
import {AccessManagedUpgradeable} from "@openzeppelin/contracts-upgradeable/access/manager/AccessManagedUpgradeable.sol";
import {AccessControlUpgradeable} from "@openzeppelin/contracts-upgradeable/access/AccessControlUpgradeable.sol";
import {Ownable2StepUpgradeable} from "@openzeppelin/contracts-upgradeable/access/Ownable2StepUpgradeable.sol";
import {OwnableUpgradeable} from "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

// Control patterns that no npm package contains, modeled on the deployed contracts they are named after.

/// A contract without any control.
contract Plain {
    uint256[64] private gap; // slots in which proxies keep their own state
    uint256 public number;
    function set(uint256 next) external { number = next; }
}

/// Not a proxy; its owner can pause and mint.
contract OwnedToken is Ownable {
    mapping(address => uint256) public balanceOf;
    bool public paused;
    constructor(address owner) Ownable(owner) {}
    function mint(address to, uint256 amount) external onlyOwner { balanceOf[to] += amount; }
    function setPaused(bool on) external onlyOwner { paused = on; }
}

contract OwnedUups is OwnableUpgradeable, UUPSUpgradeable {
    function initialize(address owner) external initializer { __Ownable_init(owner); }
    function _authorizeUpgrade(address) internal override onlyOwner {}
}

contract RoledUups is AccessControlUpgradeable, UUPSUpgradeable {
    bytes32 public constant UPGRADER_ROLE = keccak256("UPGRADER_ROLE");
    function initialize(address admin, address upgrader) external initializer {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        if (upgrader != address(0)) _grantRole(UPGRADER_ROLE, upgrader);
    }
    function _authorizeUpgrade(address) internal override onlyRole(UPGRADER_ROLE) {}
}

/// A role with an unusual name guards the upgrade.
contract CustomRoleUups is AccessControlUpgradeable, UUPSUpgradeable {
    bytes32 public constant GARDENER_ROLE = keccak256("GARDENER_ROLE");
    function initialize(address admin, address gardener) external initializer {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(GARDENER_ROLE, gardener);
    }
    function _authorizeUpgrade(address) internal override onlyRole(GARDENER_ROLE) {}
}

contract ManagedUups is AccessManagedUpgradeable, UUPSUpgradeable {
    function initialize(address manager) external initializer { __AccessManaged_init(manager); }
    function upgradeToAndCall(address next, bytes memory data) public payable override restricted { super.upgradeToAndCall(next, data); }
    function _authorizeUpgrade(address) internal override {}
}

/// owner() returns an account without any rights; a hidden account upgrades.
contract LyingUups is UUPSUpgradeable {
    address private hidden;
    address public owner;
    function initialize(address shown, address real) external { require(hidden == address(0)); owner = shown; hidden = real; }
    function _authorizeUpgrade(address) internal view override { require(msg.sender == hidden); }
}

/// owner() returns an account without any rights; a mapping lists who may upgrade.
contract MappingUups is UUPSUpgradeable {
    mapping(address => bool) private allowed;
    address public owner;
    function initialize(address shown, address real) external { require(owner == address(0)); owner = shown; allowed[real] = true; }
    function _authorizeUpgrade(address) internal view override { require(allowed[msg.sender]); }
}

/// A new owner must accept the ownership (Ownable2Step).
contract TwoStepUups is Ownable2StepUpgradeable, UUPSUpgradeable {
    function initialize(address owner) external initializer { __Ownable_init(owner); }
    function _authorizeUpgrade(address) internal override onlyOwner {}
}

/// Maker's wards guard the upgrade, as in its newer tokens.
contract WardedUups is UUPSUpgradeable {
    event Rely(address indexed usr);
    mapping(address => uint256) public wards;
    bool private initialized;
    function initialize(address ward) external { require(!initialized); initialized = true; wards[ward] = 1; emit Rely(ward); }
    function _authorizeUpgrade(address) internal view override { require(wards[msg.sender] == 1); }
}

interface Upgradeable { function upgradeTo(address) external; }

/// owner() returns one account, and another one may upgrade.
contract LyingProxyAdmin {
    address public owner;
    mapping(address => bool) private allowed;
    constructor(address shown, address real) { owner = shown; allowed[real] = true; }
    function upgrade(address proxy, address next) external { require(allowed[msg.sender]); Upgradeable(proxy).upgradeTo(next); }
}

/// An implementation that upgrades its proxy by votes.
contract VotingLogic {
    mapping(address => uint256) public votes;
    function vote() external { votes[msg.sender] += 1; }
    function moveOn(address next) external { require(votes[next] > 1_000); ERC1967Utils.upgradeToAndCall(next, ""); }
}

abstract contract Forwarding {
    function _delegate(address logic) internal {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), logic, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
}

/// An ERC-1967 proxy with its admin in a nonstandard slot.
contract HiddenAdminProxy is Forwarding {
    bytes32 private constant WHERE = keccak256("a secret place");
    constructor(address logic, address admin) {
        ERC1967Utils.upgradeToAndCall(logic, "");
        bytes32 where = WHERE;
        assembly { sstore(where, admin) }
    }
    function upgradeTo(address next) external {
        bytes32 where = WHERE;
        address admin;
        assembly { admin := sload(where) }
        require(msg.sender == admin);
        ERC1967Utils.upgradeToAndCall(next, "");
    }
    fallback() external payable { _delegate(ERC1967Utils.getImplementation()); }
}

/// Aave's proxy: the admin is an immutable.
contract FixedAdminProxy is Forwarding {
    address private immutable ADMIN;
    constructor(address logic, address admin) { ADMIN = admin; ERC1967Utils.upgradeToAndCall(logic, ""); }
    function upgradeTo(address next) external {
        if (msg.sender == ADMIN) ERC1967Utils.upgradeToAndCall(next, "");
        else _delegate(ERC1967Utils.getImplementation());
    }
    fallback() external payable { _delegate(ERC1967Utils.getImplementation()); }
}

/// Aave's PayloadsController, reduced to its delay.
contract PayloadsController {
    struct ExecutorConfig { address executor; uint40 delay; }
    mapping(uint8 => ExecutorConfig) private executors;
    constructor(address executor, uint40 delay) { executors[1] = ExecutorConfig(executor, delay); }
    function getExecutorSettingsByAccessControl(uint8 level) external view returns (ExecutorConfig memory) { return executors[level]; }
}

/// The ZeppelinOS proxy, as used by USDC.
contract ZosProxy is Forwarding {
    bytes32 private constant LOGIC = keccak256("org.zeppelinos.proxy.implementation");
    bytes32 private constant ADMIN = keccak256("org.zeppelinos.proxy.admin");
    constructor(address logic, address admin) { _store(LOGIC, logic); _store(ADMIN, admin); }
    function _store(bytes32 where, address what) private { assembly { sstore(where, what) } }
    function _load(bytes32 where) private view returns (address what) { assembly { what := sload(where) } }
    function upgradeTo(address next) external { require(msg.sender == _load(ADMIN)); _store(LOGIC, next); }
    fallback() external payable { _delegate(_load(LOGIC)); }
}

/// Compound's Unitroller.
contract Unitroller is Forwarding {
    address public admin;
    address public pendingAdmin;
    address public comptrollerImplementation;
    address public pendingComptrollerImplementation;
    constructor(address logic, address admin_) { admin = admin_; comptrollerImplementation = logic; }
    function _setPendingImplementation(address next) external { require(msg.sender == admin); pendingComptrollerImplementation = next; }
    function _acceptImplementation() external { require(msg.sender == pendingComptrollerImplementation); comptrollerImplementation = msg.sender; }
    fallback() external payable { _delegate(comptrollerImplementation); }
}

/// Compound's Timelock, reduced to what identifies it.
contract Timelock {
    uint256 public constant GRACE_PERIOD = 14 days;
    address public admin;
    address public pendingAdmin;
    uint256 public delay;
    mapping(bytes32 => bool) public queuedTransactions;
    constructor(address admin_, uint256 delay_) { admin = admin_; delay = delay_; }
    function setDelay(uint256 next) external { require(msg.sender == address(this)); delay = next; }
    function setPendingAdmin(address next) external { require(msg.sender == address(this)); pendingAdmin = next; }
    function acceptAdmin() external { require(msg.sender == pendingAdmin); admin = msg.sender; pendingAdmin = address(0); }
    function queueTransaction(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) external {
        require(msg.sender == admin && eta >= block.timestamp + delay);
        queuedTransactions[keccak256(abi.encode(target, value, signature, data, eta))] = true;
    }
}

/// GovernorBravo, reduced to what identifies it.
contract GovernorBravo {
    address public admin;
    address public timelock;
    uint256 public votingDelay = 13_140;
    uint256 public votingPeriod = 19_710;
    constructor(address timelock_, address admin_) { timelock = timelock_; admin = admin_; }
}

/// A diamond with only a table of facets.
contract Diamond is Forwarding {
    mapping(bytes4 => address) internal facets;
    address public owner;
    address[] internal listed;
    constructor(address owner_, bool canCut) { owner = owner_; if (canCut) _add(0x1f931c1c, address(this)); }
    function _add(bytes4 selector, address facet) internal { facets[selector] = facet; listed.push(facet); }
    function facetAddress(bytes4 selector) external view returns (address) { return facets[selector]; }
    function facetAddresses() external view returns (address[] memory) { return listed; }
    fallback() external payable {
        address facet = facets[msg.sig];
        require(facet != address(0));
        _delegate(facet);
    }
}

/// A diamond whose owner may cut it, reduced to the check of the caller.
contract CutDiamond is Diamond {
    struct FacetCut { address facet; uint8 action; bytes4[] selectors; }
    constructor(address owner_) Diamond(owner_, true) {}
    function diamondCut(FacetCut[] calldata, address, bytes calldata) external view { require(msg.sender == owner); }
}

/// owner() returns an account without any rights; a mapping lists who may cut.
contract LyingDiamond is Diamond {
    struct FacetCut { address facet; uint8 action; bytes4[] selectors; }
    mapping(address => bool) private allowed;
    constructor(address shown, address real) Diamond(shown, true) { allowed[real] = true; }
    function diamondCut(FacetCut[] calldata, address, bytes calldata) external view { require(allowed[msg.sender]); }
}

/// A diamond with a facet and without diamondCut.
contract UncutDiamond is Diamond {
    constructor(address owner_, bytes4 selector, address facet) Diamond(owner_, false) { _add(selector, facet); }
}

/// Cuts by a nonstandard function, like Matter Labs' admin facet.
contract CustomCutFacet {
    mapping(bytes4 => address) private facets;
    address private owner;
    function executeUpgrade(bytes4 selector, address facet, address start, bytes calldata data) external {
        require(msg.sender == owner);
        facets[selector] = facet;
        (bool ok,) = start.delegatecall(data);
        require(ok);
    }
}

/// The facet of the reference diamond that transfers ownership.
contract OwnershipFacet {
    bytes32 private constant PLACE = keccak256("diamond.standard.diamond.storage");
    struct Place { mapping(bytes4 => bytes32) facets; mapping(uint256 => bytes32) slots; uint16 count; mapping(bytes4 => bool) interfaces; address owner; }
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);
    function _place() private pure returns (Place storage place) { bytes32 where = PLACE; assembly { place.slot := where } }
    function transferOwnership(address next) external {
        Place storage place = _place();
        require(msg.sender == place.owner);
        emit OwnershipTransferred(place.owner, next);
        place.owner = next;
    }
}

/// StarkWare's proxy.
contract StarkProxy is Forwarding {
    event LogNewGovernorAccepted(address acceptedGovernor);
    bytes32 private constant LOGIC = keccak256("StarkWare2019.implemntation-slot");
    bytes32 private constant DELAY = keccak256("StarkWare.Upgradibility.Delay.Slot");
    mapping(address => bool) private governors;
    constructor(address logic, address governor, uint256 delay) {
        bytes32 where = LOGIC;
        bytes32 wait = DELAY;
        assembly { sstore(where, logic) sstore(wait, delay) }
        governors[governor] = true;
        emit LogNewGovernorAccepted(governor);
    }
    function proxyIsGovernor(address who) external view returns (bool) { return governors[who]; }
    function upgradeTo(address next) external { require(governors[msg.sender]); bytes32 where = LOGIC; assembly { sstore(where, next) } }
    fallback() external payable { bytes32 where = LOGIC; address logic; assembly { logic := sload(where) } _delegate(logic); }
}

/// Has the functions of a timelock, but its RoleGranted event has no indexed arguments.
contract OddTimelock {
    event RoleGranted(bytes32 role, address account, address sender);
    uint256 public constant getMinDelay = 2 days;
    constructor() { emit RoleGranted(0, msg.sender, msg.sender); }
    function hasRole(bytes32, address) external pure returns (bool) { return false; }
    function getRoleAdmin(bytes32) external pure returns (bytes32) { return 0; }
}

/// Has the functions of a Safe, but is not a Safe.
contract FakeSafe {
    function getThreshold() external pure returns (uint256) { return 3; }
    function getOwners() external pure returns (address[] memory owners) {
        owners = new address[](5);
        for (uint160 n; n < 5; ++n) owners[n] = address(n + 100);
    }
    function nonce() external pure returns (uint256) { return 1; }
}
