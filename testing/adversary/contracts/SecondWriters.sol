// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Forwarding, LOGIC, OwnedLogic, Plain} from "./Base.sol";

// A slot is written by more than the upgrade function.

contract DirectWriter is OwnedLogic {
    function setReserve(address reserve) external { assembly { sstore(LOGIC, reserve) } }
}

contract PlainDirectWriter is Plain {
    function setReserve(address reserve) external { assembly { sstore(LOGIC, reserve) } }
}

contract HashedNameWriter is Plain {
    function setLabel(string calldata name, address value) external {
        bytes32 slot = bytes32(uint256(keccak256(bytes(name))) - 1);
        assembly { sstore(slot, value) }
    }
}

contract AnySlotWriter is Plain {
    function record(bytes32 slot, bytes32 value) external { assembly { sstore(slot, value) } }
}

/// Only one mask passes the check, and it turns the constant into the implementation slot.
contract MaskedSlotWriter is OwnedLogic {
    uint256 private constant BASE = 0x1111111111111111111111111111111111111111111111111111111111111111;
    bytes32 private constant CHECK = keccak256(abi.encode(uint256(LOGIC) ^ BASE));
    function record(uint256 mask, address value) external {
        require(keccak256(abi.encode(mask)) == CHECK);
        uint256 slot = BASE ^ mask;
        assembly { sstore(slot, value) }
    }
}

/// The slot is an ordinary number in storage.
contract StoredSlotWriter is OwnedLogic {
    uint256 private first;
    uint256 private second;
    function initialize(address owner_) public override {
        super.initialize(owner_);
        first = uint256(LOGIC) / 3;
        second = uint256(LOGIC) - 2 * first;
    }
    function remember(uint256 value) external {
        uint256 slot = first * 2 + second;
        assembly { sstore(slot, value) }
    }
}

/// The proxy keeps its pointer in an element of a mapping that the logic offers as notes.
contract MappingPointerProxy is Forwarding {
    mapping(bytes32 => address) private pointers;
    constructor(address logic) { pointers["logic"] = logic; }
    fallback() external payable { _delegate(pointers["logic"]); }
}
contract NotesLogic {
    mapping(bytes32 => uint256) public notes;
    function note(bytes32 key, uint256 value) external { notes[key] = value; }
}

contract ArrayUnderflow is OwnedLogic {
    uint256[] public list;
    function add(uint256 value) external { list.push(value); }
    function removeLast() external { assembly { sstore(list.slot, sub(sload(list.slot), 1)) } }
    function replace(uint256 index, uint256 value) external { list[index] = value; }
}

contract ArrayWithoutBounds is Plain {
    uint256[] private list;
    function replace(uint256 index, uint256 value) external {
        assembly {
            mstore(0, list.slot)
            sstore(add(keccak256(0, 32), index), value)
        }
    }
}

/// The caller chooses the namespace of the storage.
contract NamespaceWriter is OwnedLogic {
    struct Box { uint256 count; address holder; }
    function _box(uint256 namespace) private pure returns (Box storage box) { assembly { box.slot := namespace } }
    function setHolder(uint256 namespace, address holder) external { _box(namespace).holder = holder; }
}

/// One call chooses a place, a later one fills it.
contract TwoStepWriter is OwnedLogic {
    bytes32 private place;
    function open(bytes32 where) external { place = where; }
    function fill(address value) external { bytes32 where = place; assembly { sstore(where, value) } }
}

contract FallbackWriter is Plain {
    fallback() external payable {
        assembly { if eq(calldatasize(), 20) { sstore(LOGIC, div(calldataload(0), exp(2, 96))) } }
    }
}

contract ReceiveWriter is OwnedLogic {
    receive() external payable { assembly { if eq(callvalue(), 7) { sstore(LOGIC, caller()) } } }
}
/// Pays from its constructor, so that its own address becomes the logic.
contract PayingLogic {
    constructor(address payable to) payable { (bool ok,) = to.call{value: msg.value}(""); require(ok); }
    function taken() external pure returns (bytes32) { return keccak256("taken"); }
}

