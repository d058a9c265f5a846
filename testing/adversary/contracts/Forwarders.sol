// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Forwarding, LOGIC, Plain} from "./Base.sol";

// Proxies under other names, and pointers in other places.

bytes4 constant NUMBER = bytes4(keccak256("number()"));
bytes4 constant SET_NUMBER = bytes4(keccak256("setNumber(uint256)"));

/// Calls its target. The setter has no usual name.
contract SetLogicCaller is Forwarding {
    address private logic;
    address private boss;
    constructor(address logic_, address boss_) { logic = logic_; boss = boss_; }
    function setLogic(address next) external { require(msg.sender == boss); logic = next; }
    fallback() external payable { _call(logic); }
}

contract TableSetterCaller is Forwarding {
    mapping(address => bool) private editors;
    address private current;
    address public owner;
    constructor(address logic, address editor) { current = logic; editors[editor] = true; }
    function changeImpl(address next) external { require(editors[msg.sender]); current = next; }
    fallback() external payable { _call(current); }
}

/// No function at all: the fallback function sets the target for one kind of calldata.
contract FallbackConfigured is Forwarding {
    address private target;
    bytes32 private immutable hash;
    constructor(address target_, address key) { target = target_; hash = keccak256(abi.encode(key)); }
    fallback() external payable {
        if (msg.data.length == 21 && keccak256(abi.encode(msg.sender)) == hash) target = address(bytes20(msg.data[1:21]));
        else _call(target);
    }
}

/// Anyone may set the target while it has not answered for a while.
contract OpenTargetCaller is Forwarding {
    address private target;
    uint256 private usedAt = block.timestamp;
    constructor(address target_) { target = target_; }
    function revive(address next) external { require(block.timestamp > usedAt + 1 hours); target = next; }
    fallback() external payable { usedAt = block.timestamp; _call(target); }
}

contract Resolver {
    mapping(bytes32 => address) private records;
    mapping(bytes32 => address) private holders;
    function register(bytes32 node, address holder, address record) external { require(holders[node] == address(0)); holders[node] = holder; records[node] = record; }
    function setAddr(bytes32 node, address record) external { require(msg.sender == holders[node]); records[node] = record; }
    function addr(bytes32 node) external view returns (address) { return records[node]; }
}
/// The logic is the address of a name.
contract NamedLogicProxy is Forwarding {
    Resolver private immutable resolver;
    bytes32 private immutable node;
    constructor(Resolver resolver_, bytes32 node_) { resolver = resolver_; node = node_; }
    fallback() external payable { _delegate(resolver.addr(node)); }
}
/// The registry names the resolver, the resolver names the logic.
contract TwoStepNamedProxy is Forwarding {
    Resolver private immutable registry;
    bytes32 private immutable node;
    constructor(Resolver registry_, bytes32 node_) { registry = registry_; node = node_; }
    fallback() external payable { _delegate(Resolver(registry.addr(node)).addr(node)); }
}
/// Calls the address of a name.
contract NamedTargetCaller is Forwarding {
    Resolver private immutable resolver;
    bytes32 private immutable node;
    constructor(Resolver resolver_, bytes32 node_) { resolver = resolver_; node = node_; }
    fallback() external payable { _call(resolver.addr(node)); }
}

contract VersionRegistry {
    address[] public versions;
    address private immutable publisher;
    constructor(address first, address publisher_) { versions.push(first); publisher = publisher_; }
    function publish(address next) external { require(msg.sender == publisher); versions.push(next); }
    function latest() external view returns (address) { return versions[versions.length - 1]; }
}
contract LatestVersionProxy is Forwarding {
    VersionRegistry private immutable registry;
    constructor(VersionRegistry registry_) { registry = registry_; }
    fallback() external payable { _delegate(registry.latest()); }
}

/// A table by selector; a selector without an entry goes to the first caller that claims it.
contract SelectorTableProxy is Forwarding {
    mapping(bytes4 => address) private table;
    constructor(address logic) { table[NUMBER] = logic; table[SET_NUMBER] = logic; }
    function extend(bytes4 selector, address logic) external { require(table[selector] == address(0)); table[selector] = logic; }
    fallback() external payable { _delegate(table[msg.sig]); }
}

interface IBeacon { function implementation() external view returns (address); }

/// Every caller may choose a beacon of its own; code runs in the same storage.
contract CallerBeaconProxy is Forwarding {
    mapping(address => address) private beaconOf;
    constructor(address logic) { assembly { sstore(LOGIC, logic) } }
    function chooseBeacon(address beacon) external { beaconOf[msg.sender] = beacon; }
    fallback() external payable {
        address logic;
        if (beaconOf[msg.sender] != address(0)) logic = IBeacon(beaconOf[msg.sender]).implementation();
        else assembly { logic := sload(LOGIC) }
        _delegate(logic);
    }
}

