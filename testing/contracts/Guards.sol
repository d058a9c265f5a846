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

interface ICompliance {
    function token() external view returns (address);
}

/// Conditions that concern the caller and reserve nothing.
contract NoGuards {
    mapping(address => mapping(address => uint256)) public withdrawals;
    mapping(address => uint256) public approved;

    function unlock(address guy, uint256 amount) external {
        withdrawals[msg.sender][guy] += amount;
    }

    function register(uint256 amount) external {
        require(ICompliance(msg.sender).token() != address(0));
        approved[msg.sender] = amount;
    }
}

/// Amounts that accounts have earned. Any account may withdraw its own, and one with nothing may withdraw nothing.
contract EarnedFees {
    struct Packed {
        uint128 amount;
        uint128 since;
    }

    address public endpoint;
    mapping(address => uint256) public fees;
    mapping(address => uint256) public rewards;
    mapping(address => Packed) public packed;
    mapping(address => uint256) public limits;
    mapping(address => Packed) public packedLimits;

    function send(address[] calldata workers, uint256[] calldata earned) external {
        require(msg.sender == endpoint);
        for (uint256 i = 0; i < workers.length; i++) {
            address worker = i % 2 == 0 ? workers[i] : workers[0];
            if (earned[i] > 0) fees[worker] += earned[i];
            packed[worker].amount += uint128(earned[i]);
        }
    }

    function withdrawFee(address to, uint256 amount) external {
        uint256 fee = fees[msg.sender];
        require(amount <= fee);
        unchecked { fees[msg.sender] = fee - amount; }
        payable(to).transfer(amount);
    }

    /// Another contract that runs on the same storage adds to this table.
    function withdrawReward(address to, uint256 amount) external {
        rewards[msg.sender] -= amount;
        payable(to).transfer(amount);
    }

    function withdrawPacked(address to, uint128 amount) external {
        packed[msg.sender].amount -= amount;
        payable(to).transfer(amount);
    }

    function setLimit(address account, uint256 limit) external {
        require(msg.sender == endpoint);
        limits[account] = limit;
        packedLimits[account].amount = uint128(limit);
    }

    function withdrawPackedLimited(address to, uint128 amount) external {
        packedLimits[msg.sender].amount -= amount;
        payable(to).transfer(amount);
    }

    /// A limit that another account has set is a permission.
    function withdrawLimited(address to, uint256 amount) external {
        limits[msg.sender] -= amount;
        payable(to).transfer(amount);
    }
}

interface IBlocked {
    function isBlocked(address account) external view returns (bool);
}

/// A stake that the caller locks itself, unless another contract refuses it.
contract LockedStakes {
    struct Stake {
        uint256 amount;
        uint256 lockedUntil;
    }

    IBlocked public list;
    mapping(address => Stake) public stakes;

    function lock(uint256 amount) external {
        require(!list.isBlocked(msg.sender));
        stakes[msg.sender].amount += amount;
        stakes[msg.sender].lockedUntil = block.number + 100;
    }

    function withdraw() external {
        Stake storage stake = stakes[msg.sender];
        uint256 until = stake.lockedUntil;
        require(until != 0 && block.number >= until);
        uint256 amount = stake.amount;
        stake.amount = 0;
        stake.lockedUntil = 0;
        payable(msg.sender).transfer(amount);
    }
}

