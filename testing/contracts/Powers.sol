// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {AccessManaged} from "@openzeppelin/contracts/access/manager/AccessManaged.sol";
import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

// Contracts that cannot be upgraded and whose privileged callers can do harm: one for each effect of docs/powers.md.

contract MintableToken is ERC20, Ownable {
    constructor(address owner) ERC20("Mintable", "MINT") Ownable(owner) {}
    function mint(address to, uint256 amount) external onlyOwner { _mint(to, amount); }
}

/// No privileged caller at all.
contract FixedToken is ERC20, ERC20Permit {
    constructor(address holder) ERC20("Fixed", "FIX") ERC20Permit("Fixed") { _mint(holder, 1e24); }
}

contract OpenVault is ERC4626 {
    constructor(IERC20 asset) ERC4626(asset) ERC20("Vault", "V") {}
}

/// Names that say nothing: what the functions do is in their code.
contract QuietToken is ERC20 {
    address private immutable KEY;
    mapping(address => bool) private odd;
    bool private calm;
    constructor(address key) ERC20("Quiet", "Q") { KEY = key; }
    modifier only() { require(msg.sender == KEY); _; }
    function aaa(address to, uint256 amount) external only { _mint(to, amount); }
    function bbb(address from, address to, uint256 amount) external only { _transfer(from, to, amount); }
    function ccc(address who, bool on) external only { odd[who] = on; }
    function ddd(bool on) external only { calm = on; }
    function _update(address from, address to, uint256 value) internal override {
        require(!odd[from] && !odd[to] && !calm);
        super._update(from, to, value);
    }
}

/// A mint hidden in a function that every caller may use.
contract TrapToken is ERC20 {
    address private key;
    constructor(address keeper) ERC20("Trap", "T") { key = keeper; }
    function transfer(address to, uint256 value) public override returns (bool) {
        if (msg.sender == key) { _mint(to, value); return true; }
        return super.transfer(to, value);
    }
}

contract RoleToken is ERC20, AccessControl, Pausable {
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");
    bytes32 public constant PAUSER_ROLE = keccak256("PAUSER_ROLE");
    constructor(address admin, address minter, address pauser) ERC20("Roles", "R") {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(MINTER_ROLE, minter);
        _grantRole(PAUSER_ROLE, pauser);
    }
    function mint(address to, uint256 amount) external onlyRole(MINTER_ROLE) { _mint(to, amount); }
    function pause() external onlyRole(PAUSER_ROLE) { _pause(); }
    function unpause() external onlyRole(PAUSER_ROLE) { _unpause(); }
    function _update(address from, address to, uint256 value) internal override whenNotPaused { super._update(from, to, value); }
}

contract ManagedToken is ERC20, AccessManaged {
    constructor(address manager) ERC20("Managed", "M") AccessManaged(manager) {}
    function mint(address to, uint256 amount) external restricted { _mint(to, amount); }
}

contract PriceOracle is Ownable {
    int256 private answer;
    constructor(address owner) Ownable(owner) {}
    function latestAnswer() external view returns (int256) { return answer; }
    function post(int256 next) external onlyOwner { answer = next; }
}

interface Feed { function latestAnswer() external view returns (int256); }

contract FeedConsumer is Ownable, ReentrancyGuard {
    using SafeERC20 for IERC20;
    Feed public feed;
    uint256 public fee;
    mapping(address => uint256) public stakes;
    IERC20 public immutable token;
    constructor(address owner, IERC20 asset) Ownable(owner) { token = asset; }
    function getPrice() external view returns (int256) { return feed.latestAnswer(); }
    function useFeed(Feed next) external onlyOwner { feed = next; }
    function setCharge(uint256 next) external onlyOwner { fee = next; }
    function stake(uint256 amount) external nonReentrant { stakes[msg.sender] += amount - fee; token.safeTransferFrom(msg.sender, address(this), amount); }
    function unstake(uint256 amount) external nonReentrant { require(stakes[msg.sender] >= amount); stakes[msg.sender] -= amount; token.safeTransfer(msg.sender, amount); }
    function rescue(IERC20 other, address to, uint256 amount) external nonReentrant onlyOwner { other.safeTransfer(to, amount); }
    function drain(address payable to) external onlyOwner { to.transfer(address(this).balance); }
}

contract Executor is Ownable {
    constructor(address owner) Ownable(owner) {}
    function run(address target, bytes calldata data) external payable onlyOwner { (bool ok, ) = target.call{value: msg.value}(data); require(ok); }
}

/// Messages of the endpoint mint; the owner chooses whom to trust.
contract BridgedToken is ERC20, Ownable {
    address public immutable endpoint;
    mapping(uint32 => bytes32) public peers;
    constructor(address owner, address from) ERC20("Bridged", "B") Ownable(owner) { endpoint = from; }
    function setPeer(uint32 eid, bytes32 peer) external onlyOwner { peers[eid] = peer; }
    function lzReceive(uint32 eid, bytes32 sender, address to, uint256 amount) external {
        require(msg.sender == endpoint && peers[eid] == sender);
        _mint(to, amount);
    }
}

