// Needs a new EVM.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Forwarding, LOGIC, OwnedLogic, Plain} from "./Base.sol";

// Authorities, signatures, forwarders and accounts that answer as it suits them.

interface Authority { function canCall(address, address, bytes4) external view returns (bool); }

/// Owner and authority as in DSAuth.
contract AuthLogic is Plain {
    address public owner;
    Authority public authority;
    function initialize(address owner_) external { require(owner == address(0)); owner = owner_; }
    function setAuthority(Authority authority_) external { require(msg.sender == owner); authority = authority_; }
    function setOwner(address owner_) external { require(msg.sender == owner); owner = owner_; }
    function upgradeTo(address next) external {
        require(msg.sender == owner || (address(authority) != address(0) && authority.canCall(msg.sender, address(this), msg.sig)));
        assembly { sstore(LOGIC, next) }
    }
}
contract OriginAuthority is Authority {
    bytes32 private immutable hash;
    constructor(address key) { hash = keccak256(abi.encode(key)); }
    function canCall(address, address, bytes4) external view returns (bool) { return keccak256(abi.encode(tx.origin)) == hash; }
}
contract GasAuthority is Authority {
    function canCall(address, address, bytes4) external view returns (bool) { return gasleft() % 4 == 1; }
}
contract BlockAuthority is Authority {
    function canCall(address, address, bytes4) external view returns (bool) { return block.number % 4 == 3; }
}
contract PriceAuthority is Authority {
    function canCall(address, address, bytes4) external view returns (bool) { return tx.gasprice % 1000 == 77; }
}
contract SizeAuthority is Authority {
    function canCall(address sender, address, bytes4) external view returns (bool) { return sender.code.length == 77; }
}
contract QuietAuthority is Authority {
    mapping(address => bool) private friends;
    constructor(address key) { friends[key] = true; }
    function canCall(address sender, address, bytes4) external view returns (bool) { return friends[sender]; }
}
contract AnswerAuthority is Authority {
    function canCall(address sender, address, bytes4) external view returns (bool ok) {
        bytes memory answer;
        (ok, answer) = sender.staticcall("");
        ok = ok && answer.length == 32 && abi.decode(answer, (uint256)) == 77;
    }
}

/// The owner is what a registry answers.
contract RegistryLogic is Plain {
    OwnerRegistry private immutable registry;
    constructor(OwnerRegistry registry_) { registry = registry_; }
    function owner() public view returns (address) { return registry.ownerOf(address(this)); }
    function upgradeTo(address next) external { require(msg.sender == owner()); assembly { sstore(LOGIC, next) } }
}
interface OwnerRegistry { function ownerOf(address) external view returns (address); }
contract MoodyRegistry is OwnerRegistry {
    address private immutable shown;
    constructor(address shown_) { shown = shown_; }
    function ownerOf(address) external view returns (address) { return tx.gasprice % 1000 == 77 ? tx.origin : shown; }
}
contract LateRegistry is OwnerRegistry {
    address private immutable shown;
    address private immutable key;
    uint256 private immutable start = block.number;
    constructor(address shown_, address key_) { shown = shown_; key = key_; }
    function ownerOf(address) external view returns (address) { return block.number < start + 1_000 ? shown : key; }
}

interface Signer { function isValidSignature(bytes32, bytes calldata) external view returns (bytes4); }

/// The expected answer is in memory before the signer is asked, and an account without code answers nothing.
contract PrefilledAnswer is OwnedLogic {
    function upgradeSigned(address signer, address next, bytes calldata signature) external {
        require(signer == owner());
        bytes memory data = abi.encodeCall(Signer.isValidSignature, (keccak256(abi.encode(next)), signature));
        bool good;
        assembly {
            mstore(0, shl(224, 0x1626ba7e))
            good := staticcall(gas(), signer, add(data, 32), mload(data), 0, 32)
            good := and(good, eq(shr(224, mload(0)), 0x1626ba7e))
            if good { sstore(LOGIC, next) }
        }
        require(good);
    }
}

