// Needs a new EVM.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {LOGIC, OwnedLogic, Plain} from "./Base.sol";

// Writes whose slot, or whose part of a slot, is computed.

/// The slot is one less than the hash of code that the caller names.
contract CodeHashSlot is Plain {
    function register(address source, address value) external { assembly { sstore(sub(extcodehash(source), 1), value) } }
}

/// The slot is a result of the precompile for modular exponentiation.
contract PowerSlot is OwnedLogic {
    function settle(uint256 base, uint256 exponent, address value) external {
        assembly {
            let at := mload(0x40)
            mstore(at, 32)
            mstore(add(at, 32), 32)
            mstore(add(at, 64), 32)
            mstore(add(at, 96), base)
            mstore(add(at, 128), exponent)
            mstore(add(at, 160), not(0))
            if iszero(staticcall(gas(), 5, at, 192, at, 32)) { revert(0, 0) }
            sstore(mload(at), value)
        }
    }
}

/// The slot is built bit by bit.
contract LoopedSlot is OwnedLogic {
    function settle(uint256 bits, address value) external {
        uint256 slot;
        unchecked { for (uint256 i = 256; i > 0; --i) slot = slot * 2 + ((bits >> (i - 1)) & 1); }
        assembly { sstore(slot, value) }
    }
}

/// The caller says how much of a text is hashed.
contract TextLengthSlot is Plain {
    function settle(uint256 length, address value) external {
        assembly {
            mstore(0, "eip1967.proxy.implementation.v2")
            sstore(sub(keccak256(0, length), 1), value)
        }
    }
}

/// The slot follows from the hash of what another contract answers.
contract AnswerHashSlot is OwnedLogic {
    function settle(address source, address value) external {
        (, bytes memory answer) = source.staticcall("");
        uint256 slot = uint256(keccak256(answer)) - 1;
        assembly { sstore(slot, value) }
    }
}

/// The slot is next to a power of two.
contract ExponentSlot is Plain {
    function settle(uint256 exponent, address value) external {
        assembly { sstore(add(sub(LOGIC, 1), exp(2, exponent)), value) }
    }
}

contract SignExtendedSlot is Plain {
    function settle(uint256 bytes_, uint256 place, address value) external {
        assembly { sstore(xor(signextend(bytes_, place), 0x1111), value) }
    }
}

/// The slot is put together from single bytes.
contract ByteByByteSlot is OwnedLogic {
    function settle(bytes calldata place, address value) external {
        for (uint256 i; i < 32; ++i) {
            uint256 one = uint8(place[i]);
            assembly { mstore8(i, one) }
        }
        assembly { sstore(mload(0), value) }
    }
}

/// The slot is moved by one byte in memory.
contract MovedSlot is Plain {
    function settle(address value) external {
        assembly {
            mstore(0, shl(8, LOGIC))
            mcopy(1, 0, 31)
            mstore8(0, 0x36)
            sstore(mload(0), value)
        }
    }
}

/// The contract asks itself for the slot.
contract SelfAnsweredSlot is OwnedLogic {
    function place(uint256 x) public pure returns (uint256) { return x ^ 0x5ca1ab1e; }
    function settle(uint256 x, address value) external {
        uint256 slot = this.place(x);
        assembly { sstore(slot, value) }
    }
}

contract SenderOffsetSlot is Plain {
    function settle(uint256 x, address value) external { assembly { sstore(add(caller(), x), value) } }
}

contract ValueSlot is OwnedLogic {
    function settle(address value) external payable { assembly { sstore(add(sub(LOGIC, 3), callvalue()), value) } }
}

contract BlockSlot is Plain {
    function settle(address value) external { assembly { sstore(add(sub(LOGIC, 5), mod(number(), 8)), value) } }
}

contract InputLengthSlot is OwnedLogic {
    function settle(address value) external { assembly { sstore(add(sub(LOGIC, 100), calldatasize()), value) } }
}

/// The written slot is the sum of a mapping's element and a number of the caller.
contract OffsetElement is Plain {
    mapping(address => uint256[4]) private scores;
    function score(uint256 index, uint256 value) external {
        uint256[4] storage mine = scores[msg.sender];
        assembly { sstore(add(mine.slot, index), value) }
    }
}

/// The caller says which bits of the word with the owner are set.
contract ShiftedField is OwnedLogic {
    function setField(uint256 at, uint256 width, uint256 value) external {
        assembly {
            let mask := shl(at, sub(shl(width, 1), 1))
            sstore(0, or(and(sload(0), not(mask)), and(shl(at, value), mask)))
        }
    }
}

/// Sixteen numbers share a word; the index is not checked.
contract PackedShares is OwnedLogic {
    function setShare(uint256 index, uint256 value) external {
        assembly {
            let slot := shr(4, index)
            let at := shl(4, and(index, 15))
            sstore(slot, or(and(sload(slot), not(shl(at, 0xffff))), shl(at, and(value, 0xffff))))
        }
    }
}

/// A counter is added to the whole word.
contract AddedWord is OwnedLogic {
    function count(uint256 by) external { assembly { sstore(0, add(sload(0), by)) } }
}

/// The cleaning of a field clears the bits next to it, so that the contract can be initialized again.
contract ClearedNeighbor is OwnedLogic {
    function clearFlags(uint256 kept) external { assembly { sstore(0, and(sload(0), shl(16, kept))) } }
}

/// A copy of an array in storage begins where the caller says.
contract CopiedWords is Plain {
    function fill(uint256 start, uint256[] calldata words) external {
        for (uint256 i; i < words.length; ++i) {
            uint256 word = words[i];
            assembly { sstore(add(start, i), word) }
        }
    }
}

/// A storage reference is a number of the caller.
contract ChosenReference is OwnedLogic {
    struct Note { uint256 value; }
    function write(uint256 place, uint256 value) external {
        Note storage note;
        assembly { note.slot := place }
        note.value = value;
    }
}
