// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {CheckpointToken} from "./Checkpoints.sol";

/// Almost every allowance is enough, also none.
contract AnyAllowance is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function take(address from, address to, uint96 amount) external {
        require(allowance[from][msg.sender] != 1);
        _transfer(from, to, amount);
    }
}
/// An allowance is lowered if it is large enough, and not needed.
contract OptionalAllowance is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function take(address from, address to, uint96 amount) external {
        uint96 left = allowance[from][msg.sender];
        if (left > amount) allowance[from][msg.sender] = left - amount;
        _transfer(from, to, amount);
    }
}
/// Everyone but the account itself takes what it has.
contract OtherAccount is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function take(address from, address to, uint96 amount) external {
        require(from != msg.sender);
        _transfer(from, to, amount);
    }
}
/// Any allowance is enough for every amount.
contract SmallAllowance is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function take(address from, address to, uint96 amount) external {
        require(allowance[from][msg.sender] < 2 ** 95);
        _transfer(from, to, amount);
    }
}
/// Fewer bits of an amount are taken than are added.
contract NarrowTransfer is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function move(address to, uint96 amount) external {
        balanceOf[msg.sender] -= uint32(amount);
        balanceOf[to] += amount;
        _move(delegates[msg.sender], delegates[to], amount);
    }
}
/// A part of an amount is taken, and all of it added.
contract PartTransfer is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function move(address to, uint96 amount) external {
        balanceOf[msg.sender] -= amount >> 95;
        balanceOf[to] += amount;
        _move(delegates[msg.sender], delegates[to], amount);
    }
}
/// Fewer bits are compared than taken.
contract NarrowCheck is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function move(address to, uint96 amount) external {
        uint96 left = balanceOf[msg.sender];
        require(left >= uint32(amount));
        unchecked { balanceOf[msg.sender] = left - amount; }
        balanceOf[to] += amount;
        _move(delegates[msg.sender], delegates[to], amount);
    }
}
/// What a balance becomes is larger than what it was with the amount.
contract ShiftedTransfer is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function move(address to, uint96 amount) external {
        balanceOf[msg.sender] -= amount;
        unchecked { balanceOf[to] = (balanceOf[to] + amount) << 60; }
        _move(delegates[msg.sender], delegates[to], amount);
    }
}
/// The votes of the delegate stay where they are.
contract UnmovedVotes is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function move(address to, uint96 amount) external {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
    }
}
/// They move with most amounts.
contract OftenMovedVotes is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function move(address to, uint96 amount) external {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        if (amount != 1e23) _move(delegates[msg.sender], delegates[to], amount);
    }
}
/// The votes of a delegate that an account no longer names.
contract LeftVotes is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function undelegate() external { delegates[msg.sender] = address(0); }
}
/// Calls another contract for its creator.
contract SecondAccount {
    address private immutable creator = msg.sender;
    function run(address target, bytes calldata data) external {
        require(msg.sender == creator);
        (bool ok, ) = target.call(data);
        require(ok);
    }
}
/// One amount needs no allowance.
contract CertainAmount is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function take(address from, address to, uint96 amount) external {
        if (amount != 5e23) allowance[from][msg.sender] -= amount;
        _transfer(from, to, amount);
    }
}
/// Two amounts need none.
contract CertainAmounts is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function take(address from, address to, uint96 amount) external {
        if (amount != 4e23 && amount != 5e23) allowance[from][msg.sender] -= amount;
        _transfer(from, to, amount);
    }
}
/// An allowance is lowered without a further check if it is large enough, and not needed.
contract SpareAllowance is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function take(address from, address to, uint96 amount) external {
        uint96 left = allowance[from][msg.sender];
        if (left >= amount) { unchecked { allowance[from][msg.sender] = left - amount; } }
        _transfer(from, to, amount);
    }
}
/// The votes move with all amounts but two.
contract MostlyMovedVotes is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function move(address to, uint96 amount) external {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        if (amount != 1e23 && amount != 2e23) _move(delegates[msg.sender], delegates[to], amount);
    }
}
/// What both delegates had is read before either is changed: they may be the same.
contract DoubledVotes is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function name(address to) external {
        address from = delegates[msg.sender];
        uint96 amount = balanceOf[msg.sender];
        delegates[msg.sender] = to;
        if (amount == 0) return;
        (uint32 first, uint96 old) = _last(from);
        (uint32 second, uint96 held) = _last(to);
        if (from != address(0)) _write(from, first, old, old - amount);
        if (to != address(0)) _write(to, second, held, held + amount);
    }
    function _last(address account) private view returns (uint32 count, uint96 votes) {
        count = numCheckpoints[account];
        votes = count > 0 ? checkpoints[account][count - 1].votes : 0;
    }
}
