pragma solidity ^0.5.17;

/// Eternal storage: the pointer is an entry of a table that the logic offers to everyone.
contract EternalProxy {
    mapping(bytes32 => address) private addresses;
    constructor(address logic) public { addresses[keccak256("implementation")] = logic; }
    function() external payable {
        address logic = addresses[keccak256("implementation")];
        assembly {
            calldatacopy(0, 0, calldatasize)
            let ok := delegatecall(gas, logic, 0, calldatasize, 0, 0)
            returndatacopy(0, 0, returndatasize)
            switch ok case 0 { revert(0, returndatasize) } default { return(0, returndatasize) }
        }
    }
}
contract EternalLogic {
    mapping(bytes32 => address) private addresses;
    function setAddress(bytes32 key, address value) public { addresses[key] = value; }
    function getAddress(bytes32 key) public view returns (address) { return addresses[key]; }
}

contract ShrinkingArray5 {
    address public owner;
    bytes32[] private codex;
    function record(bytes32 value) public { codex.push(value); }
    function retract() public { codex.length--; }
    function revise(uint256 index, bytes32 value) public { codex[index] = value; }
    function proxiableUUID() public pure returns (bytes32) { return 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc; }
}
