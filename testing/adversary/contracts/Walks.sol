// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Forwarding, LOGIC, ADMIN} from "./Base.sol";
import {HonestBallots, Weights} from "./Ballots.sol";
import {DelegatedVotes} from "./Checkpoints.sol";
import {Module, YesOwner} from "./Modules.sol";
import {Authority} from "./Patterns.sol";

// Controllers that are reached on a longer path: signers of signers, votes, managers, circles.

/// Answers like the old multisig wallet, and signs everything.
contract YesMultisig is YesOwner {
    address[] private owners;
    constructor(address[] memory owners_) { owners = owners_; }
    function getOwners() external view returns (address[] memory) { return owners; }
    function required() external pure returns (uint256) { return 2; }
}

/// Forwards to the singleton of a Safe as its proxies do, and accepts every signature.
contract LyingSafeProxy {
    address private singleton;
    constructor(address singleton_) { singleton = singleton_; }
    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(0), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) { revert(0, returndatasize()) }
            let selector := and(calldataload(0), 0xffffffff00000000000000000000000000000000000000000000000000000000)
            if eq(selector, 0x20c13b0b00000000000000000000000000000000000000000000000000000000) { mstore(0, selector) return(0, 32) }
            return(0, returndatasize())
        }
    }
}

/// A module that obeys its Safe alone.
contract ObeyingModule is Module {
    address private immutable safe;
    constructor(address safe_) { safe = safe_; }
    function exec(address to, bytes calldata data) external { require(msg.sender == safe); _exec(safe, to, data, 0); }
}

/// Transfers tokens for delegates of a Safe, like the allowance module of Safe.
contract TransferModule is Module {
    function executeAllowanceTransfer(address safe, address token, address to, uint96 amount) external {
        _exec(safe, token, abi.encodeWithSignature("transfer(address,uint256)", to, amount), 0);
    }
}
/// A proxy whose upgrade function has the name of a token's.
contract TransferProxy is Forwarding {
    constructor(address logic, address admin) { assembly { sstore(LOGIC, logic) sstore(ADMIN, admin) } }
    function transfer(address next, uint256) external returns (bool) {
        address admin;
        assembly { admin := sload(ADMIN) }
        require(msg.sender == admin);
        assembly { sstore(LOGIC, next) }
        return true;
    }
    fallback() external payable { address logic; assembly { logic := sload(LOGIC) } _delegate(logic); }
}
/// A proxy whose upgrade function has a name of its own.
contract NamedProxy is Forwarding {
    constructor(address logic, address admin) { assembly { sstore(LOGIC, logic) sstore(ADMIN, admin) } }
    function replaceLogic(address next) external {
        address admin;
        assembly { admin := sload(ADMIN) }
        require(msg.sender == admin);
        assembly { sstore(LOGIC, next) }
    }
    fallback() external payable { address logic; assembly { logic := sload(LOGIC) } _delegate(logic); }
}

/// A governor whose proposals its timelock executes.
contract LockedBallots is HonestBallots {
    QuickLock public immutable timelock;
    constructor(Weights token_, QuickLock lock) HonestBallots(token_) { timelock = lock; }
    function execute(address target, bytes calldata data) external virtual override {
        _pass(keccak256(abi.encode(target, data)));
        timelock.execute(target, data);
    }
}
/// Answers like a timelock of OpenZeppelin and executes at once what the governor asks for.
contract QuickLock {
    bytes32 private constant PROPOSER = keccak256("PROPOSER_ROLE");
    address private governor;
    event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender);
    function start(address governor_) external {
        require(governor == address(0));
        governor = governor_;
        emit RoleGranted(PROPOSER, governor_, msg.sender);
    }
    function getMinDelay() external pure returns (uint256) { return 2 days; }
    function hasRole(bytes32 role, address account) external view returns (bool) { return role == PROPOSER && account == governor; }
    function getRoleAdmin(bytes32) external pure returns (bytes32) { return 0; }
    function execute(address target, bytes calldata data) external {
        require(msg.sender == governor);
        (bool ok, ) = target.call(data);
        require(ok);
    }
}