/// Maker's authorization without events in the constructor.
contract WardedToken {
    mapping(address => uint256) public wards;
    mapping(address => uint256) public balanceOf;
    event Transfer(address indexed from, address indexed to, uint256 value);
    constructor(address ward) { wards[ward] = 1; }
    modifier auth() { require(wards[msg.sender] == 1); _; }
    function rely(address usr) external auth { wards[usr] = 1; }
    function deny(address usr) external auth { wards[usr] = 0; }
    function mint(address to, uint256 value) external auth { balanceOf[to] += value; emit Transfer(address(0), to, value); }
}

/// Minters have allowances, which events name; the flag of the pause is in the slot of the pending owner.
contract AllowanceToken is ERC20, Ownable2Step, Pausable {
    event MinterConfigured(address indexed minter, uint256 minterAllowedAmount);
    mapping(address => uint256) public minterAllowance;
    constructor(address owner) ERC20("Allowance", "ALW") Ownable(owner) {}
    function configureMinter(address minter, uint256 allowed) external onlyOwner { minterAllowance[minter] = allowed; emit MinterConfigured(minter, allowed); }
    function mint(address to, uint256 amount) external whenNotPaused { minterAllowance[msg.sender] -= amount; _mint(to, amount); }
    function pause() external onlyOwner { _pause(); }
    function unpause() external onlyOwner { _unpause(); }
}

interface IGate { function isMinter(address account) external view returns (bool); }

/// Another contract decides who mints.
contract GatedToken is ERC20 {
    IGate public immutable gate;
    constructor(IGate gate_) ERC20("Gated", "G") { gate = gate_; }
    function mint(address to, uint256 amount) external { require(gate.isMinter(msg.sender)); _mint(to, amount); }
}

/// Lets every account pass that `kind` asks for: 0 none, 1 all, 2 those without code, 3 those with code, if they pay for gas.
contract Gate is IGate {
    uint256 private immutable KIND;
    constructor(uint256 kind) { KIND = kind; }
    function isMinter(address account) external view returns (bool) {
        if (KIND < 2) return KIND == 1;
        return tx.gasprice > 0 && account.balance > 0 && (account.code.length > 0) == (KIND == 3);
    }
}

/// The owner may act through a forwarder, which appends the sender.
contract ForwardedToken is ERC20, ERC2771Context, Ownable {
    constructor(address owner, address forwarder) ERC20("F", "F") ERC2771Context(forwarder) Ownable(owner) {}
    function mint(address to, uint256 amount) external onlyOwner { _mint(to, amount); }
    function _msgSender() internal view override(Context, ERC2771Context) returns (address) { return ERC2771Context._msgSender(); }
    function _msgData() internal view override(Context, ERC2771Context) returns (bytes calldata) { return ERC2771Context._msgData(); }
    function _contextSuffixLength() internal view override(Context, ERC2771Context) returns (uint256) { return ERC2771Context._contextSuffixLength(); }
}

/// A signature of the signer mints.
contract SignedToken is ERC20 {
    address public signer;
    constructor(address by) ERC20("S", "S") { signer = by; }
    function claim(address to, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
        require(ecrecover(keccak256(abi.encode(to, amount)), v, r, s) == signer);
        _mint(to, amount);
    }
}

import {Context} from "@openzeppelin/contracts/utils/Context.sol";

/// A library that is a contract of its own: it runs on the storage of the contract that calls it.
library Payments {
    struct Book {
        address owner;
        address receiver;
    }

    function sweep(IERC20 token, address to, uint256 amount) external { token.transfer(to, amount); }
    function setReceiver(Book storage book, address receiver) external { book.receiver = receiver; }
    function onlyOwner(Book storage book) external view { require(msg.sender == book.owner); }
}

/// The owner moves the tokens through a library.
contract LinkedVault {
    address public owner;
    Payments.Book internal book;
    constructor(address owner_) { owner = owner_; }
    function sweep(IERC20 token, address to, uint256 amount) external { require(msg.sender == owner); Payments.sweep(token, to, amount); }
    function setReceiver(address receiver) external { require(msg.sender == owner); Payments.setReceiver(book, receiver); }
    function donate(IERC20 token, uint256 amount) external { Payments.sweep(token, address(this), amount); }
}

/// A library checks the caller.
contract LibraryChecked is ERC20 {
    Payments.Book internal book;
    constructor(address owner_) ERC20("Checked", "C") { book.owner = owner_; }
    function mint(address to, uint256 amount) external { Payments.onlyOwner(book); _mint(to, amount); }
}

contract RoleBook is AccessControl {
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");
    constructor(address admin, address minter) {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(MINTER_ROLE, minter);
    }
}

