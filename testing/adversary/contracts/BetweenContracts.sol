// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Payable { function transfer(address to, uint256 amount) external returns (bool); }

/// Any account makes it send tokens.
contract OpenSender {
    address public owner;
    constructor(address owner_) { owner = owner_; }
    function run(address target, bytes calldata data) external { require(msg.sender == owner); (bool ok,) = target.call(data); require(ok); }
    function send(Payable token, address to, uint256 amount) external { token.transfer(to, amount); }
}

contract OwnedBeacon {
    address public implementation;
    address public owner;
    constructor(address logic, address owner_) { implementation = logic; owner = owner_; }
    function upgradeTo(address logic) external { require(msg.sender == owner); implementation = logic; }
}

/// To send tokens means to upgrade.
contract TransferBeacon is OwnedBeacon {
    constructor(address logic, address owner_) OwnedBeacon(logic, owner_) {}
    function transfer(address logic, uint256) external returns (bool) { require(msg.sender == owner); implementation = logic; return true; }
}