/// A beacon that asks another beacon.
contract BeaconOfBeacon {
    IBeacon private immutable inner;
    constructor(IBeacon inner_) { inner = inner_; }
    function implementation() external view returns (address) { return inner.implementation(); }
}
contract MutableBeacon {
    address public implementation;
    address private immutable key;
    constructor(address logic, address key_) { implementation = logic; key = key_; }
    function change(address next) external { require(msg.sender == key); implementation = next; }
}
/// Reads its logic from the storage of its first caller; keeps no pointer that looks like one.
contract ComputedBeacon {
    uint256 private a;
    uint256 private b;
    address private immutable key;
    constructor(address logic, address key_) { a = uint160(logic) / 2; b = uint160(logic) - a; key = key_; }
    function implementation() external view returns (address) { return address(uint160(a + b)); }
    function settle(uint256 a_, uint256 b_) external { require(msg.sender == key); a = a_; b = b_; }
}

/// A diamond that lists its facets, and has one more.
contract HiddenFacetDiamond is Forwarding {
    struct Facet { address facetAddress; bytes4[] functionSelectors; }
    mapping(bytes4 => address) private facetOf;
    address private shown;
    constructor(address facet, address hidden) {
        shown = facet;
        facetOf[NUMBER] = facet;
        facetOf[SET_NUMBER] = facet;
        facetOf[FacetWriter.adjust.selector] = hidden;
    }
    function _selectors() private pure returns (bytes4[] memory list) { list = new bytes4[](2); list[0] = NUMBER; list[1] = SET_NUMBER; }
    function facets() external view returns (Facet[] memory list) { list = new Facet[](1); list[0] = Facet(shown, _selectors()); }
    function facetAddresses() external view returns (address[] memory list) { list = new address[](1); list[0] = shown; }
    function facetFunctionSelectors(address) external pure returns (bytes4[] memory) { return _selectors(); }
    function facetAddress(bytes4 selector) external view returns (address) { return selector == FacetWriter.adjust.selector ? address(0) : facetOf[selector]; }
    function supportsInterface(bytes4) external pure returns (bool) { return true; }
    function owner() external pure returns (address) { return address(0); }
    fallback() external payable { address facet = facetOf[msg.sig]; require(facet != address(0)); _delegate(facet); }
}
/// Writes the table of the diamond, which is its first variable.
contract FacetWriter {
    mapping(bytes4 => address) private facetOf;
    function adjust(bytes4 selector, address facet) external { facetOf[selector] = facet; }
}

/// diamondCut asks the owner; a second table that the owner does not control is asked first.
contract TwoTableDiamond is Forwarding {
    struct Facet { address facetAddress; bytes4[] functionSelectors; }
    mapping(bytes4 => address) private facetOf;
    mapping(bytes32 => address) private hot;
    address public owner;
    bytes32 private immutable hash;
    constructor(address facet, address owner_, address key) { facetOf[NUMBER] = facet; owner = owner_; hash = keccak256(abi.encode(key)); }
    function facetAddress(bytes4 selector) external view returns (address) { return facetOf[selector]; }
    function cache(bytes4 selector, address facet) external { require(keccak256(abi.encode(msg.sender)) == hash); hot[bytes32(selector)] = facet; }
    fallback() external payable {
        address facet = hot[bytes32(msg.sig)];
        if (facet == address(0)) facet = facetOf[msg.sig];
        require(facet != address(0));
        _delegate(facet);
    }
}

/// The target of a minimal proxy: fixed code that asks a registry for the logic.
contract IndirectTarget is Forwarding {
    VersionRegistry private immutable registry;
    constructor(VersionRegistry registry_) { registry = registry_; }
    fallback() external payable { _delegate(registry.latest()); }
}

/// A switch between two fixed versions; the second one writes what it likes.
contract SwitchProxy is Forwarding {
    address private immutable first;
    address private immutable second;
    bool private switched;
    constructor(address first_, address second_) { first = first_; second = second_; }
    function toggle() external { switched = !switched; }
    fallback() external payable { _delegate(switched ? second : first); }
}
/// The second version: its code was there all the time.
contract TakenProgram { function taken() external pure returns (bytes32) { return keccak256("taken"); } }

/// Anyone may append a version; the index is a variable too.
contract VersionedProxy is Forwarding {
    address[] private versions;
    uint256 private current;
    constructor(address logic) { versions.push(logic); }
    function propose(address next) external { versions.push(next); }
    function choose(uint256 index) external { require(index < versions.length); current = index; }
    fallback() external payable { _delegate(versions[current]); }
}

/// The logic depends on the origin of the transaction.
contract OriginProxy is Forwarding {
    address private immutable logic;
    mapping(address => address) private preview;
    constructor(address logic_) { logic = logic_; }
    function setPreview(address next) external { preview[msg.sender] = next; }
    fallback() external payable {
        address chosen = preview[tx.origin];
        if (chosen == address(0)) chosen = logic;
        _delegate(chosen);
    }
}

/// Fixed logic that delegates unknown functions to an address in storage, which it never writes.
contract StoredTargetLogic is Forwarding {
    address private immutable usual;
    constructor(address usual_) { usual = usual_; }
    function number() external pure returns (uint256) { return 1; }
    fallback() external payable {
        address target;
        assembly { target := sload(0x5107) }
        _delegate(target == address(0) ? usual : target);
    }
}