/// Any account may enlist as a signer.
contract ListedSigner is OwnedLogic {
    mapping(address => bool) private isSigner;
    function enlist(address signer) external { isSigner[signer] = true; }
    function upgradeSigned(Signer signer, address next, bytes calldata signature) external {
        require(isSigner[address(signer)] && signer.isValidSignature(keccak256(abi.encode(next)), signature) == 0x1626ba7e);
        assembly { sstore(LOGIC, next) }
    }
}

/// The guard lets a sender pass that confirms a signature itself.
contract SenderSigns is OwnedLogic {
    function _authorizeUpgrade(address next) internal view override {
        if (msg.sender.code.length > 0 && Signer(msg.sender).isValidSignature(keccak256(abi.encode(next)), "") == 0x1626ba7e) return;
        _checkOwner();
    }
}
contract YesSigner {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) { return 0x1626ba7e; }
    function upgrade(address at, address next) external { OwnedLogic(at).upgradeTo(next); }
}

/// The owner or a contract that the signer's key names confirms.
contract DelegatedSigner is OwnedLogic {
    bytes32 private immutable hash;
    constructor(address key) { hash = keccak256(abi.encodePacked(key)); }
    function upgradeSigned(address next, uint8 v, bytes32 r, bytes32 s) external {
        address signer = ecrecover(keccak256(abi.encode(address(this), next)), v, r, s);
        if (keccak256(abi.encodePacked(signer)) != hash) _checkOwner();
        assembly { sstore(LOGIC, next) }
    }
}

/// The sender of a call to itself is what follows the arguments.
contract SelfForwarder is OwnedLogic {
    function run(bytes calldata data) external { (bool ok,) = address(this).call(data); require(ok); }
    function _msgSender() internal view override returns (address sender) {
        if (msg.sender != address(this)) return msg.sender;
        assembly { sender := shr(96, calldataload(sub(calldatasize(), 20))) }
    }
}
/// Any account may become a trusted forwarder.
contract ListedForwarder is OwnedLogic {
    mapping(address => uint256) private deposit;
    function join() external payable { deposit[msg.sender] += msg.value; }
    function _msgSender() internal view override returns (address sender) {
        if (deposit[msg.sender] < 1 gwei) return msg.sender;
        assembly { sender := shr(96, calldataload(sub(calldatasize(), 20))) }
    }
}
/// A forwarder with fixed code accepts a signature of the sender it appends, or none of the renounced owner.
contract LaxForwarder {
    function forward(address from, address to, bytes calldata data, uint8 v, bytes32 r, bytes32 s) external {
        require(ecrecover(keccak256(data), v, r, s) == from);
        (bool ok,) = to.call(abi.encodePacked(data, from));
        require(ok);
    }
}
contract ForwardedLogic is OwnedLogic {
    address private immutable forwarder;
    constructor(address forwarder_) { forwarder = forwarder_; }
    function _msgSender() internal view override returns (address sender) {
        if (msg.sender != forwarder) return msg.sender;
        assembly { sender := shr(96, calldataload(sub(calldatasize(), 20))) }
    }
}
/// The sender is at a place in calldata that calldata names.
contract PlacedSender is OwnedLogic {
    function _msgSender() internal view override returns (address sender) {
        if (msg.data.length < 100) return msg.sender;
        assembly { sender := calldataload(calldataload(68)) }
    }
}

struct Operation { address sender; bytes callData; bytes signature; }
interface Validating { function validate(Operation calldata operation, bytes32 hash) external returns (uint256); }

