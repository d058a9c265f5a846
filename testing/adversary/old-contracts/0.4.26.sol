pragma solidity ^0.4.26;

/// The function that should be the constructor has another name than the contract.
contract MisnamedConstructorProxy {
    address public implementation;
    address public owner;
    function MisnamedConstructorProxi(address logic) public { require(implementation == address(0) || owner == address(0)); owner = msg.sender; if (logic != address(0)) implementation = logic; }
    function prepare(address logic) public { require(implementation == address(0)); implementation = logic; }
    function upgradeTo(address next) public { require(msg.sender == owner); implementation = next; }
    function() public payable {
        address logic = implementation;
        assembly {
            calldatacopy(0, 0, calldatasize)
            let ok := delegatecall(gas, logic, 0, calldatasize, 0, 0)
            returndatacopy(0, 0, returndatasize)
            switch ok case 0 { revert(0, returndatasize) } default { return(0, returndatasize) }
        }
    }
}

/// A proxy with its pointer in the first variable.
contract FirstVariableProxy {
    address private logic;
    constructor(address logic_) public { logic = logic_; }
    function() public payable {
        address to = logic;
        assembly {
            calldatacopy(0, 0, calldatasize)
            let ok := delegatecall(gas, to, 0, calldatasize, 0, 0)
            returndatacopy(0, 0, returndatasize)
            switch ok case 0 { revert(0, returndatasize) } default { return(0, returndatasize) }
        }
    }
}
/// A local struct without a location points to the first variable.
contract UninitializedPointer {
    struct Bet { uint256 number; uint256 stake; }
    address private reserved;
    uint256 private count;
    Bet[] private bets;
    function bet(uint256 number) public payable { Bet storage b; b.number = number; b.stake = msg.value; bets.push(b); }
}

contract ShrinkingArray {
    uint256[] public list;
    function add(uint256 value) public { list.push(value); }
    function removeLast() public { list.length--; }
    function replace(uint256 index, uint256 value) public { list[index] = value; }
}

/// The library of a wallet initializes it again for any caller.
contract LibraryWallet {
    address public owner;
    address public library_;
    constructor(address owner_, address lib) public { owner = owner_; library_ = lib; }
    function() public payable {
        address lib = library_;
        assembly {
            calldatacopy(0, 0, calldatasize)
            let ok := delegatecall(gas, lib, 0, calldatasize, 0, 0)
            returndatacopy(0, 0, returndatasize)
            switch ok case 0 { revert(0, returndatasize) } default { return(0, returndatasize) }
        }
    }
}
contract WalletLibrary {
    address public owner;
    address public library_;
    function initWallet(address owner_) public { owner = owner_; }
    function changeLibrary(address next) public { require(msg.sender == owner); library_ = next; }
}

contract OpenCallcode {
    uint256 public number;
    function setNumber(uint256 next) public { number = next; }
    function run(address to, bytes data) public { require(to.callcode(data)); }
}

/// The balance that an upgrade needs comes from a transfer that underflows.
contract UnderflowVotes {
    mapping(address => uint256) public balanceOf;
    function transfer(address to, uint256 amount) public { require(balanceOf[msg.sender] - amount >= 0); balanceOf[msg.sender] -= amount; balanceOf[to] += amount; }
    function upgrade(address next) public {
        require(balanceOf[msg.sender] > 2 ** 200);
        bytes32 slot = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
        assembly { sstore(slot, next) }
    }
}