/// The pointer is the code of another contract that is replaced by a new one at each change.
contract CodePointerProxy is Forwarding {
    address private pointer;
    address private immutable key;
    constructor(address pointer_, address key_) { pointer = pointer_; key = key_; }
    function refresh(address next) external { require(msg.sender == key); pointer = next; }
    fallback() external payable {
        address from = pointer;
        address logic;
        assembly { extcodecopy(from, 12, 1, 20) logic := mload(0) }
        _delegate(logic);
    }
}

/// Asks a library which logic to use; the library runs in the storage of the proxy.
contract LibraryChosenProxy is Forwarding {
    address private immutable chooser;
    bytes32 private state;
    constructor(address chooser_, address logic) { chooser = chooser_; state = bytes32(uint256(uint160(logic))); }
    fallback() external payable {
        (bool ok, bytes memory answer) = chooser.delegatecall(abi.encodeWithSignature("choose(bytes)", msg.data));
        require(ok);
        _delegate(abi.decode(answer, (address)));
    }
}
contract StateChooser {
    bytes32 private state;
    function choose(bytes calldata data) external returns (address) {
        if (data.length == 64) state = bytes32(data[32:64]);
        return address(uint160(uint256(state)));
    }
}

/// Its logic is whatever contract the key's account delegates to (EIP-7702).
contract AccountLogicProxy is Forwarding {
    address private immutable account;
    constructor(address account_) { account = account_; }
    fallback() external payable { _delegate(account); }
}

/// Answers like a Safe, without storage, so that an account can run it.
contract AccountSafe {
    address private immutable a;
    address private immutable b;
    address private immutable c;
    address private immutable d;
    address private immutable e;
    constructor(address[] memory owners) { a = owners[0]; b = owners[1]; c = owners[2]; d = owners[3]; e = owners[4]; }
    function VERSION() external pure returns (string memory) { return "1.4.1"; }
    function nonce() external pure returns (uint256) { return 12; }
    function getThreshold() external pure returns (uint256) { return 3; }
    function getOwners() external view returns (address[] memory list) {
        list = new address[](5);
        (list[0], list[1], list[2], list[3], list[4]) = (a, b, c, d, e);
    }
    function getModulesPaginated(address, uint256) external pure returns (address[] memory modules, address next) { return (new address[](0), address(1)); }
}
/// Runs the code of a Safe in the storage of the account.
contract FixedSafe is Forwarding {
    address private immutable singleton;
    constructor(address singleton_) { singleton = singleton_; }
    fallback() external payable { _delegate(singleton); }
}

/// Makes one call from its constructor.
contract CallOnce { constructor(address to, bytes memory data) { (bool ok,) = to.call(data); require(ok); } }

/// Written as assembly: the pointer is packed with a counter in one word.
contract PackedPointerProxy {
    constructor(address logic, address key) {
        assembly {
            sstore(0, or(mul(logic, exp(2, 96)), 7))
            sstore(1, xor(key, 0xffffffff))
        }
    }
    fallback() external payable {
        assembly {
            if and(eq(calldatasize(), 20), eq(xor(caller(), 0xffffffff), sload(1))) {
                sstore(0, or(and(calldataload(0), not(sub(exp(2, 96), 1))), 8))
                stop()
            }
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), div(sload(0), exp(2, 96)), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
}

/// Can be destroyed through a delegatecall (before Cancun).
contract Destroyer { function destroy() external { selfdestruct(payable(msg.sender)); } }
contract DestructibleLogic is Plain {
    address private immutable cleaner;
    constructor(address cleaner_) { cleaner = cleaner_; }
    function clean() external { (bool ok,) = cleaner.delegatecall(abi.encodeWithSignature("destroy()")); require(ok); }
}
contract OpenCleaner is Plain {
    function clean(address helper, bytes calldata data) external { (bool ok,) = helper.delegatecall(data); require(ok); }
}
/// Logic behind a proxy that can be destroyed on its own, and deployed again by one key's contract.
contract KillableLogic is Plain {
    address private immutable key;
    constructor(address key_) { key = key_; }
    function close() external { require(msg.sender == key); selfdestruct(payable(key)); }
}
/// Logic that runs any code at its own address, and none behind a proxy.
contract OwnAddressLogic is Plain {
    address private immutable self;
    constructor(address self_) { self = self_; }
    function clean(address helper) external {
        require(address(this) == self);
        assembly {
            mstore(0, 0x83197ef000000000000000000000000000000000000000000000000000000000) // destroy()
            pop(callcode(gas(), helper, 0, 0, 4, 0, 0))
        }
    }
}

/// Its code runs in the storage of a contract that it calls.
contract CallerCode {
    uint256 private immutable value;
    constructor(uint256 value_) { value = value_; }
    function start(address at) external { (bool ok,) = at.call(hex"01"); require(ok); }
    fallback() external { uint256 v = value; assembly { sstore(7, v) } }
}
