// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/** A queue whose function that executes is overridden below. */
abstract contract AnyLengthQueue {
    uint256 public delay = 2 days;
    uint256 public constant GRACE_PERIOD = 14 days;
    address public admin;
    mapping(bytes32 => bool) public queuedTransactions;

    event QueueTransaction(
        bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta
    );

    constructor(address admin_) {
        admin = admin_;
    }

    modifier onlyAdmin() {
        require(msg.sender == admin);
        _;
    }

    function _put(bytes32 id, uint256 eta) internal {
        require(eta >= block.timestamp + delay);
        queuedTransactions[id] = true;
    }

    function _due(bytes32 id, uint256 eta) internal view {
        require(queuedTransactions[id] && eta <= block.timestamp);
    }
}

abstract contract TextQueue is AnyLengthQueue {
    constructor(address admin_) AnyLengthQueue(admin_) {}

    function _key(address target, bytes memory data, uint256 eta) internal view virtual returns (bytes32) {
        return keccak256(abi.encode(target, data, eta));
    }

    function _remove(bytes32 id, bytes memory) internal virtual {
        queuedTransactions[id] = false;
    }

    function _call(address target, bytes memory data) internal virtual {
        (bool ok,) = target.call(data);
        require(ok);
    }

    function queueTransaction(address target, bytes memory data, uint256 eta) external onlyAdmin {
        bytes32 id = _key(target, data, eta);
        _put(id, eta);
        emit QueueTransaction(id, target, 0, "", data, eta);
    }

    /** What follows the arguments is not read, except by the tricks below. */
    function executeTransaction(address target, bytes memory data, uint256 eta) external onlyAdmin {
        bytes32 id = _key(target, data, eta);
        _due(id, eta);
        _remove(id, data);
        _call(target, data);
    }

    /** A call that stands at the end of the input: 132 bytes of data after the address. */
    function _callAtEnd() internal {
        uint256 end = msg.data.length;
        (bool ok,) = address(bytes20(msg.data[end - 152:end - 132])).call(msg.data[end - 132:]);
        require(ok);
    }
}

contract HonestTextQueue is TextQueue {
    constructor(address admin_) TextQueue(admin_) {}
}

/** Hashes the whole text, word by word of memory. */
contract HashedTextQueue is TextQueue {
    constructor(address admin_) TextQueue(admin_) {}

    function _key(address target, bytes memory data, uint256 eta) internal pure override returns (bytes32) {
        bytes32 hash;
        assembly {
            hash := keccak256(add(data, 32), mload(data))
        }
        return keccak256(abi.encode(target, hash, eta));
    }
}

/** Hashes the whole text only if it is shorter than 1,024 bytes. */
contract MaskedTextQueue is TextQueue {
    constructor(address admin_) TextQueue(admin_) {}

    function _key(address target, bytes memory data, uint256 eta) internal pure override returns (bytes32) {
        bytes32 hash;
        assembly {
            hash := keccak256(add(data, 32), and(mload(data), 1023))
        }
        return keccak256(abi.encode(target, hash, eta));
    }
}

/** The same, by a division. */
contract DividedTextQueue is TextQueue {
    constructor(address admin_) TextQueue(admin_) {}

    function _key(address target, bytes memory data, uint256 eta) internal pure override returns (bytes32) {
        bytes32 hash;
        assembly {
            hash := keccak256(add(data, 32), mul(mload(data), iszero(div(mload(data), 1000))))
        }
        return keccak256(abi.encode(target, hash, eta));
    }
}

/** The size of the input decides how much of the text is hashed. */
contract InputSizeQueue is TextQueue {
    constructor(address admin_) TextQueue(admin_) {}

    function _key(address target, bytes memory data, uint256 eta) internal pure override returns (bytes32) {
        bytes32 hash;
        assembly {
            hash := keccak256(add(data, 32), mul(mload(data), lt(calldatasize(), 1000)))
        }
        return keccak256(abi.encode(target, hash, eta));
    }
}

/** A long text lets another call pass. */
contract ShiftedLengthQueue is TextQueue {
    constructor(address admin_) TextQueue(admin_) {}

    function _call(address target, bytes memory data) internal override {
        if (data.length >> 9 == 0) super._call(target, data);
        else _callAtEnd();
    }
}

