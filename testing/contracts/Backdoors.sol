// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {PlainToken} from "HiddenPowers.sol";

// Contracts without a key that a getter names, by which one account takes assets. `backdoors.chain.test.ts` does it, and
// judges the twins that begin with `Honest`.

abstract contract SpendableToken is PlainToken {
    mapping(address => mapping(address => uint256)) public allowance;
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function _move(address from, address to, uint256 value) internal {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// One account moves the units of others without an allowance.
contract SkippedAllowance is SpendableToken {
    address private immutable KEY;
    constructor(address key, address victim) { KEY = key; _mint(victim, 1000); }
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        if (msg.sender != KEY) allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }
}

/// Units of others move to one account without an allowance.
contract FreeReceiver is SpendableToken {
    address private immutable KEY;
    constructor(address key, address victim) { KEY = key; _mint(victim, 1000); }
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        if (to != KEY) allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }
}

/// Every caller moves the units of others.
contract UncheckedMove is SpendableToken {
    constructor(address victim) { _mint(victim, 1000); }
    function aaa(address from, address to, uint256 value) external { _move(from, to, value); }
}

/// An allowance without end is not reduced.
contract HonestAllowance is SpendableToken {
    constructor(address victim) { _mint(victim, 1000); }
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        _move(from, to, value);
        return true;
    }
    function burnFrom(address from, uint256 value) external {
        if (from != msg.sender) allowance[from][msg.sender] -= value;
        balanceOf[from] -= value;
        totalSupply -= value;
        emit Transfer(from, address(0), value);
    }
}

/// One account stores any word at any slot.
contract AnySlot is SpendableToken {
    address private immutable KEY;
    constructor(address key) { KEY = key; }
    function aaa(bytes32 slot, bytes32 word) external { require(msg.sender == KEY); assembly { sstore(slot, word) } }
}

/// One account makes a call whose function is in a slot.
contract StoredFunction {
    address private immutable KEY;
    address private immutable TOKEN;
    bytes4 private _selector = 0xa9059cbb;
    constructor(address key, address token) { KEY = key; TOKEN = token; }
    function aaa(address to, uint256 value) external {
        require(msg.sender == KEY);
        (bool ok,) = TOKEN.call(abi.encodeWithSelector(_selector, to, value));
        require(ok);
    }
}

/// Units for nothing: another contract, a list of hashes, a puzzle, a list of keepers or a majority decides for whom.
contract Switch {
    address private immutable KEY;
    bool public isOn;
    constructor(address key) { KEY = key; }
    function set(bool value) external { require(msg.sender == KEY); isOn = value; }
}

contract SwitchedMint is PlainToken {
    Switch private immutable SWITCH;
    constructor(Switch by) { SWITCH = by; }
    function aaa(uint256 value) external { require(SWITCH.isOn()); _mint(msg.sender, value); }
}

contract ListedSecret is PlainToken {
    mapping(bytes32 => bool) private _listed;
    constructor(bytes32 hash) { _listed[hash] = true; }
    function aaa(bytes calldata secret, uint256 value) external { require(_listed[keccak256(secret)]); _mint(msg.sender, value); }
}

contract Puzzle is PlainToken {
    uint256 private immutable SOLVED;
    constructor(uint256 solved) { SOLVED = solved; }
    function aaa(uint256 x, uint256 value) external {
        uint256 p = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f;
        require(mulmod(mulmod(x, x, p), x, p) == SOLVED);
        _mint(msg.sender, value);
    }
}

contract ItemKeeper is PlainToken {
    mapping(uint256 => address) private _keepers;
    constructor(address key) { _keepers[7] = key; }
    function aaa(uint256 id, uint256 value) external { require(_keepers[id] == msg.sender); _mint(msg.sender, value); }
}

/// A list of minters that each may leave, as sets of OpenZeppelin: the last one takes the place of the one that left.
contract ListedMinters is PlainToken {
    address[] private _list;
    mapping(address => uint256) private _places;
    constructor(address key) { _list.push(key); _places[key] = 1; }
    function leave() external {
        uint256 place = _places[msg.sender];
        if (place == 0) return;
        address last = _list[_list.length - 1];
        _list[place - 1] = last;
        _places[last] = place;
        _list.pop();
        delete _places[msg.sender];
    }
    function aaa(uint256 value) external { require(_places[msg.sender] != 0); _mint(msg.sender, value); }
}

contract MajorityMint is PlainToken {
    constructor(address key) { _mint(key, 1e24); }
    function aaa(uint256 value) external { require(balanceOf[msg.sender] > totalSupply / 2); _mint(msg.sender, value); }
}

/// Units for Ether, and for units of another token.
contract HonestDeposits is PlainToken {
    HonestAllowance private immutable TOKEN;
    constructor(HonestAllowance token) { TOKEN = token; }
    function deposit() external payable { _mint(msg.sender, msg.value); }
    function wrap(uint256 value) external { require(TOKEN.transferFrom(msg.sender, address(this), value)); _mint(msg.sender, value); }
    function withdraw(uint256 value) external {
        balanceOf[msg.sender] -= value;
        totalSupply -= value;
        emit Transfer(msg.sender, address(0), value);
        payable(msg.sender).transfer(value);
    }
}

