// Needs a new EVM.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.29;

import {OwnableUpgradeable} from "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {LOGIC, OwnedLogic, Plain} from "./Base.sol";

/// UUPS logic with OpenZeppelin 5.
contract OwnedLogic5 is OwnableUpgradeable, UUPSUpgradeable {
    uint256 public number;
    function initialize(address owner_) public virtual initializer { __Ownable_init(owner_); }
    function _authorizeUpgrade(address) internal virtual override onlyOwner {}
}

/// Erases the record that the contract is initialized.
contract InitializerEraser is OwnedLogic5 {
    function clear(string calldata namespace) external {
        bytes32 slot = keccak256(abi.encode(uint256(keccak256(bytes(namespace))) - 1)) & ~bytes32(uint256(0xff));
        assembly { sstore(slot, 0) }
    }
}

contract Reinitializable5 is OwnedLogic5 {
    function migrate(uint64 version, address owner_) external reinitializer(version) { __Ownable_init(owner_); }
}

/// The storage of the whole contract starts at the implementation slot, so that its first variable is the implementation.
contract LayoutAtPointer layout at 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc {
    address private treasury;
    uint256 public number;
    function setNumber(uint256 next) external { number = next; }
    function setTreasury(address next) external { treasury = next; }
}

/// The target is kept in transient storage between two calls of one transaction.
contract TransientTarget is OwnedLogic {
    function aim(address target) external { assembly { tstore(5, target) } }
    function fire(bytes calldata data) external {
        address target;
        assembly { target := tload(5) }
        (bool ok,) = target.delegatecall(data);
        require(ok);
    }
}
contract TransientUser {
    constructor(address at, address code) {
        TransientTarget(at).aim(code);
        TransientTarget(at).fire(abi.encodeWithSignature("seize(address)", code));
    }
}

/// The target is the CREATE2 address of a salt that the caller gives.
contract SaltedTarget is OwnedLogic {
    address private immutable factory;
    bytes32 private immutable codeHash;
    constructor(address factory_, bytes32 codeHash_) { factory = factory_; codeHash = codeHash_; }
    function extend(bytes32 salt, bytes calldata data) external {
        address relay = address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", factory, salt, codeHash)))));
        address target = address(uint160(uint256(keccak256(abi.encodePacked(hex"d694", relay, hex"01")))));
        (bool ok,) = target.delegatecall(data);
        require(ok);
    }
}