/// Calldata of two bytes is no function call.
contract ShortCalldataWriter is Plain {
    mapping(address => address) public favorite;
    function setFavorite(address value) external { favorite[msg.sender] = value; }
    fallback() external {
        address value = favorite[msg.sender];
        if (msg.data.length == 2) assembly { sstore(LOGIC, value) }
    }
}

contract CalldataLengthWriter is OwnedLogic {
    mapping(address => uint256) public deposits;
    function deposit(uint256 amount) external {
        if (msg.data.length == 49) assembly { sstore(LOGIC, amount) }
        else deposits[msg.sender] += amount;
    }
}

contract ExactValueWriter is OwnedLogic {
    mapping(address => uint256) public gifts;
    function donate(address to) external payable {
        if (msg.value == 13) assembly { sstore(LOGIC, to) }
        gifts[to] += msg.value;
    }
}

/// The function has the selector of burn(uint256), which the logic has too.
contract SelectorCollisionProxy is Forwarding {
    constructor(address logic) { assembly { sstore(LOGIC, logic) } }
    function collate_propagate_storage(bytes16) external { assembly { sstore(LOGIC, calldataload(36)) } }
    fallback() external payable { address logic; assembly { logic := sload(LOGIC) } _delegate(logic); }
}
contract BurningLogic {
    mapping(address => uint256) public balanceOf;
    function mint(uint256 amount) external { balanceOf[msg.sender] += amount; }
    function burn(uint256 amount) external { balanceOf[msg.sender] -= amount; }
}

contract OpenDelegate is OwnedLogic {
    function run(address target, bytes calldata data) external returns (bytes memory result) {
        bool ok;
        (ok, result) = target.delegatecall(data);
        require(ok);
    }
}

contract StoredDelegate is Plain {
    address public helper;
    function setHelper(address next) external { helper = next; }
    function help(bytes calldata data) external { (bool ok,) = helper.delegatecall(data); require(ok); }
}

contract PluginDelegate is OwnedLogic {
    mapping(address => address) public pluginOf;
    function install(address plugin) external { pluginOf[msg.sender] = plugin; }
    function usePlugin(bytes calldata data) external { (bool ok,) = pluginOf[msg.sender].delegatecall(data); require(ok); }
}

/// Functions that the logic lacks are run from a fixed extension.
contract ExtendedLogic is OwnedLogic, Forwarding {
    address private immutable extension;
    constructor(address extension_) { extension = extension_; }
    fallback() external { _delegate(extension); }
}
contract WritingExtension { function tidy(address value) external { assembly { sstore(LOGIC, value) } } }
contract NextExtension is Forwarding {
    address private immutable next;
    constructor(address next_) { next = next_; }
    function ping() external pure returns (uint256) { return 1; }
    fallback() external { _delegate(next); }
}

/// A library in the style of a linked one, with the storage place as an argument.
contract StorageLibraryUser is Plain {
    address private immutable extension;
    constructor(address extension_) { extension = extension_; }
    function keep(bytes32 where, bytes32 value) external {
        (bool ok,) = extension.delegatecall(abi.encodeWithSignature("store(bytes32,bytes32)", where, value));
        require(ok);
    }
}

contract ReinitializableLogic is OwnedLogic {
    function initializeVersion(uint8 version, address owner_) external reinitializer(version) { _transferOwnership(owner_); }
}

/// The closing of a round forgets that the contract is initialized.
contract ResettingLogic is Plain {
    address public owner;
    bool private initialized;
    function initialize(address owner_) external { require(!initialized); initialized = true; owner = owner_; }
    function closeRound() external { initialized = false; }
    function proxiableUUID() external pure returns (bytes32) { return LOGIC; }
    function upgradeToAndCall(address next, bytes calldata) external payable { require(msg.sender == owner); assembly { sstore(LOGIC, next) } }
}

/// Upgrades are commands of the contract to itself, and anyone can make it call.
contract SelfCommanded is OwnedLogic {
    function _authorizeUpgrade(address) internal view override { require(msg.sender == address(this) || msg.sender == owner()); }
    function forward(address target, bytes calldata data) external { (bool ok,) = target.call(data); require(ok); }
}

