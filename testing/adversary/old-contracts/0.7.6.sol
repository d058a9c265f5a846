// SPDX-License-Identifier: MIT
pragma solidity ^0.7.6;

/// Compound's timelock with one more function, whose time overflows.
contract OverflowTimelock {
    uint256 public constant GRACE_PERIOD = 14 days;
    uint256 public constant MINIMUM_DELAY = 2 days;
    uint256 public constant MAXIMUM_DELAY = 30 days;
    event NewAdmin(address indexed newAdmin);
    event NewDelay(uint256 indexed newDelay);
    address public admin;
    address public pendingAdmin;
    uint256 public delay = 2 days;
    mapping(bytes32 => bool) public queuedTransactions;
    mapping(bytes32 => uint256) private readyAt;
    constructor(address admin_) { admin = admin_; emit NewAdmin(admin_); emit NewDelay(delay); }
    receive() external payable {}
    function setDelay(uint256 next) public { require(msg.sender == address(this) && next >= MINIMUM_DELAY && next <= MAXIMUM_DELAY); delay = next; emit NewDelay(next); }
    function setPendingAdmin(address next) public { require(msg.sender == address(this)); pendingAdmin = next; }
    function acceptAdmin() public { require(msg.sender == pendingAdmin); admin = msg.sender; pendingAdmin = address(0); }
    function queueAfter(address target, bytes memory data, uint256 wait) public {
        require(msg.sender == admin && wait >= delay);
        bytes32 id = keccak256(abi.encode(target, data));
        queuedTransactions[id] = true;
        readyAt[id] = block.timestamp + wait;
    }
    function executeTransaction(address target, bytes memory data) public payable {
        require(msg.sender == admin);
        bytes32 id = keccak256(abi.encode(target, data));
        require(queuedTransactions[id] && block.timestamp >= readyAt[id]);
        queuedTransactions[id] = false;
        (bool ok,) = target.call(data);
        require(ok);
    }
}

/// The unlocking time is a sum that the caller chooses.
contract OverflowVesting {
    mapping(address => uint256) private unlocksAt;
    uint256 public number;
    function setNumber(uint256 next) public { number = next; }
    function lock(uint256 time) public { require(time >= 3650 days); unlocksAt[msg.sender] = block.timestamp + time; }
    function upgrade(address next) public {
        require(unlocksAt[msg.sender] != 0 && block.timestamp > unlocksAt[msg.sender]);
        assembly { sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, next) }
    }
}
