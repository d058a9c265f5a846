// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Timelocks with the functions of Compound's, whose entries stand for less than they execute.

abstract contract Queue {
    uint256 public delay = 2 days;
    address public admin;
    uint256 public constant GRACE_PERIOD = 14 days;
    mapping(bytes32 => bool) public queuedTransactions;
    event QueueTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta);
    constructor(address admin_) { admin = admin_; }
    modifier onlyAdmin() { require(msg.sender == admin); _; }
    function queueTransaction(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) external onlyAdmin {
        require(eta >= block.timestamp + delay);
        bytes32 id = _key(target, value, signature, data, eta);
        queuedTransactions[id] = true;
        emit QueueTransaction(id, target, value, signature, data, eta);
    }
    function executeTransaction(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) external virtual onlyAdmin {
        _use(_key(target, value, signature, data, eta), eta);
        _call(target, data);
    }
    function _key(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) internal pure virtual returns (bytes32) {
        return keccak256(abi.encode(target, value, signature, data, eta));
    }
    function _use(bytes32 id, uint256 eta) internal {
        require(queuedTransactions[id] && eta <= block.timestamp);
        queuedTransactions[id] = false;
    }
    function _call(address target, bytes memory data) internal virtual { (bool ok,) = target.call(data); require(ok); }
}

/// The key covers the selector of a function's name only: that of some names is zero, as if there was no name.
contract ShortNameQueue is Queue {
    constructor(address admin_) Queue(admin_) {}
    function executeTransaction(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) external override onlyAdmin {
        _use(_key(target, value, signature, data, eta), eta);
        _call(target, bytes(signature).length == 0 ? data : abi.encodePacked(bytes4(keccak256(bytes(signature))), data));
    }
    function _key(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) internal pure override returns (bytes32) {
        bytes4 selector = bytes(signature).length == 0 ? bytes4(0) : bytes4(keccak256(bytes(signature)));
        return keccak256(abi.encode(target, value, selector, data, eta));
    }
}
/// The key does not cover the data.
contract WithoutDataQueue is Queue {
    constructor(address admin_) Queue(admin_) {}
    function _key(address target, uint256 value, string memory signature, bytes memory, uint256 eta) internal pure override returns (bytes32) {
        return keccak256(abi.encode(target, value, signature, eta));
    }
}
/// The key covers the hash of another text than the data.
contract NotedQueue is Queue {
    constructor(address admin_) Queue(admin_) {}
    function _key(address target, uint256 value, string memory signature, bytes memory, uint256 eta) internal pure override returns (bytes32) {
        return keccak256(abi.encode(target, value, keccak256(bytes(signature)), eta));
    }
}
/// The key covers the function that is called, and not its arguments.
contract SelectorQueue is Queue {
    constructor(address admin_) Queue(admin_) {}
    function _key(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) internal pure override returns (bytes32) {
        return keccak256(abi.encode(target, value, signature, bytes4(data), eta));
    }
}
/// The key covers how long the data is.
contract LengthQueue is Queue {
    constructor(address admin_) Queue(admin_) {}
    function _key(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) internal pure override returns (bytes32) {
        return keccak256(abi.encode(target, value, signature, data.length, eta));
    }
}
/// The key covers text and data one after the other, and not where one ends.
contract PackedQueue is Queue {
    constructor(address admin_) Queue(admin_) {}
    function _key(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) internal pure override returns (bytes32) {
        return keccak256(abi.encodePacked(target, value, signature, data, eta));
    }
}
/// What is called with is stored by the administrator at any time.
contract StoredDataQueue is Queue {
    bytes private payload;
    constructor(address admin_) Queue(admin_) {}
    function prepare(bytes calldata next) external onlyAdmin { payload = next; }
    function _call(address target, bytes memory) internal override { (bool ok,) = target.call(payload); require(ok); }
}
/// The contract that is called is stored by the administrator at any time.
contract StoredTargetQueue is Queue {
    address private relay;
    constructor(address admin_) Queue(admin_) {}
    function prepare(address next) external onlyAdmin { relay = next; }
    function _call(address, bytes memory data) internal override { (bool ok,) = relay.call(data); require(ok); }
}
/// The contract that is called is named behind the arguments.
contract TailTargetQueue is Queue {
    constructor(address admin_) Queue(admin_) {}
    function _call(address, bytes memory data) internal override {
        address target = address(bytes20(msg.data[msg.data.length - 20:]));
        (bool ok,) = target.call(data);
        require(ok);
    }
}
/// An argument of the call is replaced after its hash was looked up.
contract ChangedDataQueue is Queue {
    constructor(address admin_) Queue(admin_) {}
    function _call(address target, bytes memory data) internal override {
        assembly { mstore(add(data, 0x44), calldataload(sub(calldatasize(), 32))) }
        (bool ok,) = target.call(data);
        require(ok);
    }
}

