// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {LOGIC, OwnedLogic, Plain} from "./Base.sol";

// Loops over storage, and slots that differ between paths that meet.

/// A loop over an array begins at an index of the caller.
contract StartedLoop is Plain {
    uint256[] private list;
    function fill(uint256 start, uint256[] calldata words) external {
        assembly {
            mstore(0, list.slot)
            let at := add(keccak256(0, 32), start)
            for { let i := 0 } lt(i, words.length) { i := add(i, 1) } {
                sstore(at, calldataload(add(words.offset, mul(i, 32))))
                at := add(at, 1)
            }
        }
    }
}

/// The caller says how far apart the elements are.
contract SteppedLoop is OwnedLogic {
    uint256[] private list;
    function fill(uint256 step, uint256[] calldata words) external {
        assembly {
            mstore(0, list.slot)
            let at := keccak256(0, 32)
            for { let i := 0 } lt(i, words.length) { i := add(i, 1) } {
                sstore(at, calldataload(add(words.offset, mul(i, 32))))
                at := add(at, step)
            }
        }
    }
}

/// The distance from the start of an array doubles in each round.
contract DoubledDistance is OwnedLogic {
    uint256[] private list;
    function settle(uint256 bits, address value) external {
        assembly {
            mstore(0, list.slot)
            let start := keccak256(0, 32)
            let at := start
            for { let i := 256 } gt(i, 0) { i := sub(i, 1) } {
                at := add(at, add(sub(at, start), and(div(bits, exp(2, sub(i, 1))), 1)))
            }
            sstore(at, value)
        }
    }
}

/// The distance doubles in one of two loops, and the other one counts.
contract AlternatingLoops is Plain {
    uint256[] private list;
    function settle(uint256 bits, address value) external {
        assembly {
            mstore(0, list.slot)
            let distance := 0
            for { let i := 256 } gt(i, 0) { i := sub(i, 1) } {
                let more := distance
                if and(div(bits, exp(2, sub(i, 1))), 1) { more := add(more, 1) }
                distance := add(distance, more)
            }
            sstore(add(keccak256(0, 32), distance), value)
        }
    }
}

/// The elements are far apart, and there are many rounds with a factor of the caller.
contract FactorLoop is Plain {
    uint256[] private list;
    function settle(uint256[] calldata factors, address value) external {
        assembly {
            mstore(0, list.slot)
            let distance := 1
            for { let i := 0 } lt(i, factors.length) { i := add(i, 1) } {
                distance := mul(distance, calldataload(add(factors.offset, mul(i, 32))))
            }
            sstore(add(keccak256(0, 32), distance), value)
        }
    }
}

/// The index of a table with three dimensions. The table begins far before the pointer, and just far enough.
contract NestedProduct is Plain {
    function settle(uint256 x, uint256 y, uint256 z, address value) external {
        assembly {
            let row := add(and(y, 0xffffffff), mul(and(z, 0xffffffffffffffff), 0x80000000))
            let index := mul(add(and(x, 0xffffffff), mul(row, 0x80000000)), 0x80000000)
            sstore(add(sub(LOGIC, 0x40000000000000000000000000000000000000), index), value)
        }
    }
}

/// The slot is the start of an array, or the pointer.
contract EitherPlace is Plain {
    uint256[] private list;
    function settle(bool isFirst, address value) external {
        assembly {
            mstore(0, list.slot)
            let at := keccak256(0, 32)
            if isFirst { at := LOGIC }
            sstore(at, value)
        }
    }
}

/// The loop begins three slots before the pointer.
contract NearbyLoop is OwnedLogic {
    function fill(uint256[] calldata words) external {
        assembly {
            let at := sub(LOGIC, 3)
            for { let i := 0 } lt(i, words.length) { i := add(i, 1) } {
                sstore(at, calldataload(add(words.offset, mul(i, 32))))
                at := add(at, 1)
            }
        }
    }
}

/// The loop ends at the pointer, and runs down to it.
contract DownwardLoop is Plain {
    uint256[] private list;
    function fill(uint256 end, uint256[] calldata words) external {
        assembly {
            mstore(0, list.slot)
            let start := keccak256(0, 32)
            let at := add(start, end)
            for { let i := 0 } lt(i, words.length) { i := add(i, 1) } {
                at := sub(at, 1)
                sstore(at, calldataload(add(words.offset, mul(i, 32))))
            }
        }
    }
}

