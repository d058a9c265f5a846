// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {AccessControl} from "openzeppelin-contracts-4/access/AccessControl.sol";
import {Initializable} from "openzeppelin-contracts-4/proxy/utils/Initializable.sol";
import {UUPSUpgradeable} from "openzeppelin-contracts-4/proxy/utils/UUPSUpgradeable.sol";
import {BEACON, Forwarding, LOGIC, OwnedLogic, Plain} from "./Base.sol";
import {NamedOwner} from "./Patterns.sol";

// Checks that look like the usual ones and let more pass.

/// A list in the second slot, whose elements are stored without the check of the compiler.
abstract contract Listed is Plain {
    uint256[] public list;
    function add(uint256 value) external { list.push(value); }
    function put(uint256 index, uint256 value) internal {
        assembly {
            mstore(0, list.slot)
            sstore(add(keccak256(0, 32), index), value)
        }
    }
}

contract SignedIndex is Listed {
    function fill(uint256 index, uint256 value) external {
        require(int256(index) < int256(list.length));
        put(index, value);
    }
}

contract WindowedIndex is Listed {
    function fill(uint256 from, uint256 index, uint256 value) external {
        require(index >= from && index - from < 10);
        put(index, value);
    }
}

contract LargerIndex is Listed {
    function fill(uint256 index, uint256 value) external {
        put(index > list.length ? index : list.length, value);
    }
}

contract NamedModulus is Listed {
    function fill(uint256 index, uint256 length, uint256 value) external {
        require(list.length > 0);
        put(index % length, value);
    }
}

contract ByteIndex is Plain {
    uint256[200] public list;
    function fill(uint256 index, uint256 value) external {
        require(uint8(index) < 200);
        assembly { sstore(add(list.slot, index), value) }
    }
}

/// Every index is within the list, which is as long as a quarter of the storage.
contract LongList is Plain {
    uint256[2 ** 254] public list;
    function fill(uint256 index, uint256 value) external { list[index] = value; }
}

contract LongLists is Plain {
    mapping(uint256 => uint256[2 ** 254]) public lists;
    function fill(uint256 key, uint256 index, uint256 value) external { lists[key][index] = value; }
}

/// The slot of the owner looks like the hash of a name, and is an entry under a text.
contract TextOwner is NamedOwner {
    mapping(string => uint256) public texts;
    function place() internal pure override returns (bytes32) {
        return keccak256(abi.encodePacked("vault.owner", uint256(2)));
    }
    function describe(string calldata key, uint256 value) external { texts[key] = value; }
}

/// The slot of the owner is a few words behind an entry of a table of lists.
contract RowOwner is NamedOwner {
    mapping(uint256 => uint256[40]) public rows;
    function place() internal pure override returns (bytes32) {
        return bytes32(uint256(keccak256(abi.encode(uint256(9), uint256(2)))) + 33);
    }
    function fill(uint256 key, uint256 index, uint256 value) external { rows[key][index] = value; }
}

/// The shift of Solady's guard removes more than the unused bits.
contract ShiftedGuard is OwnedLogic {
    bytes32 private constant OWNER = bytes32(uint256(keccak256("shifted.owner")) - 1);
    function initialize(address owner_) public override {
        super.initialize(owner_);
        bytes32 at = OWNER;
        assembly { sstore(at, owner_) }
    }
    function _authorizeUpgrade(address) internal view override {
        bytes32 at = OWNER;
        uint256 difference;
        assembly { difference := xor(caller(), sload(at)) }
        require(difference << 248 == 0);
    }
}

/// The slot of the owner moves by one at a gas price.
contract MovingOwner is OwnedLogic {
    mapping(uint256 => uint256) public notes;
    bytes32 private constant OWNER = bytes32(uint256(keccak256("moving.owner")) - 1);
    function initialize(address owner_) public override {
        super.initialize(owner_);
        bytes32 at = OWNER;
        assembly { sstore(at, owner_) }
    }
    function note(uint256 value) external {
        bytes32 at = OWNER;
        assembly { sstore(add(at, 1), value) }
    }
    function _authorizeUpgrade(address) internal view override {
        bytes32 at = OWNER;
        address found;
        assembly { found := sload(add(at, eq(gasprice(), 7))) }
        require(msg.sender == found);
    }
}