/// The time that must have come is another argument than the one that was checked when it was queued.
contract OtherTimeQueue is Queue {
    constructor(address admin_) Queue(admin_) {}
    function executeTransaction(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) external override onlyAdmin {
        _use(_key(target, value, signature, data, eta), value);
        _call(target, data);
    }
}
/// The same by another order of what is hashed.
contract TurnedQueue is Queue {
    constructor(address admin_) Queue(admin_) {}
    function executeTransaction(address target, uint256 value, string memory signature, bytes memory data, uint256 eta) external override onlyAdmin {
        _use(_key(target, eta, signature, data, value), eta);
        _call(target, data);
    }
}
/// An entry is a time ahead, and only a time of the caller is compared with the present one.
contract UncheckedQueue {
    uint256 public delay = 2 days;
    address public admin;
    uint256 public constant GRACE_PERIOD = 14 days;
    mapping(bytes32 => uint256) public times;
    constructor(address admin_) { admin = admin_; }
    function queueTransaction(address target, uint256 wait, string calldata, bytes calldata data, uint256 eta) external {
        require(msg.sender == admin);
        require(wait >= delay);
        times[keccak256(abi.encode(target, wait, data, eta))] = block.timestamp + wait;
    }
    function executeTransaction(address target, uint256 wait, string calldata, bytes calldata data, uint256 eta) external {
        require(msg.sender == admin);
        bytes32 id = keccak256(abi.encode(target, wait, data, eta));
        require(times[id] != 0);
        require(eta <= block.timestamp);
        delete times[id];
        (bool ok,) = target.call(data);
        require(ok);
    }
}