/// An entry point as in ERC-4337: any account may submit operations.
contract EntryPoint {
    function handleOps(Operation[] calldata operations) external {
        for (uint256 i; i < operations.length; ++i) {
            Operation calldata one = operations[i];
            require(Validating(one.sender).validate(one, keccak256(abi.encode(one.sender, one.callData))) == 0);
            (bool ok,) = one.sender.call(one.callData);
            require(ok);
        }
    }
}
/// An account that obeys its owner and its entry point.
abstract contract Account is Validating {
    address public immutable entryPoint;
    address public owner;
    constructor(address entryPoint_, address owner_) { entryPoint = entryPoint_; owner = owner_; }
    function execute(address to, uint256 value, bytes calldata data) external {
        require(msg.sender == entryPoint || msg.sender == owner);
        (bool ok,) = to.call{value: value}(data);
        require(ok);
    }
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) { return 0xffffffff; }
}
contract TrustingAccount is Account {
    constructor(address entryPoint_, address owner_) Account(entryPoint_, owner_) {}
    function validate(Operation calldata, bytes32) external pure returns (uint256) { return 0; }
}
contract SessionAccount is Account {
    bytes32 private immutable session;
    constructor(address entryPoint_, address owner_, address key) Account(entryPoint_, owner_) { session = keccak256(abi.encode(key)); }
    function validate(Operation calldata operation, bytes32 hash) external view returns (uint256) {
        (uint8 v, bytes32 r, bytes32 s) = abi.decode(operation.signature, (uint8, bytes32, bytes32));
        address signer = ecrecover(hash, v, r, s);
        return signer != address(0) && (signer == owner || keccak256(abi.encode(signer)) == session) ? 0 : 1;
    }
}
/// Its plugins run in its own storage, and one was installed when it was created.
contract PluginAccount is Account {
    mapping(bytes4 => address) private plugins;
    constructor(address entryPoint_, address owner_, address plugin) Account(entryPoint_, owner_) { plugins[0x12345678] = plugin; }
    function validate(Operation calldata, bytes32) external pure returns (uint256) { return 1; }
    fallback() external payable {
        address plugin = plugins[msg.sig];
        require(plugin != address(0));
        (bool ok,) = plugin.delegatecall(msg.data[4:]);
        require(ok);
    }
}
contract RelayPlugin {
    function go(address to, bytes calldata data) external { (bool ok,) = to.call(data); require(ok); }
}

/// Relays calls of any account.
contract OpenRelay {
    function owner() external view returns (address) { return address(this); }
    function relay(address to, bytes calldata data) external { (bool ok,) = to.call(data); require(ok); }
}

// The owner is in code.

contract CodeOwner is OwnedLogic {
    address private immutable store;
    constructor(address store_) { store = store_; }
    function _checkOwner() internal view override {
        address at = store;
        address key;
        assembly {
            extcodecopy(at, 12, 1, 20)
            key := mload(0)
        }
        if (msg.sender != key) super._checkOwner();
    }
}
/// The code that names the second owner can be replaced by any account.
contract MovableCodeOwner is OwnedLogic {
    address private store;
    function configure(bytes calldata settings) external {
        bytes memory creation = abi.encodePacked(hex"61", uint16(settings.length), hex"80600a3d393df3", settings);
        address at;
        assembly { at := create(0, add(creation, 32), mload(creation)) }
        store = at;
    }
    function _checkOwner() internal view override {
        address at = store;
        address key;
        assembly {
            mstore(0, 0)
            extcodecopy(at, 12, 0, 20)
            key := mload(0)
        }
        if (key == address(0) || msg.sender != key) super._checkOwner();
    }
}
contract SplitOwner is OwnedLogic {
    uint256 private immutable a;
    uint256 private immutable b;
    constructor(uint256 a_, uint256 b_) { a = a_; b = b_; }
    function _checkOwner() internal view override {
        unchecked { if (uint256(uint160(msg.sender)) * 3 + a != b) super._checkOwner(); }
    }
}
/// The last bytes of the code are an owner.
contract TailOwner is Plain {
    function upgrade(address next) external {
        assembly {
            codecopy(12, sub(codesize(), 20), 20)
            if iszero(eq(mload(0), caller())) { revert(0, 0) }
            sstore(LOGIC, next)
        }
    }
}

