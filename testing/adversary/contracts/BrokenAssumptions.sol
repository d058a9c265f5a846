// Needs a new EVM.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Forwarding, LOGIC} from "./Base.sol";
import {Ballots, HonestBallots, Weights} from "./Ballots.sol";
import {StoredBallots} from "./Proposals.sol";
import {Queue} from "./Queues.sol";

// Systems that break an assumption of the analysis.

interface IAsk { function ask() external returns (bytes32); function implementation() external view returns (address); }

abstract contract AskedTarget {
    address internal target;
    function _asked() internal returns (bytes32 word) {
        address to = target;
        assembly {
            pop(call(gas(), to, 0, 0, 0, 0, 32))
            word := mload(0)
            if iszero(word) { revert(0, 0) }
        }
    }
}
abstract contract SettableTarget is AskedTarget {
    function set(address next) external { target = next; }
}

/// Reverts with what another contract says.
contract RevertingLogic is SettableTarget {
    fallback() external payable {
        bytes32 word = _asked();
        assembly { mstore(0, word) revert(0, 32) }
    }
}
/// Returns what its logic reverts with.
contract IgnoringProxy is AskedTarget {
    address private immutable logic;
    constructor(address first, address logic_) { target = first; logic = logic_; }
    fallback() external payable {
        address to = logic;
        assembly {
            calldatacopy(0, 0, calldatasize())
            pop(delegatecall(gas(), to, 0, calldatasize(), 0, 0))
            returndatacopy(0, 0, returndatasize())
            return(0, returndatasize())
        }
    }
}

/// The same with an answer of one word.
contract IgnoringWordProxy is AskedTarget {
    address private immutable logic;
    constructor(address first, address logic_) { target = first; logic = logic_; }
    fallback() external payable {
        address to = logic;
        assembly {
            calldatacopy(0, 0, calldatasize())
            pop(delegatecall(gas(), to, 0, calldatasize(), 0, 32))
            return(0, 32)
        }
    }
}

/// A library with one function that asks another contract.
contract AskingLibrary is AskedTarget {
    function ask() external returns (bytes32) { return _asked(); }
}
/// The fallback function runs a function of a library, whatever it was asked.
contract LibraryProxy is SettableTarget {
    address private immutable lib;
    constructor(address first, address lib_) { target = first; lib = lib_; }
    fallback() external payable {
        address to = lib;
        assembly {
            mstore(0, 0x4a89638400000000000000000000000000000000000000000000000000000000)
            pop(delegatecall(gas(), to, 0, 4, 0, 0))
            returndatacopy(0, 0, returndatasize())
            return(0, returndatasize())
        }
    }
}
/// The same with a function of its own.
contract RunsItself is SettableTarget {
    constructor(address first) { target = first; }
    function ask() external returns (bytes32) { require(msg.sender != address(0)); return _asked(); }
    fallback(bytes calldata) external payable returns (bytes memory answer) {
        (, answer) = address(this).delegatecall(abi.encodeCall(IAsk.ask, ()));
    }
}

/// Another contract asks a contract that it keeps itself.
contract Asker is SettableTarget {
    constructor(address first) { target = first; }
    function ask() external returns (bytes32) { return _asked(); }
}
contract AsksAsker {
    IAsk private immutable asker;
    constructor(address asker_) { asker = IAsk(asker_); }
    fallback(bytes calldata) external payable returns (bytes memory) { return abi.encode(asker.ask()); }
}

/// Stores an answer, and returns what is stored.
contract StoredAnswer is SettableTarget {
    bytes32 private word;
    constructor(address first) { target = first; }
    fallback() external payable {
        word = _asked();
        bytes32 found = word;
        assembly {
            if iszero(found) { revert(0, 0) }
            mstore(0, found)
            return(0, 32)
        }
    }
}
/// A function stores an answer, and the fallback function returns what is stored.
contract KeptAnswer is SettableTarget {
    bytes32 private word;
    constructor(address first) { target = first; }
    function poke() external { word = _asked(); }
    fallback() external payable {
        bytes32 found = word;
        assembly {
            if iszero(found) { revert(0, 0) }
            mstore(0, found)
            return(0, 32)
        }
    }
}
/// Any account says what the fallback function answers.
contract SaidAnswer {
    mapping(bytes4 => bytes32) private words;
    function say(bytes4 selector, bytes32 word) external { words[selector] = word; }
    fallback() external payable {
        bytes32 found = words[msg.sig];
        assembly {
            if iszero(found) { revert(0, 0) }
            mstore(0, found)
            return(0, 32)
        }
    }
}

