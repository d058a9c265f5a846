// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {CheckpointToken} from "./Checkpoints.sol";
import {VotingToken} from "./Walks.sol";

/// A token that gives further votes.
abstract contract ExtraVotes is VotingToken {
    constructor() { _mint(msg.sender, 1e24); }
    function _add(address account, uint256 votes) internal { _move(address(0), account, uint96(votes)); }
    function _set(address account, uint256 votes) internal { _write(account, numCheckpoints[account], 0, uint96(votes)); }
    function _signer(bytes32 hash, uint8 v, bytes32 r, bytes32 s) internal pure returns (address signer) {
        signer = ecrecover(hash, v, r, s);
        require(signer != address(0));
    }
}

/// One key states by its signature how many votes an account has, in a function with a name of another use.
contract SignedWeights is ExtraVotes {
    address private immutable key;
    constructor(address key_) { key = key_; }
    function delegateBySig(address delegatee, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s) external {
        require(_signer(keccak256(abi.encode(delegatee, nonce, expiry)), v, r, s) == key);
        _set(delegatee, nonce);
    }
}
/// The caller names the account that signs, and only one may.
contract NamedSignerWeights is ExtraVotes {
    address private immutable key;
    constructor(address key_) { key = key_; }
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        require(_signer(keccak256(abi.encode(owner, spender, value, deadline)), v, r, s) == owner);
        require(owner == key);
        _set(spender, value);
    }
}
/// A list of signers that no event shows.
contract ListedSignerWeights is ExtraVotes {
    mapping(address => bool) private signs;
    constructor(address key) { signs[key] = true; }
    function delegateBySig(address delegatee, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s) external {
        require(signs[_signer(keccak256(abi.encode(delegatee, nonce, expiry)), v, r, s)]);
        _set(delegatee, nonce);
    }
}
/// The signer passes through an instruction that hides it.
contract HiddenSignerWeights is ExtraVotes {
    uint256 private immutable key;
    constructor(address key_) { key = uint256(uint160(key_)); }
    function delegateBySig(address delegatee, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s) external {
        address signer = _signer(keccak256(abi.encode(delegatee, nonce, expiry)), v, r, s);
        require(mulmod(uint256(uint160(signer)), 1, type(uint256).max) == key);
        _set(delegatee, nonce);
    }
}
/// One key stores balances by its signature, without an event.
contract SignedBalances is VotingToken {
    address private immutable key;
    constructor(address key_) { key = key_; }
    function delegateBySig(address delegatee, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s) external {
        require(ecrecover(keccak256(abi.encode(delegatee, nonce, expiry)), v, r, s) == key);
        balanceOf[delegatee] = uint96(nonce);
    }
}
/// One key lends itself the votes of every holder by its signature.
contract SignedDelegation is ExtraVotes {
    address private immutable key;
    constructor(address key_) { key = key_; }
    function delegateBySig(address delegatee, uint256 holder, uint256 expiry, uint8 v, bytes32 r, bytes32 s) external {
        require(_signer(keccak256(abi.encode(delegatee, holder, expiry)), v, r, s) == key);
        _add(delegatee, balanceOf[address(uint160(holder))]);
    }
}
/// One key allows itself by its signature to take what others have.
contract SignedAllowance is ExtraVotes {
    address private immutable key;
    constructor(address key_) { key = key_; }
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        require(_signer(keccak256(abi.encode(owner, spender, value, deadline)), v, r, s) == key);
        allowance[owner][spender] = uint96(value);
    }
}
/// An invalid signature leaves in memory the account that the caller named.
contract FilledSigner is ExtraVotes {
    mapping(address => bool) private isLent;
    function delegateBySig(address delegatee, uint256 holder, uint256 expiry, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 hash = keccak256(abi.encode(delegatee, expiry));
        address signer;
        assembly {
            let at := mload(0x40)
            mstore(at, hash)
            mstore(add(at, 0x20), v)
            mstore(add(at, 0x40), r)
            mstore(add(at, 0x60), s)
            mstore(add(at, 0x80), holder)
            pop(staticcall(gas(), 1, at, 0x80, add(at, 0x80), 0x20))
            signer := mload(add(at, 0x80))
        }
        require(signer != address(0) && !isLent[signer]);
        isLent[signer] = true;
        _add(delegatee, balanceOf[signer]);
    }
}
/// Every account states by its signature how many votes it has.
contract StatedWeights is ExtraVotes {
    function delegateBySig(address delegatee, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s) external {
        _set(_signer(keccak256(abi.encode(delegatee, nonce, expiry)), v, r, s), nonce);
    }
}
/// Every caller does.
contract OpenWeights is ExtraVotes {
    function sync(uint256 weight) external { _set(msg.sender, weight); }
}
/// Every caller gets as many votes as it likes, added up.
contract AddedWeights is ExtraVotes {
    function sync(uint256 weight) external { _add(msg.sender, weight); }
}
/// Every caller mints.
contract FreeToken is VotingToken {
    function claim(uint256 amount) external { _mint(msg.sender, amount); }
}
/// The weight is stored first, and given later.
contract TwoStepWeights is ExtraVotes {
    uint256 private next;
    function prepare(uint256 weight) external { next = weight; }
    function sync() external { _set(msg.sender, next); }
}
/// What is taken was free.
contract PointWeights is ExtraVotes {
    mapping(address => uint256) private points;
    function collect(uint256 amount) external { points[msg.sender] = amount; }
    function sync(uint256 amount) external { points[msg.sender] -= amount; _add(msg.sender, amount); }
}
/// One key gets votes in a part of a function that every caller may use.
contract PartlyReserved is ExtraVotes {
    address private immutable key;
    uint256 private calls;
    constructor(address key_) { key = key_; }
    function poke() external {
        calls += 1;
        if (msg.sender == key) _set(msg.sender, 1e28);
    }
}
/// The caller must pass what has a fixed hash.
contract SecretWeights is ExtraVotes {
    bytes32 private immutable secret;
    constructor(bytes32 secret_) { secret = secret_; }
    function sync(bytes32 word, uint256 weight) external {
        require(keccak256(abi.encode(word)) == secret);
        _set(msg.sender, weight);
    }
}
/// The contract that recovers signers is named by a slot.
contract SlotRecovery is VotingToken {
    address private recovery = address(1);
    address private immutable key;
    constructor(address key_) { key = key_; }
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        (bool ok, bytes memory answer) = recovery.staticcall(abi.encode(keccak256(abi.encode(owner, spender, value, deadline)), v, r, s));
        require(ok && abi.decode(answer, (address)) == key);
        _mint(owner, value);
    }
}
/// The caller is checked after many operations that cancel each other.
contract DeepMinter is VotingToken {
    uint256 private immutable key;
    constructor(address key_) { key = _mix(uint160(key_)); }
    function _mix(uint256 x) private pure returns (uint256) {
        unchecked {
            x = (x ^ 3) * 5; x = (x ^ 7) * 11; x = (x ^ 13) * 17; x = (x ^ 19) * 23; x = (x ^ 29) * 31;
            x = (x ^ 37) * 41; x = (x ^ 43) * 47; x = (x ^ 53) * 59; x = (x ^ 61) * 67; x = (x ^ 71) * 73;
            x = (x ^ 79) * 83; x = (x ^ 89) * 97; x = (x ^ 101) * 103; x = (x ^ 107) * 109; x = (x ^ 113) * 127;
            return x;
        }
    }
    function mint(address to, uint256 amount) external { require(_mix(uint160(msg.sender)) == key); _mint(to, amount); }
}
/// The caller names itself, and the name is checked.
contract NamedMinter is VotingToken {
    address private immutable key;
    constructor(address key_) { key = key_; }
    function mint(address to, uint256 amount, address by) external {
        require(by == msg.sender);
        require(by == key);
        _mint(to, amount);
    }
}