/// A governor that answers like the controller of payloads of Aave.
contract PayloadBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function getExecutorSettingsByAccessControl(uint8) external view returns (address, uint40) { return (address(this), 2 days); }
}

/// A token that derived contracts mint.
abstract contract VotingToken is DelegatedVotes {
    function _mint(address to, uint256 amount) internal {
        balanceOf[to] += uint96(amount);
        emit Transfer(address(0), to, amount);
        _move(address(0), delegates[to], uint96(amount));
    }
}
contract KeyToken is VotingToken {
    address private minter;
    function initialize(address minter_) external { require(minter == address(0)); minter = minter_; }
    function mint(address to, uint256 amount) external { require(msg.sender == minter); _mint(to, amount); }
}
/// Mints for itself alone, and calls whatever it is asked to call.
contract SelfToken is VotingToken {
    function mint(address to, uint256 amount) external { require(msg.sender == address(this)); _mint(to, amount); }
    function run(address to, bytes calldata data) external { (bool ok, ) = to.call(data); require(ok); }
}
/// Mints for a contract that obeys the token.
contract CircleToken is VotingToken {
    address private minter;
    function initialize(address minter_) external { require(minter == address(0)); minter = minter_; }
    function mint(address to, uint256 amount) external { require(msg.sender == minter); _mint(to, amount); }
    function run(address to, bytes calldata data) external { (bool ok, ) = to.call(data); require(ok); }
}
contract TokenMinter {
    address public owner;
    constructor(address token) { owner = token; }
    function mint(address to, uint256 amount) external { require(msg.sender == owner); KeyToken(owner).mint(to, amount); }
}
/// One key says how many votes an account has.
contract WeightToken is VotingToken {
    address private immutable keeper;
    constructor(address keeper_) { keeper = keeper_; }
    function adjust(address account, uint96 votes) external { require(msg.sender == keeper); _write(account, numCheckpoints[account], 0, votes); }
}
/// One key mints by its signature, in a function with a name of another use.
contract PermitToken is VotingToken {
    address private immutable key;
    constructor(address key_) { key = key_; }
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        require(ecrecover(keccak256(abi.encode(owner, spender, value, deadline)), v, r, s) == key);
        _mint(owner, value);
    }
}
interface Transferring { function transfer(address to, uint256 amount) external returns (bool); }
/// Obeys its manager, and pays tokens for anyone.
contract PayingHolder {
    address public owner;
    function start(address owner_) external { require(owner == address(0)); owner = owner_; }
    function exec(address to, bytes calldata data) external { require(msg.sender == owner); (bool ok, ) = to.call(data); require(ok); }
    function pay(Transferring token, address to, uint256 amount) external { token.transfer(to, amount); }
}
/// Obeys a Safe, and what it calls a transfer of its holder.
contract TransferManager {
    PayingHolder private immutable holder;
    address public immutable owner;
    address private immutable admin;
    address private immutable proxy;
    constructor(PayingHolder holder_, address owner_, address admin_, address proxy_) { (holder, owner, admin, proxy) = (holder_, owner_, admin_, proxy_); }
    function run(address to, bytes calldata data) external { require(msg.sender == owner); holder.exec(to, data); }
    function transfer(address logic, uint256) external returns (bool) {
        require(msg.sender == address(holder));
        holder.exec(admin, abi.encodeWithSignature("upgradeAndCall(address,address,bytes)", proxy, logic, ""));
        return true;
    }
}

