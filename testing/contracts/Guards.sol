// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Functions whose guards the analysis of powers once read wrongly, as published packages write them.

interface IRoles {
    function isRiskAdmin(address account) external view returns (bool);
    function isPoolAdmin(address account) external view returns (bool);
    function isBorrower(address account) external view returns (bool);
}

/// An answer about the caller: one of two suffices, or it changes the terms only.
contract AnsweredGuards {
    IRoles public roles;
    uint256 public cap;
    mapping(address => uint256) public debt;

    function setCap(uint256 cap_) external {
        require(roles.isRiskAdmin(msg.sender) || roles.isPoolAdmin(msg.sender));
        cap = cap_;
    }

    function borrow(uint256 amount) external {
        bool isFree = roles.isBorrower(msg.sender);
        debt[msg.sender] += isFree ? amount : amount * 2;
    }
}