contract ZeroRounds is OwnedLogic {
    function settle(uint256 rounds, address next) external {
        for (uint256 i; i < rounds; ++i) require(msg.sender == owner());
        assembly { sstore(LOGIC, next) }
    }
}

contract FirstRound is OwnedLogic {
    function settle(uint256 from, address[] calldata next) external {
        for (uint256 i = from; i < next.length; ++i) {
            address one = next[i];
            if (i == 0) require(msg.sender == owner());
            assembly { sstore(LOGIC, one) }
        }
    }
}

/// The check of the owner follows the store that replaces it.
contract LateCheck is OwnedLogic {
    function settle(address next) external {
        _transferOwnership(next);
        require(msg.sender == owner());
    }
}

/// The same behind a call of another contract, which makes the store.
contract LateCheckOfCall is OwnedLogic {
    function accept(address next) external { require(msg.sender == address(this)); _transferOwnership(next); }
    function settle(address next) external {
        this.accept(next);
        _checkOwner();
    }
}

contract ChosenRole is Plain, Initializable, AccessControl, UUPSUpgradeable {
    bytes32 public constant GUEST = keccak256("GUEST");
    function initialize(address owner_) external initializer { _grantRole(DEFAULT_ADMIN_ROLE, owner_); }
    function join() external { _grantRole(GUEST, msg.sender); }
    function upgradeAs(bytes32 role, address next) external onlyRole(role) {
        assembly { sstore(LOGIC, next) }
    }
    function _authorizeUpgrade(address) internal override onlyRole(DEFAULT_ADMIN_ROLE) {}
}

/// Wards that are named by their events, and a store that reaches their table.
abstract contract Wards is Plain {
    event Rely(address indexed usr);
    mapping(address => uint256) public wards;
    bool private initialized;
    function initialize(address shown) external { require(!initialized); initialized = true; wards[shown] = 1; emit Rely(shown); }
    function rely(address usr) external { require(wards[msg.sender] == 1); wards[usr] = 1; emit Rely(usr); }
    function proxiableUUID() external pure returns (bytes32) { return LOGIC; }
    function upgradeToAndCall(address next, bytes calldata) external payable { require(wards[msg.sender] == 1); assembly { sstore(LOGIC, next) } }
}

contract ChosenTable is Wards {
    function note(uint256 kind, uint256 key, uint256 value) external {
        assembly {
            mstore(0, key)
            mstore(32, add(1, mod(kind, 4)))
            sstore(keccak256(0, 64), value)
        }
    }
}

contract TextEntries is Wards {
    function remember(bytes calldata text) external {
        bytes32 at = keccak256(text);
        assembly { sstore(at, 1) }
    }
}

/// The roles of Solady, whose slots are hashes of 32 bytes, and names of 32 bytes.
contract NamedRoles is Plain {
    event RolesUpdated(address indexed user, uint256 indexed roles);
    bool private initialized;
    function initialize(address shown) external {
        require(!initialized);
        initialized = true;
        assembly {
            mstore(0x0c, 0x8b78c6d8)
            mstore(0x00, shown)
            sstore(keccak256(0x0c, 0x20), 1)
        }
        emit RolesUpdated(shown, 1);
    }
    function proxiableUUID() external pure returns (bytes32) { return LOGIC; }
    function register(bytes32 name) external {
        assembly {
            mstore(0, name)
            sstore(keccak256(0, 32), 1)
        }
    }
    function upgradeToAndCall(address next, bytes calldata) external payable {
        assembly {
            mstore(0x0c, 0x8b78c6d8)
            mstore(0x00, caller())
            if iszero(and(sload(keccak256(0x0c, 0x20)), 1)) { revert(0, 0) }
            sstore(LOGIC, next)
        }
    }
}

interface Burnable { function burn(uint256 amount) external; }

/// The contract may burn itself, which replaces its logic, and burns what anyone names.
contract SelfBurn is OwnedLogic {
    function burn(uint256 amount) external {
        require(msg.sender == address(this));
        assembly { sstore(LOGIC, amount) }
    }
    function sweep(Burnable token, uint256 amount) external { token.burn(amount); }
}

/// Memory is given out at a place that the caller names, where the library of the next call is.
contract MovedFreeMemory is Plain {
    address private immutable library_;
    constructor(address library__) { library_ = library__; }
    function run(uint256 at, bytes calldata text) external {
        address[1] memory target = [library_];
        assembly { mstore(0x40, at) }
        bytes memory copy = text;
        (bool ok,) = target[0].delegatecall(copy);
        require(ok);
    }
}

