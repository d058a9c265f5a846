// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Forwarding, LOGIC, OwnedLogic, Plain} from "./Base.sol";

// Writes that only an exact reading of memory, arithmetic and context finds.

/// The last byte of a harmless slot in memory is replaced.
contract PatchedByte is Plain {
    function settle(uint256 last, address value) external {
        assembly {
            mstore(0, 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382b00)
            mstore8(31, last)
            sstore(mload(0), value)
        }
    }
}

/// Two words overlap.
contract OverlappingWords is Plain {
    function settle(address value) external {
        assembly {
            mstore(0, 0x360894a13ba1a3210667c828492db98d00000000000000000000000000000000)
            mstore(16, 0xca3e2076cc3735a920a3ca505d382bbc00000000000000000000000000000000)
            sstore(mload(0), value)
        }
    }
}

/// A word is read between two others.
contract UnalignedRead is Plain {
    function settle(address value) external {
        assembly {
            mstore(0, 0x0000000000000000000000000000000000000000000000000000360894a13ba1)
            mstore(32, 0xa3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc000000000000)
            sstore(mload(26), value)
        }
    }
}

/// The identity precompile copies a part of calldata over the slot.
contract IdentityCopy is Plain {
    function settle(bytes32 part, address value) external {
        assembly {
            mstore(64, part)
            mstore(0, 1)
            pop(staticcall(gas(), 4, 64, 32, 0, 32))
            sstore(mload(0), value)
        }
    }
}

/// The SHA-256 precompile makes the difference to the slot.
contract Sha256Slot is OwnedLogic {
    function settle(address value) external {
        unchecked {
            uint256 offset = uint256(LOGIC) - uint256(0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad);
            uint256 slot = uint256(sha256("abc")) + offset;
            assembly { sstore(slot, value) }
        }
    }
}

/// Calldata is copied over a constant target.
contract OverwrittenTarget is OwnedLogic {
    function helper() external pure returns (uint256) { return 1; }
    function runHelper(uint256, bytes calldata data) external {
        address target;
        assembly {
            mstore(0, address())
            calldatacopy(12, 16, 20)
            target := mload(0)
        }
        (bool ok,) = target.delegatecall(data);
        require(ok);
    }
}

/// The guard compares the sender with the owner in memory, over which calldata was copied.
contract OverwrittenOwner is OwnedLogic {
    function _authorizeUpgrade(address) internal view override {
        address owner_ = owner();
        bool ok;
        assembly {
            mstore(0, owner_)
            if gt(calldatasize(), 67) { calldatacopy(0, 36, 32) }
            ok := eq(mload(0), caller())
        }
        require(ok);
    }
}

/// Signed division, remainders and shifts at their limits add up to zero.
contract ExactArithmetic is Plain {
    function settle(int256 least, address value) external {
        assembly {
            // The least number divided by minus one is itself; its remainder is zero; the shift by 256 gives zero.
            let zero := sub(sdiv(least, sub(0, 1)), least)
            if eq(least, exp(2, 255)) {
                zero := add(zero, smod(sub(0, 8), 4))
                zero := add(zero, sub(exp(0, 0), 1))
                zero := add(zero, byte(32, not(0)))
                zero := add(zero, sub(addmod(not(0), not(0), not(0)), 0))
                zero := add(zero, add(signextend(0, 0xff), 1))
                sstore(add(LOGIC, zero), value)
            }
        }
    }
}

/// The write happens only while the code runs for another contract.
contract OnlyBehindProxy is Plain {
    address private immutable self = address(this);
    function settle(address value) external { if (address(this) != self) assembly { sstore(LOGIC, value) } }
}

/// The write happens only if the code that runs is not the code of the contract.
contract OtherCodeSize is Plain {
    function settle(address value) external {
        assembly { if iszero(eq(codesize(), extcodesize(address()))) { sstore(LOGIC, value) } }
    }
}

