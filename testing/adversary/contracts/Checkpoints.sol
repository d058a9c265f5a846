// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Votes of accounts, and the blocks since which they have them, in the form of Compound's token.
abstract contract Checkpoints {
    struct Checkpoint { uint32 fromBlock; uint96 votes; }
    mapping(address => mapping(uint32 => Checkpoint)) public checkpoints;
    mapping(address => uint32) public numCheckpoints;
    event DelegateVotesChanged(address indexed delegate, uint256 before, uint256 votes);
    function getVotes(address account) public view returns (uint256) {
        uint32 count = numCheckpoints[account];
        return count > 0 ? checkpoints[account][count - 1].votes : 0;
    }
    function getPastVotes(address account, uint256 time) public view virtual returns (uint256) {
        require(time < block.number);
        uint32 count = numCheckpoints[account];
        if (count == 0) return 0;
        if (checkpoints[account][count - 1].fromBlock <= time) return checkpoints[account][count - 1].votes;
        if (checkpoints[account][0].fromBlock > time) return 0;
        uint32 lower = 0;
        uint32 upper = count - 1;
        while (upper > lower) {
            uint32 center = upper - (upper - lower) / 2;
            Checkpoint storage found = checkpoints[account][center];
            if (found.fromBlock == time) return found.votes;
            if (found.fromBlock < time) lower = center; else upper = center - 1;
        }
        return checkpoints[account][lower].votes;
    }
    function _move(address from, address to, uint96 amount) internal {
        if (from == to || amount == 0) return;
        if (from != address(0)) {
            uint32 count = numCheckpoints[from];
            uint96 old = count > 0 ? checkpoints[from][count - 1].votes : 0;
            _write(from, count, old, old - amount);
        }
        if (to != address(0)) {
            uint32 count = numCheckpoints[to];
            uint96 old = count > 0 ? checkpoints[to][count - 1].votes : 0;
            _write(to, count, old, old + amount);
        }
    }
    function _write(address account, uint32 count, uint96 old, uint96 votes) internal {
        uint32 number = uint32(block.number);
        if (count > 0 && checkpoints[account][count - 1].fromBlock == number) checkpoints[account][count - 1].votes = votes;
        else {
            checkpoints[account][count] = Checkpoint(number, votes);
            numCheckpoints[account] = count + 1;
        }
        emit DelegateVotesChanged(account, old, votes);
    }
}

/// Balances that count as votes of the account that their holder names.
abstract contract DelegatedVotes is Checkpoints {
    mapping(address => mapping(address => uint96)) public allowance;
    mapping(address => uint96) public balanceOf;
    mapping(address => address) public delegates;
    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Approval(address indexed owner, address indexed spender, uint256 amount);
    function approve(address spender, uint96 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }
    function transferFrom(address from, address to, uint96 amount) external returns (bool) {
        uint96 left = allowance[from][msg.sender];
        if (msg.sender != from && left != type(uint96).max) allowance[from][msg.sender] = left - amount;
        _transfer(from, to, amount);
        return true;
    }
    function transfer(address to, uint96 amount) external virtual returns (bool) { _transfer(msg.sender, to, amount); return true; }
    function delegate(address to) external { _delegate(msg.sender, to); }
    function _delegate(address from, address to) internal {
        address before = delegates[from];
        delegates[from] = to;
        _move(before, to, balanceOf[from]);
    }
    function _transfer(address from, address to, uint96 amount) internal {
        require(from != address(0) && to != address(0));
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
        _move(delegates[from], delegates[to], amount);
    }
}

/// A token in the form of Compound's: votes of delegates by checkpoints, delegation by signature, permits.
contract CheckpointToken is DelegatedVotes {
    bytes32 internal constant DELEGATION = keccak256("Delegation(address delegatee,uint256 nonce,uint256 expiry)");
    bytes32 private constant PERMIT = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 private constant DOMAIN = keccak256("EIP712Domain(address verifyingContract)");
    mapping(address => uint256) public nonces;
    constructor(address holder) {
        balanceOf[holder] = 1e24;
        emit Transfer(address(0), holder, 1e24);
    }
    function permit(address owner, address spender, uint96 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 what = keccak256(abi.encode(PERMIT, owner, spender, amount, nonces[owner]++, deadline));
        address signer = ecrecover(_digest(what), v, r, s);
        require(signer != address(0));
        require(signer == owner);
        require(block.timestamp <= deadline);
        allowance[owner][spender] = amount;
        emit Approval(owner, spender, amount);
    }
    function delegateBySig(address delegatee, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s) external {
        address signer = ecrecover(_digest(keccak256(abi.encode(DELEGATION, delegatee, nonce, expiry))), v, r, s);
        require(signer != address(0));
        require(nonce == nonces[signer]++);
        require(block.timestamp <= expiry);
        _delegate(signer, delegatee);
    }
    function _digest(bytes32 what) internal view returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", keccak256(abi.encode(DOMAIN, address(this))), what));
    }
}
