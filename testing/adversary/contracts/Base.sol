// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Ownable} from "openzeppelin-contracts-4/access/Ownable.sol";
import {Initializable} from "openzeppelin-contracts-4/proxy/utils/Initializable.sol";
import {UUPSUpgradeable} from "openzeppelin-contracts-4/proxy/utils/UUPSUpgradeable.sol";

bytes32 constant LOGIC = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
bytes32 constant ADMIN = 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103;
bytes32 constant BEACON = 0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50;

/// Logic of the attacker. It is also its own beacon.
contract Taken {
    address private immutable self = address(this);
    function taken() external pure returns (bytes32) { return keccak256("taken"); }
    function proxiableUUID() external pure returns (bytes32) { return LOGIC; }
    function implementation() external view returns (address) { return self; }
    fallback() external payable {}
    function seize(address next) external { assembly { sstore(LOGIC, next) } }
    function store(bytes32 slot, bytes32 value) external { assembly { sstore(slot, value) } }
}

/// Logic without an upgrade function.
contract Plain {
    uint256 public number;
    function setNumber(uint256 next) external virtual { number = next; }
}

/// UUPS logic whose owner can upgrade.
contract OwnedLogic is Initializable, Ownable, UUPSUpgradeable {
    uint256 public number;
    function initialize(address owner_) public virtual initializer { _transferOwnership(owner_); }
    function setNumber(uint256 next) external virtual { number = next; }
    function _authorizeUpgrade(address) internal virtual override onlyOwner {}
}

abstract contract Forwarding {
    function _delegate(address logic) internal {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), logic, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
    function _call(address target) internal {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := call(gas(), target, callvalue(), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
}