/// A flag that is off today enables the write; anyone may turn it on.
contract SleepingWriter is OwnedLogic {
    bool private enabled;
    function enable() external { enabled = true; }
    function settle(address value) external { if (enabled) assembly { sstore(LOGIC, value) } }
}

/// A variable that no function seems to write enables the write; it is an element of a list.
contract HiddenFlag is Plain {
    uint256[4] private list;
    uint256 private enabled;
    function put(uint256 index, uint256 value) external { assembly { sstore(add(list.slot, mod(index, 5)), value) } }
    function settle(address value) external { if (enabled == 77) assembly { sstore(LOGIC, value) } }
}

/// Clears the pointer, and the proxy lets anyone set an empty one.
contract ClearableProxy is Forwarding {
    constructor(address logic) { assembly { sstore(LOGIC, logic) } }
    function start(address logic) external {
        address current;
        assembly { current := sload(LOGIC) }
        require(current == address(0));
        assembly { sstore(LOGIC, logic) }
    }
    fallback() external payable { address logic; assembly { logic := sload(LOGIC) } _delegate(logic); }
}
contract ClearingLogic is Plain { function clear() external { assembly { sstore(LOGIC, 0) } } }

/// Requires the unused bits of the pointer to be empty, which they always are.
contract HalfEmptyProxy is Forwarding {
    constructor(address logic) { assembly { sstore(LOGIC, logic) } }
    function start(address logic) external {
        uint256 current;
        assembly { current := sload(LOGIC) }
        require(current / 2 ** 160 == 0);
        assembly { sstore(LOGIC, logic) }
    }
    fallback() external payable { address logic; assembly { logic := sload(LOGIC) } _delegate(logic); }
}

/// Requires a flag to be empty that the logic stores as an ordinary number.
contract ForgottenFlagProxy is Forwarding {
    uint256 private started;
    constructor(address logic) { started = 1; assembly { sstore(LOGIC, logic) } }
    function start(address logic) external { require(started == 0); started = 1; assembly { sstore(LOGIC, logic) } }
    fallback() external payable { address logic; assembly { logic := sload(LOGIC) } _delegate(logic); }
}

/// Runs itself with calldata that it makes from input, and trusts itself.
contract SelfDelegating is OwnedLogic {
    function _authorizeUpgrade(address) internal view override { if (number != 99) _checkOwner(); }
    function batch(bytes calldata data) external {
        uint256 before = number;
        number = 99;
        (bool ok,) = address(this).delegatecall(data);
        number = before;
        require(ok);
    }
}

/// A comparison that is true for one sender of the caller's choice: both sides contain the sender.
contract BothSides is OwnedLogic {
    function _authorizeUpgrade(address next) internal view override {
        require(uint160(msg.sender) ^ uint160(next) == uint160(owner()) ^ uint160(next) || uint160(msg.sender) - uint160(msg.sender) == uint160(uint256(keccak256(abi.encode(next))) % 2));
    }
}

/// The sender is compared with the owner, and the result is only used to pay for a write that happens anyway.
contract UselessComparison is OwnedLogic {
    function _authorizeUpgrade(address) internal override { number = msg.sender == owner() ? number + 1 : number + 2; }
}

/// The check reverts in a call to itself whose failure is caught.
contract CaughtCheck is OwnedLogic {
    function check(address account) external view returns (bool) { require(account == owner()); return true; }
    function _authorizeUpgrade(address) internal override { try this.check(msg.sender) returns (bool) { number = 1; } catch { number = 2; } }
}

/// Compares the owner with the origin's answer in the wrong order: anyone passes if the owner is not a contract that objects.
contract ObjectionGuard is OwnedLogic {
    function _authorizeUpgrade(address next) internal view override {
        if (msg.sender == owner()) return;
        (bool objects,) = owner().staticcall(abi.encodeWithSignature("object(address)", next));
        require(!objects);
    }
}
