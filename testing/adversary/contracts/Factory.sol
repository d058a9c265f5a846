// Needs a new EVM.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Deploys any code at an address that depends on the salt only. Anyone may use it.
contract OpenFactory {
    event Created(address at);
    function deploy(bytes32 salt, bytes calldata code) external returns (address at) {
        Relay relay = new Relay{salt: salt}();
        at = relay.create(code);
        emit Created(at);
    }
    function addressOf(bytes32 salt) external view returns (address) {
        address relay = address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", address(this), salt, keccak256(type(Relay).creationCode))))));
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"d694", relay, hex"01")))));
    }
}

contract Relay {
    function create(bytes memory code) external returns (address at) {
        assembly { at := create(0, add(code, 32), mload(code)) }
        require(at != address(0));
    }
}