/// The table of owners is indexed by the contract, which is another one behind a proxy.
contract OwnersByContract is Plain, Initializable, UUPSUpgradeable {
    address private immutable self_ = address(this);
    mapping(address => address) public owners;
    function initialize(address owner_) external initializer { owners[address(this)] = owner_; }
    function setOwner(address of_, address next) external {
        require(of_ != self_ || msg.sender == owners[self_]);
        owners[of_] = next;
    }
    function _authorizeUpgrade(address) internal view override { require(msg.sender == owners[address(this)]); }
}

bytes32 constant LIBRARY_OWNER = bytes32(uint256(50));

/// Lets the contract pass that runs it, as its own caller.
contract OwnCallLibrary {
    function store(address next) external {
        require(msg.sender == address(this));
        bytes32 at = LIBRARY_OWNER;
        assembly { sstore(at, next) }
    }
}

/// Runs the library where a call of the contract itself would pass.
abstract contract WithLibrary is NamedOwner {
    address internal immutable library_;
    constructor(address library__) { library_ = library__; }
    function place() internal pure override returns (bytes32) { return LIBRARY_OWNER; }
}

/// Calls a function of what the caller names, which under this name runs another one of the library.
contract RenamedOwnCall is WithLibrary {
    constructor(address library__) WithLibrary(library__) {}
    function pong(address next) external {
        (bool ok,) = library_.delegatecall(abi.encodeCall(OwnCallLibrary.store, (next)));
        require(ok);
    }
    function ping(RenamedOwnCall target, address next) external { target.pong(next); }
}

/// Runs the library by CALLCODE, so that its sender is the contract.
contract OwnCallcode is WithLibrary {
    constructor(address library__) WithLibrary(library__) {}
    function pong(address next) external {
        bytes memory data = abi.encodeCall(OwnCallLibrary.store, (next));
        address target = library_;
        assembly { if iszero(callcode(gas(), target, 0, add(data, 32), mload(data), 0, 0)) { revert(0, 0) } }
    }
}

/// Makes batches of calls, also of what the caller names.
contract BatchedOwnCall is NamedOwner {
    function place() internal pure override returns (bytes32) { return LIBRARY_OWNER; }
    function accept(address next) external {
        require(msg.sender == address(this));
        bytes32 at = LIBRARY_OWNER;
        assembly { sstore(at, next) }
    }
    function multicall(bytes[] calldata calls) external {
        for (uint256 i; i < calls.length; ++i) { (bool ok,) = address(this).delegatecall(calls[i]); require(ok); }
    }
    function ping(BatchedOwnCall target, bytes[] calldata calls) external { target.multicall(calls); }
}

/// A beacon whose answer no account can change.
contract QuietBeacon {
    address private logic;
    constructor(address logic_) { logic = logic_; }
    function implementation() external view returns (address) { return logic; }
}

/// Runs the code of the beacon instead of asking it, so that the answer is in its own first slot.
contract BeaconRunner is Forwarding {
    constructor(address beacon, address logic) {
        assembly {
            sstore(BEACON, beacon)
            sstore(0, logic)
        }
    }
    fallback() external payable {
        address logic;
        assembly {
            mstore(0, 0x5c60da1b00000000000000000000000000000000000000000000000000000000)
            if iszero(delegatecall(gas(), sload(BEACON), 0, 4, 0, 32)) { revert(0, 0) }
            if lt(returndatasize(), 32) { revert(0, 0) }
            logic := mload(0)
        }
        _delegate(logic);
    }
}

/// The owner may store any word, as in ChugSplash.
contract AnyWord is NamedOwner {
    uint256[] public list;
    function place() internal pure override returns (bytes32) { return LIBRARY_OWNER; }
    function setStorage(bytes32 key, bytes32 value) external {
        require(msg.sender == owner());
        assembly { sstore(key, value) }
    }
    function add(uint256 value) external { list.push(value); }
    function fill(uint256 index, uint256 value) external { list[index] = value; }
}

/// The same with lists in a table.
contract AnyWordTable is AnyWord {
    mapping(uint256 => uint256[]) public rows;
    function fillRow(uint256 key, uint256 index, uint256 value) external { rows[key][index] = value; }
}