/// Calls a target that members of a role replace, and has balances.
contract RoledCaller is Forwarding {
    struct Role { mapping(address => bool) members; bytes32 admin; }
    mapping(bytes32 => Role) private roles;
    mapping(address => uint256) public balances;
    event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender);
    event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender);
    address private target;
    function initialize(address first, address target_) external { require(target == address(0)); target = target_; _grant(0, first); }
    function hasRole(bytes32 role, address account) public view returns (bool) { return roles[role].members[account]; }
    function getRoleAdmin(bytes32 role) public view returns (bytes32) { return roles[role].admin; }
    function grantRole(bytes32 role, address account) external { require(hasRole(getRoleAdmin(role), msg.sender)); _grant(role, account); }
    function revokeRole(bytes32 role, address account) external {
        require(hasRole(getRoleAdmin(role), msg.sender));
        roles[role].members[account] = false;
        emit RoleRevoked(role, account, msg.sender);
    }
    function _grant(bytes32 role, address account) private {
        if (roles[role].members[account]) return;
        roles[role].members[account] = true;
        emit RoleGranted(role, account, msg.sender);
    }
    function deposit(uint256 amount) external { balances[msg.sender] += amount; }
    function replace(address next) external { require(hasRole(0, msg.sender)); target = next; }
    fallback() external payable { _call(target); }
}
/// The same layout: it adds a member without an event.
contract SilentRoles {
    struct Role { mapping(address => bool) members; bytes32 admin; }
    mapping(bytes32 => Role) private roles;
    function grant(address account) external { roles[0].members[account] = true; }
}

/// The authority with roles of Solmate.
contract RolesAuthority is Authority {
    address public owner;
    Authority public authority;
    mapping(address => bytes32) public getUserRoles;
    mapping(address => mapping(bytes4 => bool)) public isCapabilityPublic;
    mapping(address => mapping(bytes4 => bytes32)) public getRolesWithCapability;
    event UserRoleUpdated(address indexed user, uint8 indexed role, bool enabled);
    constructor(address owner_) { owner = owner_; }
    modifier requiresAuth() {
        Authority auth = authority;
        require((address(auth) != address(0) && auth.canCall(msg.sender, address(this), msg.sig)) || msg.sender == owner, "UNAUTHORIZED");
        _;
    }
    function canCall(address user, address target, bytes4 sig) external view returns (bool) {
        return isCapabilityPublic[target][sig] || bytes32(0) != getUserRoles[user] & getRolesWithCapability[target][sig];
    }
    function setPublicCapability(address target, bytes4 sig, bool enabled) external requiresAuth { isCapabilityPublic[target][sig] = enabled; }
    function setRoleCapability(uint8 role, address target, bytes4 sig, bool enabled) external requiresAuth {
        if (enabled) getRolesWithCapability[target][sig] |= bytes32(1 << role);
        else getRolesWithCapability[target][sig] &= ~bytes32(1 << role);
    }
    function setUserRole(address user, uint8 role, bool enabled) external requiresAuth {
        if (enabled) getUserRoles[user] |= bytes32(1 << role); else getUserRoles[user] &= ~bytes32(1 << role);
        emit UserRoleUpdated(user, role, enabled);
    }
    function transferOwnership(address next) external requiresAuth { owner = next; }
}
/// A controller with Solmate's `Auth`: the owner, or an account that the authority lets pass.
contract AuthExecutor {
    address public owner;
    Authority public authority;
    constructor(address owner_, Authority authority_) { (owner, authority) = (owner_, authority_); }
    modifier requiresAuth() {
        Authority auth = authority;
        require((address(auth) != address(0) && auth.canCall(msg.sender, address(this), msg.sig)) || msg.sender == owner, "UNAUTHORIZED");
        _;
    }
    function setAuthority(Authority next) external {
        require(msg.sender == owner || authority.canCall(msg.sender, address(this), msg.sig));
        authority = next;
    }
    function transferOwnership(address next) external requiresAuth { owner = next; }
    function run(address to, bytes calldata data) external requiresAuth { (bool ok, ) = to.call(data); require(ok); }
}
/// A controller with Solmate's `Owned`.
contract OwnedExecutor {
    address public owner;
    constructor(address owner_) { owner = owner_; }
    modifier onlyOwner() { require(msg.sender == owner, "UNAUTHORIZED"); _; }
    function transferOwnership(address next) external onlyOwner { owner = next; }
    function run(address to, bytes calldata data) external onlyOwner { (bool ok, ) = to.call(data); require(ok); }
}