/// The owner lists accounts. An error in words, and a struct in memory, tell whether the caller is one of them.
contract ListedAccounts {
    struct Account {
        uint32 since;
        uint128 earned;
        address admin;
    }

    struct Task {
        address from;
        uint256 id;
    }

    address public owner = msg.sender;
    mapping(address => Account) public accounts;
    mapping(uint256 => address) public doneBy;
    int256 public answer;

    function add(address account, address admin) external {
        require(msg.sender == owner);
        accounts[account].since = uint32(block.number);
        accounts[account].admin = admin;
    }

    function withdraw(address account, uint128 amount) external {
        require(accounts[account].admin == msg.sender);
        accounts[account].earned -= amount;
    }

    function submit(int256 answer_) external {
        bytes memory fault = faultOf(msg.sender);
        require(fault.length == 0, string(fault));
        answer = answer_;
    }

    function perform(uint256 id) external {
        Task memory task = Task({id: id, from: msg.sender});
        run(task);
    }

    function performFor(address account, uint256 id) external {
        Task memory task = Task({id: id, from: msg.sender});
        task.from = account;
        run(task);
    }

    function run(Task memory task) private {
        require(accounts[task.from].since > 0);
        doneBy[task.id] = task.from;
    }

    function faultOf(address account) private view returns (bytes memory) {
        uint32 since = accounts[account].since;
        if (since == 0) return "not listed";
        if (since > block.number) return "not listed yet";
    }
}

/// Solady's tokens: a table at the hash of an account and a seed, written in two forms.
contract PackedBalances {
    function transfer(address to, uint256 amount) external {
        assembly {
            mstore(0x0c, 0x87a211a2)
            mstore(0x00, caller())
            let slot := keccak256(0x0c, 0x20)
            let held := sload(slot)
            if gt(amount, held) { revert(0, 0) }
            sstore(slot, sub(held, amount))
            mstore(0x00, to)
            slot := keccak256(0x0c, 0x20)
            sstore(slot, add(sload(slot), amount))
        }
    }

    function transferFrom(address from, address to, uint256 amount) external {
        assembly {
            let packed := or(shl(96, from), 0x87a211a2)
            mstore(0x0c, packed)
            let slot := keccak256(0x0c, 0x20)
            let held := sload(slot)
            if gt(amount, held) { revert(0, 0) }
            sstore(slot, sub(held, amount))
            mstore(0x00, to)
            slot := keccak256(0x0c, 0x20)
            sstore(slot, add(sload(slot), amount))
        }
    }
}

/// Solady's enumerable roles: the hash of a role, a seed and an account.
contract PackedRoles {
    uint256 public limit;

    function setLimit(uint256 limit_) external {
        assembly {
            mstore(0x18, caller())
            mstore(0x04, 0xee9853bb)
            mstore(0x00, 7)
            if iszero(sload(keccak256(0x00, 0x38))) { revert(0, 0) }
        }
        limit = limit_;
    }
}

/// Roles with one holder or several, as a stored kind decides.
contract KindsOfRoles {
    enum Kind { None, Exclusive, Shared }

    struct Role {
        Kind kind;
        address member;
        mapping(address => bool) members;
    }

    mapping(uint256 => Role) private _roles;
    uint256 public fee;

    function holdsRole(uint256 id, address account) public view returns (bool) {
        Role storage role = _roles[id];
        if (role.kind == Kind.Exclusive) return role.member == account;
        if (role.kind == Kind.Shared) return role.members[account];
        revert();
    }

    function setFee(uint256 fee_) external {
        require(holdsRole(1, msg.sender));
        fee = fee_;
    }
}

/// One function jumps to where storage says. The other is understood all the same.
contract StoredJump {
    address public owner;
    uint256 public fee;
    function () internal private _next;

    function setFee(uint256 fee_) external {
        require(msg.sender == owner);
        fee = fee_;
    }

    function run() external {
        _next();
    }
}

/// Members leave by themselves: the last one moves to their place.
contract ShrinkingList {
    struct Members { address[] values; mapping(address => uint256) indexes; }
    Members private _members;
    uint256 public cap;

    constructor(address first) { _members.values.push(first); _members.indexes[first] = 1; }

    function setCap(uint256 cap_) external { require(_members.indexes[msg.sender] != 0); cap = cap_; }
    function leave() external {
        uint256 index = _members.indexes[msg.sender];
        address last = _members.values[_members.values.length - 1];
        _members.values[index - 1] = last;
        _members.indexes[last] = index;
        _members.values.pop();
        delete _members.indexes[msg.sender];
    }
}