/// The last bytes of calldata name the sender if the call comes from the forwarder; multicall keeps the sender but not the tail.
contract ForwardedMulticall is OwnedLogic {
    address private immutable forwarder;
    constructor(address forwarder_) { forwarder = forwarder_; }
    function _msgSender() internal view override returns (address sender) {
        if (msg.sender == forwarder && msg.data.length >= 20) assembly { sender := div(calldataload(sub(calldatasize(), 20)), exp(2, 96)) }
        else sender = msg.sender;
    }
    function multicall(bytes[] calldata calls) external {
        for (uint256 i; i < calls.length; ++i) { (bool ok,) = address(this).delegatecall(calls[i]); require(ok); }
    }
}
/// Appends the true sender.
contract TrueForwarder {
    function forward(address to, bytes calldata data) external { (bool ok,) = to.call(abi.encodePacked(data, msg.sender)); require(ok); }
}
/// Appends whatever sender the caller names.
contract CarelessForwarder {
    function forward(address to, bytes calldata data, address sender) external { (bool ok,) = to.call(abi.encodePacked(data, sender)); require(ok); }
}

/// A flag lets the functions that multicall runs pass the check.
contract MulticallFlag is OwnedLogic {
    bool private inside;
    function _authorizeUpgrade(address) internal view override { if (!inside) _checkOwner(); }
    function multicall(bytes[] calldata calls) external {
        inside = true;
        for (uint256 i; i < calls.length; ++i) { (bool ok,) = address(this).delegatecall(calls[i]); require(ok); }
        inside = false;
    }
}

/// The borrower is the owner until the call returns.
contract FlashOwner is OwnedLogic {
    function flash(address receiver) external {
        address before = owner();
        _transferOwnership(receiver);
        IBorrower(receiver).onFlash();
        _transferOwnership(before);
    }
}
interface IBorrower { function onFlash() external; }
interface IUpgradeable { function upgradeTo(address next) external; }
contract Borrower is IBorrower {
    address private immutable next;
    constructor(address next_) { next = next_; }
    function start(address target) external { FlashOwner(target).flash(address(this)); }
    function onFlash() external { IUpgradeable(msg.sender).upgradeTo(next); }
}

/// The owner shares its word with two flags; the setter of the flags writes the whole word.
contract PackedFlagWriter is OwnedLogic {
    function setFlags(uint256 flags) external { assembly { sstore(0, flags) } }
}

/// A function writes the owner, not the implementation.
contract OwnerWriter is OwnedLogic {
    function nominate(address next) external { _transferOwnership(next); }
}

/// The caller returns the address of the code that runs.
contract CallbackTarget is Plain {
    function sync() external {
        (bool asked, bytes memory answer) = msg.sender.call(abi.encodeWithSignature("target()"));
        require(asked);
        (bool ok,) = abi.decode(answer, (address)).delegatecall(abi.encodeWithSignature("seize(address)", msg.sender));
        require(ok);
    }
}
contract CallbackAnswer {
    address private immutable answer;
    constructor(address answer_) { answer = answer_; }
    function target() external view returns (address) { return answer; }
    function start(address at) external { CallbackTarget(at).sync(); }
    function taken() external pure returns (bytes32) { return keccak256("taken"); }
}

/// The written value is an answer of a contract that the caller names.
contract AnswerWriter is OwnedLogic {
    function refresh(address source) external {
        (bool ok, bytes memory answer) = source.staticcall(abi.encodeWithSignature("implementation()"));
        require(ok);
        address value = abi.decode(answer, (address));
        assembly { sstore(LOGIC, value) }
    }
}

/// The target is read from the code of another contract.
contract CodeTable is Plain {
    function useTable(address table, bytes calldata data) external {
        address target;
        assembly { extcodecopy(table, 12, 1, 20) target := mload(0) }
        (bool ok,) = target.delegatecall(data);
        require(ok);
    }
}

