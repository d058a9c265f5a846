// SPDX-License-Identifier: MIT
pragma solidity ^0.6.12;

/// The owner is renounced, and an invalid signature recovers the same zero address.
contract PermitUpgrade {
    address public owner;
    uint256 public number;
    function setNumber(uint256 next) public { number = next; }
    function upgradeWithPermit(address next, uint8 v, bytes32 r, bytes32 s) public {
        require(msg.sender == owner || ecrecover(keccak256(abi.encode(next, address(this))), v, r, s) == owner, "not owner");
        assembly { sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, next) }
    }
    receive() external payable {}
}

/// The share of a holder is a product that overflows.
contract OverflowShares {
    mapping(address => uint256) public shares;
    uint256 public total = 1;
    uint256 public number;
    function setNumber(uint256 next) public { number = next; }
    function buy(uint256 count) public payable { require(msg.value == count * 1 ether); shares[msg.sender] += count; }
    function upgrade(address next) public {
        require(shares[msg.sender] > 2 ** 128);
        assembly { sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, next) }
    }
}