/// A loop stores numbers under names of 28 bytes, one slot before their hash.
contract HashedNames is Plain {
    function note(bytes32[] calldata names, uint256[] calldata values) external {
        for (uint256 i; i < names.length; ++i) {
            bytes32 name = names[i];
            uint256 value = values[i];
            assembly {
                mstore(0, name)
                sstore(sub(keccak256(0, 28), 1), value)
            }
        }
    }
}

/// The slot is the hash of a name, or an element of a mapping.
contract EitherHash is OwnedLogic {
    function settle(bytes32 name, bool isElement, uint256 value) external {
        assembly {
            mstore(0, name)
            mstore(32, 5)
            let at := keccak256(0, 64)
            if iszero(isElement) { at := sub(keccak256(0, 28), 1) }
            sstore(at, value)
        }
    }
}

/// The index must not be above the last one of a list, which may be empty.
contract EmptyBound is Plain {
    uint256[] private list;
    function replace(uint256 index, uint256 value) external {
        unchecked { require(index <= list.length - 1); }
        assembly {
            mstore(0, list.slot)
            sstore(add(keccak256(0, 32), index), value)
        }
    }
}

/// The list is not empty before its last element is removed.
contract PoppedBound is Plain {
    uint256[] private list;
    function push(uint256 value) external { list.push(value); }
    function replace(uint256 index, uint256 value) external {
        require(list.length != 0);
        list.pop();
        unchecked { require(index <= list.length - 1); }
        assembly {
            mstore(0, list.slot)
            sstore(add(keccak256(0, 32), index), value)
        }
    }
}

/// A loop begins at the end of a list, which the caller sets.
contract StoredStart is OwnedLogic {
    uint256 private end;
    uint256[] private list;
    function setEnd(uint256 next) external { end = next; }
    function append(uint256[] calldata words) external {
        assembly {
            mstore(0, list.slot)
            let at := add(keccak256(0, 32), sload(end.slot))
            for { let i := 0 } lt(i, words.length) { i := add(i, 1) } {
                sstore(at, calldataload(add(words.offset, mul(i, 32))))
                at := add(at, 1)
            }
        }
    }
}

/// The rest of a text is cleared from a length on that the caller gives, and filled with another word.
contract UncheckedText is Plain {
    string private text;
    function cut(uint256 words, uint256 rest, uint256 filler) external {
        assembly {
            mstore(0, text.slot)
            let start := keccak256(0, 32)
            let at := add(start, words)
            if lt(words, 2) { at := start }
            let end := add(at, rest)
            for {} lt(at, end) { at := add(at, 1) } { sstore(at, filler) }
        }
    }
}

/// A queued operation is looked up by its own hash, or by one that the caller puts together.
contract EitherQueue {
    uint256 public delay = 2 days;
    address public admin;
    uint256 public constant GRACE_PERIOD = 14 days;
    mapping(bytes32 => bool) public queuedTransactions;
    constructor(address admin_) { admin = admin_; }
    function queueTransaction(address target, uint256, string calldata, bytes calldata data, uint256 eta) external {
        require(msg.sender == admin);
        require(eta >= block.timestamp + delay);
        queuedTransactions[keccak256(abi.encode(target, keccak256(data), eta))] = true;
    }
    function executeTransaction(address target, uint256 value, string calldata, bytes calldata data, uint256 eta)
        external
    {
        bytes32 key = value == 0
            ? keccak256(abi.encode(target, keccak256(data), eta))
            : keccak256(abi.encode(admin, bytes32(value), eta));
        require(queuedTransactions[key]);
        require(eta <= block.timestamp);
        queuedTransactions[key] = false;
        (bool ok, ) = target.call(data);
        require(ok);
    }
}

/// Texts, lists and loops over arrays of the caller. The honest form of the loops.
contract HonestLoops is Plain {
    struct Pair { uint256 left; uint256 right; }
    string public title;
    uint256[] public list;
    Pair[] public pairs;
    mapping(uint256 => string) public texts;
    mapping(address => mapping(uint256 => uint256)) public balances;
    function rename(string calldata next) external { title = next; }
    function note(uint256 id, string calldata text) external { texts[id] = text; }
    function forget(uint256 id) external { delete texts[id]; delete title; }
    function assign(uint256[] calldata next) external { list = next; }
    function clear() external { delete list; delete pairs; }
    function addPair(uint256 left, uint256 right) external { pairs.push(Pair(left, right)); }
    function removePair(uint256 index) external {
        pairs[index] = pairs[pairs.length - 1];
        pairs.pop();
    }
    function give(address[] calldata to, uint256[] calldata ids, uint256[] calldata amounts) external {
        for (uint256 i; i < to.length; ++i) balances[to[i]][ids[i]] += amounts[i];
    }
}