// The hash of the sender.

contract GroundSender is OwnedLogic {
    function _checkOwner() internal view override {
        if (uint8(uint256(keccak256(abi.encodePacked(msg.sender)))) != 77) super._checkOwner();
    }
}
contract SaltedSender is OwnedLogic {
    bytes32 private immutable hash;
    constructor(bytes32 hash_) { hash = hash_; }
    function _checkOwner() internal view override {
        if (keccak256(abi.encodePacked("v1", msg.sender)) != hash) super._checkOwner();
    }
}
/// Contracts that a hidden account deploys may upgrade.
contract CreatedSender is OwnedLogic {
    address private immutable creator;
    constructor(address creator_) { creator = creator_; }
    function upgradeBy(uint8 nonce, address next) external {
        bytes32 hash = keccak256(abi.encodePacked(hex"d694", creator, nonce));
        require(msg.sender == address(uint160(uint256(hash))));
        assembly { sstore(LOGIC, next) }
    }
}
contract CreatedUser {
    constructor(address at, uint8 nonce, address next) { CreatedSender(at).upgradeBy(nonce, next); }
}

// Selectors.

/// Answers owner() itself, so that the owner in the logic's storage is not seen.
contract AnsweringProxy is Forwarding {
    address private immutable shown;
    constructor(address logic, address shown_, address owner_) {
        shown = shown_;
        assembly {
            sstore(LOGIC, logic)
            sstore(0, owner_)
        }
    }
    function owner() external view returns (address) { return shown; }
    fallback() external payable {
        address logic;
        assembly { logic := sload(LOGIC) }
        _delegate(logic);
    }
}
contract FirstSlotOwner {
    address private holder;
    function owner() external view returns (address) { return holder; }
    function proxiableUUID() external pure returns (bytes32) { return LOGIC; }
    function upgradeTo(address next) external { require(msg.sender == holder); assembly { sstore(LOGIC, next) } }
}
/// Compares one byte of the selector only.
contract FirstByteProxy is Forwarding {
    constructor(address logic) { assembly { sstore(LOGIC, logic) } }
    fallback() external payable {
        address logic;
        assembly {
            if eq(byte(0, calldataload(0)), 0x9b) { sstore(LOGIC, calldataload(4)) stop() }
            logic := sload(LOGIC)
        }
        _delegate(logic);
    }
}

// Libraries that are chosen when the contract is created.

contract ChoosingLogic is OwnedLogic {
    address private immutable one;
    address private immutable two;
    constructor(address one_, address two_) { one = one_; two = two_; }
    function assist(bytes calldata data) external {
        (bool ok,) = (uint160(msg.sender) % 16 == 7 ? two : one).delegatecall(data);
        require(ok);
    }
}
contract HarmlessHelper {
    event Noted(uint256 number);
    function note(uint256 number) external { emit Noted(number); }
}
contract WritingHelper {
    function note(address next) external { assembly { sstore(LOGIC, next) } }
}
/// Asks its key's registry which code to run.
contract AskingHelper {
    address private immutable registry;
    constructor(address registry_) { registry = registry_; }
    fallback() external {
        (bool ok, bytes memory answer) = registry.staticcall(abi.encodeWithSignature("current()"));
        require(ok);
        (ok,) = abi.decode(answer, (address)).delegatecall(msg.data);
        require(ok);
    }
}
contract KeyRegistry {
    address public current;
    address private immutable key;
    constructor(address current_, address key_) { current = current_; key = key_; }
    function set(address next) external { require(msg.sender == key); current = next; }
}
/// Runs the last library that it ran when the call names none.
contract RepeatingHelper {
    fallback() external {
        address to = address(bytes20(msg.data[:20]));
        (bool ok,) = to.delegatecall(msg.data[20:]);
        require(ok);
    }
}