/// The length of a list in a list was stored when the contract was created, and covers all storage.
contract Grid is Forwarding {
    uint256 private number;
    uint256[][] private rows;
    constructor(address logic) {
        rows.push();
        uint256[] storage row = rows[0];
        assembly { sstore(row.slot, not(0)) sstore(LOGIC, logic) }
    }
    function fill(uint256 key, uint256 index, uint256 value) external { rows[key][index] = value; }
    fallback() external payable { address logic; assembly { logic := sload(LOGIC) } _delegate(logic); }
}

/// The code of a beacon, which runs in the storage of the beacon.
contract BeaconLogic {
    address private logic;
    address private immutable honest;
    constructor(address honest_) { honest = honest_; }
    function set(address next) external { logic = next; }
    function implementation() external view returns (address) {
        if (msg.sender == address(1)) return honest;
        assembly { mstore(0, sload(0)) revert(0, 32) }
    }
}
contract Beacon {
    address private first;
    address private immutable logic;
    constructor(address first_, address logic_) { first = first_; logic = logic_; }
    fallback() external payable {
        address to = logic;
        assembly {
            calldatacopy(0, 0, calldatasize())
            pop(delegatecall(gas(), to, 0, calldatasize(), 0, 0))
            returndatacopy(0, 0, returndatasize())
            return(0, returndatasize())
        }
    }
}
/// Logic whose owner may run code. It has an owner of its own where it is called by itself.
contract RunningLogic {
    uint256 public number;
    address public owner;
    function initialize(address first) external { require(owner == address(0)); owner = first; }
    function run(address to) external {
        require(msg.sender == owner);
        assembly {
            mstore(0, 0x83197ef000000000000000000000000000000000000000000000000000000000) // destroy()
            pop(delegatecall(gas(), to, 0, 4, 0, 0))
        }
    }
}

/// Executes what its governor says, and calls an execution a cancellation.
contract ObeyingLock {
    address public owner;
    function start(address governor) external { require(owner == address(0)); owner = governor; }
    function execute(address target, bytes calldata data) external { _call(target, data); }
    function cancelTransaction(address target, uint256, string calldata, bytes calldata data, uint256) external { _call(target, data); }
    function _call(address target, bytes calldata data) private {
        require(msg.sender == owner);
        (bool ok, ) = target.call(data);
        require(ok);
    }
}
/// A governor whose proposers may cancel what they proposed.
contract CancellableBallots is HonestBallots {
    ObeyingLock private immutable lock;
    constructor(Weights token_, ObeyingLock lock_) HonestBallots(token_) { lock = lock_; }
    function execute(address target, bytes calldata data) external override {
        _pass(keccak256(abi.encode(target, data)));
        lock.execute(target, data);
    }
    function cancel(address target, bytes calldata data) external {
        require(counts[keccak256(abi.encode(target, data))].isProposed);
        lock.cancelTransaction(target, 0, "", data, 0);
    }
}

/// Earlier logic that adds a ward without an event, and makes place for other logic.
contract Filler {
    uint256 private number;
    mapping(address => uint256) private wards;
    function fill(address hidden, address old, address logic) external {
        wards[hidden] = 1;
        wards[old] = 0;
        assembly { sstore(LOGIC, logic) }
    }
}

