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
