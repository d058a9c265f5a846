// Needs a new EVM.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC20} from "openzeppelin-contracts-4/token/ERC20/ERC20.sol";
import {ERC20Permit} from "openzeppelin-contracts-4/token/ERC20/extensions/ERC20Permit.sol";
import {ERC20Votes} from "openzeppelin-contracts-4/token/ERC20/extensions/ERC20Votes.sol";

/// All tokens belong to one holder, and no account mints more.
contract HonestVotes is ERC20Votes {
    constructor(address holder) ERC20("Votes", "VOTE") ERC20Permit("Votes") { _mint(holder, 1e24); }
}
/// The owner mints.
contract OwnedVotes is HonestVotes {
    address public owner;
    constructor(address owner_) HonestVotes(owner_) { owner = owner_; }
    function mint(address to, uint256 amount) external { require(msg.sender == owner); _mint(to, amount); }
    function transferOwnership(address next) external { require(msg.sender == owner); owner = next; }
}