/// Entries are times.
abstract contract TimeQueue {
    uint256 public delay = 2 days;
    address public admin;
    uint256 public constant GRACE_PERIOD = 14 days;
    constructor(address admin_) { admin = admin_; }
    event QueueTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta);
    function queueTransaction(address target, uint256 value, string calldata signature, bytes calldata data, uint256 eta) external {
        require(msg.sender == admin);
        require(eta >= block.timestamp + delay);
        bytes32 id = keccak256(abi.encode(target, value, data, eta));
        _queue(id, eta);
        emit QueueTransaction(id, target, value, signature, data, eta);
    }
    function executeTransaction(address target, uint256 value, string calldata, bytes calldata data, uint256 eta) external {
        require(msg.sender == admin);
        _use(keccak256(abi.encode(target, value, data, eta)));
        (bool ok,) = target.call(data);
        require(ok);
    }
    function _queue(bytes32 id, uint256 eta) internal virtual;
    function _use(bytes32 id) internal virtual;
}
/// An executed operation is removed. The honest form.
contract HonestTimes is TimeQueue {
    mapping(bytes32 => uint256) public times;
    constructor(address admin_) TimeQueue(admin_) {}
    function _queue(bytes32 id, uint256 eta) internal override { times[id] = eta; }
    function _use(bytes32 id) internal override {
        uint256 time = times[id];
        require(time > 1 && time <= block.timestamp);
        delete times[id];
    }
}
/// An executed operation stays in the queue.
contract RepeatingTimes is TimeQueue {
    mapping(bytes32 => uint256) public times;
    constructor(address admin_) TimeQueue(admin_) {}
    function _queue(bytes32 id, uint256 eta) internal override { times[id] = eta; }
    function _use(bytes32 id) internal view override {
        uint256 time = times[id];
        require(time > 1 && time <= block.timestamp);
    }
}
/// The entry is a time that has come already.
contract EarlyTimes is TimeQueue {
    mapping(bytes32 => uint256) public times;
    constructor(address admin_) TimeQueue(admin_) {}
    function _queue(bytes32 id, uint256) internal override { times[id] = 5; }
    function _use(bytes32 id) internal override {
        uint256 time = times[id];
        require(time > 1 && time <= block.timestamp);
        delete times[id];
    }
}
/// What is removed lies next to the time.
contract NotingTimes is TimeQueue {
    struct Entry { uint256 time; uint256 note; }
    mapping(bytes32 => Entry) public entries;
    constructor(address admin_) TimeQueue(admin_) {}
    function _queue(bytes32 id, uint256 eta) internal override { entries[id].time = eta; }
    function _use(bytes32 id) internal override {
        uint256 time = entries[id].time;
        require(time > 1 && time <= block.timestamp);
        entries[id].note = 0;
    }
}
/// An operation whose time is an odd number stays in the queue.
contract SparingTimes is TimeQueue {
    mapping(bytes32 => uint256) public times;
    constructor(address admin_) TimeQueue(admin_) {}
    function _queue(bytes32 id, uint256 eta) internal override { times[id] = eta; }
    function _use(bytes32 id) internal override {
        uint256 time = times[id];
        require(time > 1 && time <= block.timestamp);
        if (time % 2 == 0) delete times[id];
    }
}
/// What is removed are bits next to the flag.
contract FlaggedQueue {
    struct Entry { bool isQueued; bool isNoted; }
    uint256 public delay = 2 days;
    address public admin;
    uint256 public constant GRACE_PERIOD = 14 days;
    mapping(bytes32 => Entry) public entries;
    constructor(address admin_) { admin = admin_; }
    function queueTransaction(address target, uint256, string calldata, bytes calldata data, uint256 eta) external {
        require(msg.sender == admin);
        require(eta >= block.timestamp + delay);
        entries[keccak256(abi.encode(target, keccak256(data), eta))].isQueued = true;
    }
    function executeTransaction(address target, uint256, string calldata, bytes calldata data, uint256 eta) external {
        require(msg.sender == admin);
        Entry storage entry = entries[keccak256(abi.encode(target, keccak256(data), eta))];
        require(entry.isQueued);
        require(eta <= block.timestamp);
        entry.isNoted = false;
        (bool ok, ) = target.call(data);
        require(ok);
    }
}
/// The key covers texts and data of the input. The honest form.
contract HonestCallData {
    uint256 public delay = 2 days;
    address public admin;
    uint256 public constant GRACE_PERIOD = 14 days;
    mapping(bytes32 => bool) public queuedTransactions;
    event QueueTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta);
    constructor(address admin_) { admin = admin_; }
    function queueTransaction(address target, uint256 value, string calldata signature, bytes calldata data, uint256 eta) external {
        require(msg.sender == admin);
        require(eta >= block.timestamp + delay);
        bytes32 id = keccak256(abi.encode(target, value, signature, data, eta));
        queuedTransactions[id] = true;
        emit QueueTransaction(id, target, value, signature, data, eta);
    }
    function executeTransaction(address target, uint256 value, string calldata signature, bytes calldata data, uint256 eta) external {
        require(msg.sender == admin);
        bytes32 id = keccak256(abi.encode(target, value, signature, data, eta));
        require(queuedTransactions[id]);
        require(eta <= block.timestamp);
        queuedTransactions[id] = false;
        (bool ok, ) = target.call{value: value}(data);
        require(ok);
    }
}