contract BookToken is ERC20 {
    RoleBook private immutable BOOK;
    bytes32 private constant MINTER_ROLE = keccak256("MINTER_ROLE");
    constructor(RoleBook book) ERC20("Book", "B") { BOOK = book; }
    function mint(address to, uint256 amount) external {
        require(BOOK.hasRole(MINTER_ROLE, msg.sender));
        _mint(to, amount);
    }
}

interface ISigners { function isOwner(address account) external view returns (bool); }

/// One signer of a Safe mints, not its threshold.
contract SignerToken is ERC20 {
    ISigners private immutable SAFE;
    constructor(ISigners safe) ERC20("Signer", "S") { SAFE = safe; }
    function mint(address to, uint256 amount) external { require(SAFE.isOwner(msg.sender)); _mint(to, amount); }
}

/// Names another owner to the key than to the others.
contract TwoFaces {
    address private immutable SHOWN;
    address private immutable HIDDEN;
    constructor(address shown, address hidden) { SHOWN = shown; HIDDEN = hidden; }
    function owner() external view returns (address) { return tx.origin == HIDDEN ? HIDDEN : SHOWN; }
}

contract OwnedElsewhere is ERC20 {
    TwoFaces private immutable BOOK;
    constructor(TwoFaces book) ERC20("Else", "E") { BOOK = book; }
    function mint(address to, uint256 amount) external {
        require(msg.sender == BOOK.owner());
        _mint(to, amount);
    }
}

/// A member of a role that no event reports.
contract HiddenMember is AccessControl, ERC20 {
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");
    constructor(address shown, address hidden) ERC20("Hidden", "H") {
        _grantRole(DEFAULT_ADMIN_ROLE, shown);
        _grantRole(MINTER_ROLE, shown);
        bytes32 entry = keccak256(abi.encode(hidden, keccak256(abi.encode(MINTER_ROLE, uint256(0)))));
        if (hidden != address(0)) assembly { sstore(entry, 1) }
        _mint(shown, 1e24);
    }
    function mint(address to, uint256 amount) external onlyRole(MINTER_ROLE) { _mint(to, amount); }
}

/// A function that stores a member without an event.
contract SilentGrants is AccessControl, ERC20 {
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");
    mapping(uint256 => uint256) private _notes;
    constructor(address shown) ERC20("Silent", "S") { _grantRole(DEFAULT_ADMIN_ROLE, shown); _grantRole(MINTER_ROLE, shown); }
    function mint(address to, uint256 amount) external onlyRole(MINTER_ROLE) { _mint(to, amount); }
    function note(bytes32 at, uint256 value) external onlyRole(DEFAULT_ADMIN_ROLE) { assembly { sstore(at, value) } }
}

/// Answers yes for an account that no event names.
contract LyingBook is RoleBook {
    address private immutable HIDDEN;
    constructor(address shown, address hidden) RoleBook(shown, shown) { HIDDEN = hidden; }
    function hasRole(bytes32 role, address account) public view override returns (bool) {
        return account == HIDDEN || super.hasRole(role, account);
    }
}

/// Answers for another account than the one that is asked about.
contract ShiftedBook is RoleBook {
    constructor(address shown) RoleBook(shown, shown) {}
    function hasRole(bytes32 role, address account) public view override returns (bool) {
        return super.hasRole(role, address(uint160(account) ^ 1));
    }
}

/// An account that no getter names can add members.
contract AppointedBook is RoleBook {
    address private _key;
    constructor(address shown, address key) RoleBook(shown, shown) { _key = key; }
    function add(address account) external { require(msg.sender == _key); _grantRole(MINTER_ROLE, account); }
}

/// An account that no getter names can change the owner.
contract NamedOwner {
    address public owner;
    address private _key;
    constructor(address shown, address key) { owner = shown; _key = key; }
    function name(address account) external { require(msg.sender == _key); owner = account; }
}

/// Denies a member by its getter.
contract DenyingToken is AccessControl, ERC20 {
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");
    address private immutable DENIED;
    constructor(address shown, address denied) ERC20("Denying", "D") {
        DENIED = denied;
        _grantRole(DEFAULT_ADMIN_ROLE, shown);
        _grantRole(MINTER_ROLE, shown);
        _grantRole(MINTER_ROLE, denied);
    }
    function hasRole(bytes32 role, address account) public view override returns (bool) { return account != DENIED && super.hasRole(role, account); }
    function mint(address to, uint256 amount) external { require(super.hasRole(MINTER_ROLE, msg.sender)); _mint(to, amount); }
}

/// A token with the getters of a timelock.
contract TimelockToken is AccessControl, ERC20 {
    address private _key;
    constructor(address shown, address key) ERC20("Timelock", "T") {
        _key = key;
        _grantRole(DEFAULT_ADMIN_ROLE, address(this));
        _grantRole(keccak256("PROPOSER_ROLE"), shown);
    }
    function getMinDelay() external pure returns (uint256) { return 2 days; }
    function mint(address to, uint256 amount) external { require(msg.sender == _key); _mint(to, amount); }
}