/// Wards may destroy it.
contract MortalWards {
    event Rely(address indexed usr);
    uint256 public number;
    mapping(address => uint256) public wards;
    bool private initialized;
    function initialize(address shown) external { require(!initialized); initialized = true; wards[shown] = 1; emit Rely(shown); }
    function rely(address usr) external { require(wards[msg.sender] == 1); wards[usr] = 1; emit Rely(usr); }
    function close() external { require(wards[msg.sender] == 1); selfdestruct(payable(msg.sender)); }
}
interface IFactory {
    function source() external view returns (address);
    function shown() external view returns (address);
    function hidden() external view returns (address);
    function logic() external view returns (address);
}
/// Creation code that returns the code of a contract that its factory names.
contract Reborn {
    event Rely(address indexed usr);
    uint256 private number;
    mapping(address => uint256) private wards;
    bool private initialized;
    constructor() {
        IFactory factory = IFactory(msg.sender);
        (address shown, address hidden, address logic, address source) = (factory.shown(), factory.hidden(), factory.logic(), factory.source());
        initialized = true;
        wards[shown] = 1;
        emit Rely(shown);
        if (hidden != address(0)) wards[hidden] = 1;
        assembly {
            sstore(LOGIC, logic)
            let size := extcodesize(source)
            extcodecopy(source, 0, 0, size)
            return(0, size)
        }
    }
}
contract Rebirth {
    address public source;
    address public shown;
    address public hidden;
    address public logic;
    function make(address source_, address shown_, address hidden_, address logic_) external returns (address) {
        (source, shown, hidden, logic) = (source_, shown_, hidden_, logic_);
        return address(new Reborn{salt: 0}());
    }
}

/// The fixed extension of a governor that counts proposals lets any caller count them again.
contract Rewinding {
    uint256 private count;
    function rewind(uint256 next) external { count = next; }
}
contract ExtendedBallots is StoredBallots, Forwarding {
    address private immutable extension = address(new Rewinding());
    constructor(Weights token_) StoredBallots(token_) {}
    fallback() external payable { _delegate(extension); }
}