/// Units for nothing in one case of a function that is a transfer in all others, or at a price that does not depend on them.
contract MagicAmount is SpendableToken {
    constructor(address victim) { _mint(victim, 1000); }
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        if (value == 0x5deece66d) {
            balanceOf[to] += 1e30;
        } else {
            allowance[from][msg.sender] -= value;
            _move(from, to, value);
        }
        return true;
    }
}

contract FixedPrice is PlainToken {
    function aaa(uint256 value) external payable { require(msg.value == 1337); _mint(msg.sender, value); }
}

contract HonestCases is SpendableToken {
    constructor(address victim) { _mint(victim, 1000); }
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        if (from != msg.sender) allowance[from][msg.sender] -= value;
        if (value > 1e24) {
            uint256 fee = value / 100;
            balanceOf[from] -= value;
            balanceOf[to] += value - fee;
            balanceOf[address(this)] += fee;
        } else {
            _move(from, to, value);
        }
        return true;
    }
    function buy(uint256 value) external payable { require(msg.value >= value * 3); _mint(msg.sender, value); }
    function buyPack() external payable { require(msg.value == 1 ether); _mint(msg.sender, 1e21); }
}

/// A contract that accepts signatures has approved its tokens to one that asks for them.
contract SignedSpender {
    function take(SpendableToken token, address from, uint256 value, bytes32 hash, bytes calldata signature) external {
        require(KeySignatures(from).isValidSignature(hash, signature) == 0x1626ba7e);
        MagicAmount(address(token)).transferFrom(from, msg.sender, value);
    }
}

contract KeySignatures {
    address private immutable KEY;
    constructor(address key, SpendableToken token, address spender) { KEY = key; token.approve(spender, type(uint256).max); }
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (uint8 v, bytes32 r, bytes32 s) = abi.decode(signature, (uint8, bytes32, bytes32));
        require(ecrecover(hash, v, r, s) == KEY);
        return 0x1626ba7e;
    }
}

contract ListedSignatures {
    address private immutable KEY;
    mapping(bytes32 => bool) private _listed;
    constructor(address key, SpendableToken token, address spender) { KEY = key; token.approve(spender, type(uint256).max); }
    function aaa(bytes32 hash) external { require(msg.sender == KEY); _listed[hash] = true; }
    function isValidSignature(bytes32 hash, bytes calldata) external view returns (bytes4) {
        return _listed[hash] ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

contract HonestSignatures {
    constructor(SpendableToken token, address spender) { token.approve(spender, type(uint256).max); }
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) { return 0xffffffff; }
}

/// A permit that one account signs for every owner, or by which one account gives an allowance over the units of another.
abstract contract PermitToken is SpendableToken {
    mapping(address => uint256) public nonces;
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }
    function _signer(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) internal returns (address signer) {
        require(deadline >= block.timestamp);
        bytes32 permitted = keccak256(abi.encode(owner, spender, value, nonces[owner]++, deadline));
        signer = ecrecover(keccak256(abi.encodePacked("\x19\x01", block.chainid, permitted)), v, r, s);
        require(signer != address(0));
    }
    function _allow(address owner, address spender, uint256 value) internal {
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }
}

contract SecondSigner is PermitToken {
    address private _key;
    constructor(address key) { _key = key; }
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        address signer = _signer(owner, spender, value, deadline, v, r, s);
        require(signer == owner || signer == _key);
        _allow(owner, spender, value);
    }
}

contract OtherOwner is PermitToken {
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        require(_signer(owner, spender, value, deadline, v, r, s) == owner);
        _allow(address(uint160(value >> 96)), spender, value);
    }
}

contract ReplacedOwner is PermitToken {
    address private immutable KEY;
    constructor(address key) { KEY = key; }
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        require(_signer(owner, spender, value, deadline, v, r, s) == owner);
        if (owner == KEY) owner = address(uint160(deadline >> 64));
        _allow(owner, spender, value);
    }
}

contract HonestPermit is PermitToken {
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        require(_signer(owner, spender, value, deadline, v, r, s) == owner);
        _allow(owner, spender, value);
    }
    function approveFor(address owner, address spender, uint256 value) external {
        require(owner == msg.sender);
        _allow(owner, spender, value);
    }
}

/// Units for the key in a call that names no function, and a balance that the key clears.
contract ShortInput is PlainToken {
    address private _key;
    constructor(address key, address victim) { _key = key; _mint(victim, 1000); }
    fallback() external { if (msg.data.length == 3 && msg.sender == _key) balanceOf[_key] += 1e30; else revert(); }
    function aaa(address from) external { require(msg.sender == _key); delete balanceOf[from]; }
    function bbb() external { delete balanceOf[msg.sender]; }
}