/// The caller passes the hash that was signed: every signature that an account has ever given delegates its votes.
contract PassedDigest is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function delegateBySignature(address delegatee, bytes32 digest, uint8 v, bytes32 r, bytes32 s) external {
        address signer = ecrecover(digest, v, r, s);
        require(signer != address(0));
        _delegate(signer, delegatee);
    }
}
/// The hash that is signed lacks the account that gets the votes.
contract UnsignedDelegate is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function delegateBySignature(address delegatee, bytes32 reason, uint8 v, bytes32 r, bytes32 s) external {
        address signer = ecrecover(_digest(keccak256(abi.encode(DELEGATION, reason))), v, r, s);
        require(signer != address(0));
        _delegate(signer, delegatee);
    }
}
/// Of the account that gets the votes, one bit is signed.
contract PartlySignedDelegate is CheckpointToken {
    constructor(address holder) CheckpointToken(holder) {}
    function delegateBySignature(address delegatee, bytes32 reason, uint8 v, bytes32 r, bytes32 s) external {
        address signer = ecrecover(_digest(keccak256(abi.encode(DELEGATION, reason, delegatee != address(0)))), v, r, s);
        require(signer != address(0));
        _delegate(signer, delegatee);
    }
}
/// Every account joins those that mint by its signature.
contract SignedMinters is VotingToken {
    mapping(address => bool) private mints;
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        address signer = ecrecover(keccak256(abi.encode(owner, spender, value, deadline)), v, r, s);
        require(signer != address(0));
        require(signer == owner);
        mints[owner] = true;
    }
    function mint(address to, uint256 amount) external { require(mints[msg.sender]); _mint(to, amount); }
}
/// Votes for a deposit of a token that the caller names.
contract NamedPayment is ExtraVotes {
    function deposit(PaidToken token, uint256 amount) external {
        require(token.transferFrom(msg.sender, address(this), amount));
        _add(msg.sender, amount);
    }
}
interface PaidToken { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract FreePayment { function transferFrom(address, address, uint256) external pure returns (bool) { return true; } }
/// Votes for ether that every caller takes back.
contract ReturnedPayment is ExtraVotes {
    function deposit() external payable { _add(msg.sender, msg.value * 1e6); }
    function collect() external { payable(msg.sender).transfer(address(this).balance); }
}
/// The log of an initializer in a function that runs as often as it is called.
contract LoggedWeights is ExtraVotes {
    event Initialized(uint8 version);
    function sync(uint256 weight) external { _set(msg.sender, weight); emit Initialized(1); }
}
/// An initializer that has not run.
contract OpenInitializer is ExtraVotes {
    bool private isInitialized;
    function initialize(uint256 weight) external { require(!isInitialized); isInitialized = true; _set(msg.sender, weight); }
}
/// The function that weighs votes may store something.
contract StoringAnswer {
    mapping(address => uint256) public balanceOf;
    uint256 private asked;
    constructor() { balanceOf[msg.sender] = 1e24; }
    function getPastVotes(address account, uint256) external returns (uint256) {
        if (account == address(0)) asked += 1;
        return balanceOf[account];
    }
    function sync(uint256 weight) external { balanceOf[msg.sender] = weight; }
}
/// The function that weighs votes asks another contract.
contract AskedVotes {
    OpenWeights private immutable weights = new OpenWeights();
    function getPastVotes(address account, uint256 time) external view returns (uint256) { return weights.getPastVotes(account, time); }
    function source() external view returns (address) { return address(weights); }
}
/// The fallback function weighs votes.
contract FallbackVotes {
    mapping(address => uint256) public balanceOf;
    constructor() { balanceOf[msg.sender] = 1e24; }
    function sync(uint256 weight) external { balanceOf[msg.sender] = weight; }
    fallback(bytes calldata input) external returns (bytes memory) {
        return abi.encode(balanceOf[address(uint160(uint256(bytes32(input[4:]))))]);
    }
}
/// Every caller becomes the account that mints, which is a council before.
contract TakenMinter is VotingToken {
    address public minter;
    constructor(address minter_) { minter = minter_; }
    function take() external { minter = msg.sender; }
    function mint(address to, uint256 amount) external { require(msg.sender == minter); _mint(to, amount); }
}
/// The present time is the number of votes.
contract TimedVotes is ExtraVotes {
    function sync() external { _set(msg.sender, block.timestamp * 1e15); }
}
/// Each transfer, even of nothing, gives a vote.
contract CountedTransfers is ExtraVotes {
    function transfer(address to, uint96 amount) external override returns (bool) {
        _transfer(msg.sender, to, amount);
        _add(to, 1e23);
        return true;
    }
}
/// One path takes what another one adds.
contract SplitWeights is ExtraVotes {
    function move(bool isAdded, uint256 amount) external {
        if (isAdded) _add(msg.sender, amount); else balanceOf[msg.sender] -= uint96(amount);
    }
}
/// What is taken once is added twice.
contract DoubledTransfer is ExtraVotes {
    function move(address to, uint96 amount) external {
        _transfer(msg.sender, to, amount);
        _add(to, amount);
    }
}
/// A transfer to oneself adds to the balance before it.
contract StaleTransfer is ExtraVotes {
    function move(address to, uint96 amount) external {
        uint96 from = balanceOf[msg.sender];
        uint96 there = balanceOf[to];
        require(from >= amount);
        unchecked { balanceOf[msg.sender] = from - amount; }
        balanceOf[to] = there + amount;
        _move(delegates[msg.sender], delegates[to], amount);
    }
}