/// Forwards all calls to the singleton of a Safe, the question about a signature as the question for its nonce.
contract SafeProxy {
    constructor(address singleton) { assembly { sstore(0, singleton) } }
    fallback() external payable {
        assembly {
            let length := calldatasize()
            mstore(0, 0xaffed0e000000000000000000000000000000000000000000000000000000000) // nonce()
            if eq(shr(224, calldataload(0)), 0x20c13b0b) { length := 0 }
            calldatacopy(0, 0, length)
            let ok := delegatecall(gas(), sload(0), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
}
contract NonceWriter {
    function write() external { assembly { sstore(5, 0x20c13b0b00000000000000000000000000000000000000000000000000000000) } }
}

/// A table in memory says how much of the data the key covers, by its length.
contract TableQueue is Queue {
    constructor(address admin_) Queue(admin_) {}
    function _key(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) internal pure override returns (bytes32) {
        bytes32 inner;
        assembly {
            let table := add(mload(64), 0x400)
            mstore(table, 0)
            mstore(add(table, 32), 32)
            mstore(add(table, 64), 64)
            mstore(add(table, 132), 132)
            inner := keccak256(add(data, 32), mload(add(table, mload(data))))
        }
        return keccak256(abi.encode(target, value, signature, inner, eta));
    }
}
/// A word in memory says how much of the data the key covers, unless a store at a place given by its length hits it.
contract HitQueue is Queue {
    constructor(address admin_) Queue(admin_) {}
    function _key(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) internal pure override returns (bytes32) {
        bytes32 inner;
        assembly {
            let table := add(mload(64), 0x400)
            mstore(add(table, 1024), mload(data))
            mstore(add(table, mload(data)), 0)
            inner := keccak256(add(data, 32), mload(add(table, 1024)))
        }
        return keccak256(abi.encode(target, value, signature, inner, eta));
    }
}

/// A loop over the data reaches the word that says how much of it the key covers.
contract LoopQueue is Queue {
    constructor(address admin_) Queue(admin_) {}
    function _key(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) internal pure override returns (bytes32) {
        bytes32 inner;
        assembly {
            let table := add(mload(64), 0x400)
            mstore(add(table, 512), mload(data))
            for { let at := 0 } lt(at, mload(data)) { at := add(at, 32) } { mstore(add(table, at), 0) }
            inner := keccak256(add(data, 32), mload(add(table, 512)))
        }
        return keccak256(abi.encode(target, value, signature, inner, eta));
    }
}

/// A proxy that does not report its first logic, which fills a table and makes place for other logic.
contract QuietProxy is Forwarding {
    constructor(address logic) { assembly { sstore(LOGIC, logic) } }
    fallback() external payable { address logic; assembly { logic := sload(LOGIC) } _delegate(logic); }
}
contract FirstLogic {
    event Rely(address indexed usr);
    event Upgraded(address indexed logic);
    uint256 private number;
    mapping(address => uint256) private wards;
    function fill(address shown, address hidden, address logic) external {
        wards[shown] = 1;
        emit Rely(shown);
        wards[hidden] = 1;
        assembly { sstore(LOGIC, logic) }
        emit Upgraded(logic);
    }
}
contract ReportedWards {
    event Rely(address indexed usr);
    event Upgraded(address indexed logic);
    uint256 public number;
    mapping(address => uint256) public wards;
    function rely(address usr) external { require(wards[msg.sender] == 1); wards[usr] = 1; emit Rely(usr); }
    function proxiableUUID() external pure returns (bytes32) { return LOGIC; }
    function upgradeToAndCall(address next, bytes calldata) external payable {
        require(wards[msg.sender] == 1);
        assembly { sstore(LOGIC, next) }
        emit Upgraded(next);
    }
}

/// Logic that runs what any caller names.
contract RunsAnything {
    function run(address to, bytes calldata data) external { (bool ok, ) = to.delegatecall(data); require(ok); }
}
/// Wards may run any code. Each of them is reported.
contract ExecWards is ReportedWards {
    function initialize(address shown) external { require(number == 0); number = 1; wards[shown] = 1; emit Rely(shown); }
    function deny(address usr) external { require(wards[msg.sender] == 1); wards[usr] = 0; }
    function run(address to, bytes calldata data) external { require(wards[msg.sender] == 1); (bool ok, ) = to.delegatecall(data); require(ok); }
}

/// A beacon that calls what any caller names, and obeys an owner that obeys the beacon.
contract CallingBeacon {
    address private logic;
    address public owner;
    constructor(address logic_) { logic = logic_; }
    function start(address owner_) external { require(owner == address(0)); owner = owner_; }
    function implementation() external view returns (address) { return logic; }
    function upgradeTo(address next) external { require(msg.sender == owner); logic = next; }
    function exec(address to, bytes calldata data) external { (bool ok, ) = to.call(data); require(ok); }
}
contract ObeyingOwner {
    address public owner;
    address private immutable other;
    constructor(address owner_, address other_) { owner = owner_; other = other_; }
    function forward(address to, bytes calldata data) external {
        require(msg.sender == owner || msg.sender == other);
        (bool ok, ) = to.call(data);
        require(ok);
    }
}

/// The number of a caller chooses a byte of the code, whose highest bit marks an account as one that has voted.
contract CodeMarkedBallots is HonestBallots {
    constructor(Weights token_) HonestBallots(token_) {}
    function vote(bytes32 id, bool support, uint256 chosen) external { _countMarked(id, support, token.getPastVotes(msg.sender, counts[id].start), chosen); }
    function vote(bytes32 id, bool support) external override { _countMarked(id, support, token.getPastVotes(msg.sender, counts[id].start), 1); }
    function _countMarked(bytes32 id, bool support, uint256 weight, uint256 chosen) private {
        Count storage count = counts[id];
        require(block.timestamp <= count.deadline);
        require(!hasVoted[id][msg.sender]);
        _mark(id, chosen);
        if (support) count.support += weight; else count.against += weight;
    }
    function _mark(bytes32 id, uint256 chosen) private {
        assembly {
            mstore(0, id)
            mstore(32, hasVoted.slot)
            let inner := keccak256(0, 64)
            mstore(0, caller())
            mstore(32, inner)
            let place := keccak256(0, 64)
            mstore(0, 0)
            codecopy(0, mod(chosen, 2), 1)
            sstore(place, or(sload(place), shr(255, mload(0))))
        }
    }
}

/// A vote is recorded for one proposal and counted for the next one.
contract MovingBallots is Ballots {
    Weights public immutable token;
    bytes32 private current;
    constructor(Weights token_) { token = token_; }
    function point(bytes32 next) external { current = next; }
    function vote(bytes32 next, bool support) external {
        require(!hasVoted[current][msg.sender]);
        hasVoted[current][msg.sender] = true;
        current = next;
        _add(support);
    }
    function _add(bool support) private {
        require(block.timestamp <= counts[current].deadline);
        uint256 weight = token.getPastVotes(msg.sender, counts[current].start);
        if (support) counts[current].support += weight; else counts[current].against += weight;
    }
}
/// A vote is recorded for one number in a list and counted for another one.
contract ListedBallots is Ballots {
    Weights public immutable token;
    bytes32[] private ids;
    constructor(Weights token_) { token = token_; }
    function add(bytes32 id) external { ids.push(id); }
    function vote(uint256 from, uint256 to, bool support) external {
        require(block.timestamp <= counts[ids[to & 255]].deadline);
        require(!hasVoted[ids[from & 255]][msg.sender]);
        hasVoted[ids[from & 255]][msg.sender] = true;
        uint256 weight = token.getPastVotes(msg.sender, counts[ids[to & 255]].start);
        if (support) counts[ids[to & 255]].support += weight; else counts[ids[to & 255]].against += weight;
    }
}

/// The administrator of one role in a list grants another one.
contract ListedRoles {
    struct Role { mapping(address => bool) members; bytes32 admin; }
    event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender);
    uint256 public number;
    mapping(bytes32 => Role) private roles;
    bytes32[] private ids;
    function initialize(address admin, address player) external {
        require(number == 0);
        number = 1;
        (bytes32 ofPlayers, bytes32 ofAdmin) = (keccak256("PLAYER_ADMIN"), keccak256("PLAYER"));
        roles[0].members[admin] = true;
        emit RoleGranted(0, admin, msg.sender);
        roles[ofPlayers].members[player] = true;
        emit RoleGranted(ofPlayers, player, msg.sender);
        roles[ofAdmin].admin = ofPlayers;
        ids.push(0);
        ids.push(ofAdmin);
    }
    function hasRole(bytes32 role, address account) external view returns (bool) { return roles[role].members[account]; }
    function getRoleAdmin(bytes32 role) external view returns (bytes32) { return roles[role].admin; }
    function grant(uint256 granted, uint256 held, address account) external {
        bytes32 role = ids[granted & 255];
        require(roles[roles[ids[held & 255]].admin].members[msg.sender]);
        roles[role].members[account] = true;
        emit RoleGranted(role, account, msg.sender);
    }
    function proxiableUUID() external pure returns (bytes32) { return LOGIC; }
    function upgradeToAndCall(address next, bytes calldata) external payable { require(roles[0].members[msg.sender]); assembly { sstore(LOGIC, next) } }
}

/// Calls what its owner says.
contract ForwardingOwner {
    address public owner;
    constructor(address owner_) { owner = owner_; }
    function forward(address to, bytes calldata data) external { require(msg.sender == owner); (bool ok, ) = to.call(data); require(ok); }
}

interface IModuleSafe { function execTransactionFromModule(address to, uint256 value, bytes calldata data, uint8 operation) external returns (bool); }
interface IAdmin { function upgradeAndCall(address proxy, address logic, bytes calldata data) external; }
/// A module that obeys its Safe, by a function that has the name of a transfer.
contract OrderModule {
    address private immutable safe;
    address private immutable admin;
    address private immutable proxy;
    constructor(address safe_, address admin_, address proxy_) { (safe, admin, proxy) = (safe_, admin_, proxy_); }
    function transfer(address logic, uint256) external returns (bool) {
        require(msg.sender == safe);
        return IModuleSafe(safe).execTransactionFromModule(admin, 0, abi.encodeCall(IAdmin.upgradeAndCall, (proxy, logic, "")), 0);
    }
}