/// Pairs of slots and values come from the code of another contract.
contract SlotLoader is OwnedLogic {
    function load(address table) external {
        assembly {
            let size := sub(extcodesize(table), 1)
            extcodecopy(table, 0, 1, size)
            for { let at := 0 } lt(at, size) { at := add(at, 64) } { sstore(mload(at), mload(add(at, 32))) }
        }
    }
}

contract BatchWriter is Plain {
    function apply_(bytes calldata packed) external {
        for (uint256 at; at + 64 <= packed.length; at += 64) {
            bytes32 slot = bytes32(packed[at:at + 32]);
            bytes32 value = bytes32(packed[at + 32:at + 64]);
            assembly { sstore(slot, value) }
        }
    }
}

/// The slot is found after a chain of hashes and a correction in storage.
contract HashChainWriter is OwnedLogic {
    uint256 private correction;
    function initialize(address owner_) public override {
        super.initialize(owner_);
        unchecked { correction = uint256(LOGIC) - uint256(_last(77)); }
    }
    function _last(uint256 rounds) private pure returns (bytes32 hash) {
        for (uint256 i; i < rounds; ++i) hash = keccak256(abi.encode(hash, i));
    }
    function settle(uint256 rounds, address value) external {
        uint256 slot;
        unchecked { slot = uint256(_last(rounds)) + correction; }
        assembly { sstore(slot, value) }
    }
}

/// Twenty independent conditions precede the write.
contract ManyBranches is OwnedLogic {
    function settle(uint256 bits, address value) external {
        uint256 score;
        for (uint256 i; i < 20; ++i) if ((bits & (2 ** i)) != 0) score += 3 ** i; else score ^= i;
        if (bits & 1 != 0) number += 1;
        if (bits & 2 != 0) number += 2;
        if (bits & 4 != 0) number += 4;
        if (bits & 8 != 0) number += 8;
        if (bits & 16 != 0) number += 16;
        if (bits & 32 != 0) number += 32;
        if (bits & 64 != 0) number += 64;
        if (bits & 128 != 0) number += 128;
        if (bits & 256 != 0) number += 256;
        if (bits & 512 != 0) number += 512;
        if (score % 1000003 == 456871) assembly { sstore(LOGIC, value) }
    }
    function scoreOf(uint256 bits) external pure returns (uint256 score) {
        for (uint256 i; i < 20; ++i) if ((bits & (2 ** i)) != 0) score += 3 ** i; else score ^= i;
    }
}

/// The target starts in the middle of a word.
contract UnalignedTarget is Plain {
    fallback() external payable {
        assembly {
            if gt(calldatasize(), 40) {
                let target := div(calldataload(7), exp(2, 96))
                calldatacopy(0, 27, sub(calldatasize(), 27))
                if iszero(delegatecall(gas(), target, 0, sub(calldatasize(), 27), 0, 0)) { revert(0, 0) }
            }
        }
    }
}

contract MulmodSlotWriter is OwnedLogic {
    function settle(uint256 a, uint256 b, address value) external {
        uint256 slot = mulmod(a, b, type(uint256).max);
        assembly { sstore(slot, value) }
    }
}

/// The caller gives the number of an internal function.
contract FunctionPointer is Plain {
    function run(uint256 which, address value) external {
        function(address) internal f = _ping;
        assembly { f := which }
        f(value);
    }
    function keep(address value) external { function(address) internal f = number == 7 ? _keep : _ping; f(value); }
    function _ping(address value) private { number = uint160(value); }
    function _keep(address value) private { require(msg.sender == address(1)); _write(value); }
    function _write(address value) private { assembly { sstore(LOGIC, value) } }
    function raw(address value) external { require(msg.sender == address(2)); function(address) internal f = number == 8 ? _write : _ping; f(value); }
}

/// The owner is asked in a modifier that runs the body first and ignores the answer.
contract IgnoredCheck is OwnedLogic {
    function _authorizeUpgrade(address) internal override {
        (bool ok,) = address(this).staticcall(abi.encodeWithSignature("requireOwner(address)", msg.sender));
        number = ok ? 1 : 0;
    }
    function requireOwner(address account) external view { require(account == owner()); }
}