/** A text of 31 bytes lets another call pass. */
contract OddLengthQueue is TextQueue {
    constructor(address admin_) TextQueue(admin_) {}

    function _call(address target, bytes memory data) internal override {
        if (data.length != 31) super._call(target, data);
        else _callAtEnd();
    }
}

/** The length decides by its square. */
contract SquaredLengthQueue is TextQueue {
    constructor(address admin_) TextQueue(admin_) {}

    function _call(address target, bytes memory data) internal override {
        if (data.length * data.length != 512 * 512) super._call(target, data);
        else _callAtEnd();
    }
}

/** What a call returns is called as well. */
contract ReturnedCallQueue is TextQueue {
    constructor(address admin_) TextQueue(admin_) {}

    function _call(address target, bytes memory data) internal override {
        (bool ok, bytes memory returned) = target.call(data);
        require(ok);
        if (returned.length > 64) {
            (address next, bytes memory call) = abi.decode(returned, (address, bytes));
            (ok,) = next.call(call);
            require(ok);
        }
    }
}

/** Returns a call. */
contract ReturnsCall {
    address private immutable target;
    bytes private call;

    constructor(address target_, bytes memory call_) {
        target = target_;
        call = call_;
    }

    fallback() external {
        bytes memory answer = abi.encode(target, call);
        assembly {
            return(add(answer, 32), mload(answer))
        }
    }
}

abstract contract ListQueue is AnyLengthQueue {
    constructor(address admin_) AnyLengthQueue(admin_) {}

    function _key(address[] calldata targets, bytes[] calldata datas, uint256 eta) internal pure virtual returns (bytes32) {
        return keccak256(abi.encode(targets, datas, eta));
    }

    function _target(address[] calldata targets, uint256 at) internal pure virtual returns (address) {
        return targets[at];
    }

    function queue(address[] calldata targets, bytes[] calldata datas, uint256 eta) external onlyAdmin {
        require(targets.length == datas.length);
        bytes32 id = _key(targets, datas, eta);
        _put(id, eta);
        for (uint256 i; i < targets.length; i++) emit QueueTransaction(id, targets[i], 0, "", datas[i], eta);
    }

    function execute(address[] calldata targets, bytes[] calldata datas, uint256 eta) external onlyAdmin {
        require(targets.length == datas.length);
        bytes32 id = _key(targets, datas, eta);
        _due(id, eta);
        queuedTransactions[id] = false;
        for (uint256 i; i < targets.length; i++) {
            (bool ok,) = _target(targets, i).call(datas[i]);
            require(ok);
        }
    }
}

contract HonestListQueue is ListQueue {
    constructor(address admin_) ListQueue(admin_) {}
}

/** Hashes each call, and the hashes. */
contract HashedListQueue is ListQueue {
    constructor(address admin_) ListQueue(admin_) {}

    function _key(address[] calldata targets, bytes[] calldata datas, uint256 eta) internal pure override returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](targets.length);
        for (uint256 i; i < targets.length; i++) hashes[i] = keccak256(abi.encode(targets[i], datas[i]));
        return keccak256(abi.encode(hashes, eta));
    }
}

/** Hashes the last two calls of a list. */
contract TwoHashesQueue is ListQueue {
    constructor(address admin_) ListQueue(admin_) {}

    function _key(address[] calldata targets, bytes[] calldata datas, uint256 eta) internal pure override returns (bytes32) {
        bytes32[2] memory hashes;
        for (uint256 i; i < targets.length; i++) hashes[i & 1] = keccak256(abi.encode(targets[i], datas[i]));
        return keccak256(abi.encode(hashes, targets.length, eta));
    }
}

/** Hashes the first and the last target. */
contract EndsQueue is ListQueue {
    constructor(address admin_) ListQueue(admin_) {}

    function _key(address[] calldata targets, bytes[] calldata datas, uint256 eta) internal pure override returns (bytes32) {
        return keccak256(abi.encode(targets.length, targets[0], targets[targets.length - 1], datas, eta));
    }
}

/** The third call has a target of its own: the last word of the input. */
contract ThirdTargetQueue is ListQueue {
    constructor(address admin_) ListQueue(admin_) {}

    function _target(address[] calldata targets, uint256 at) internal pure override returns (address) {
        return at < 2 ? targets[at] : address(bytes20(msg.data[msg.data.length - 20:]));
    }
}
