// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC6909} from "@openzeppelin/contracts/token/ERC6909/ERC6909.sol";
import {Initializable as Initializable4} from "openzeppelin-contracts-4/proxy/utils/Initializable.sol";
import {ERC721 as ERC721v4} from "openzeppelin-contracts-4/token/ERC721/ERC721.sol";
import {ERC1155 as ERC1155v4} from "openzeppelin-contracts-4/token/ERC1155/ERC1155.sol";
import {PlainToken} from "HiddenPowers.sol";

// What makes a contract seem harmless, each next to the honest form of it.

// Initializers

abstract contract Marked is PlainToken {
    event Initialized(uint64 version);
    address internal _key;
    bool internal _done;
    bool internal _running;
    uint64 internal _version;
    uint256 internal _marks;
}

/// Functions that seem to run once, and run as often as the caller likes.
contract FalseInitializers is Marked {
    function logged(address to, uint256 value) external { _mint(to, value); emit Initialized(1); }
    function unmarked(address to, uint256 value) external { require(!_done); _version = 1; _mint(to, value); }
    function cleared(address to, uint256 value) external { require(_marks == 0); _marks = 0; _mint(to, value); }
    function otherMark(address to, uint256 value) external { require(_marks & 2 == 0); _marks |= 1; _mint(to, value); }
    function weak(address to, uint256 value) external { require(_marks != 7); _marks = 5; _mint(to, value); }
    function sometimes(address to, uint256 value) external { require(!_done); if (value > 5) _done = true; _mint(to, value); }
    function either(address to, uint256 value) external { if (_done) require(value < 9); _done = true; _mint(to, value); }
    function chosen(address to, uint256 value, uint64 next) external { require(next > _version); _version = next; _mint(to, value); emit Initialized(next); }
    function given(address to, uint256 value, address key) external { require(_key == address(0)); _key = key; _mint(to, value); }
}

/// The mark of an initializer that every caller removes.
contract RemovedMark is Marked {
    function aaa(address to, uint256 value) external { require(!_done); _done = true; _mint(to, value); emit Initialized(1); }
    function remove() external { _done = false; }
}

/// The second mark, by which others run inside an initializer, is set by every caller.
contract OpenedInitializer is Marked {
    function aaa(address to, uint256 value) external {
        require(_running || !_done);
        bool isTop = !_running;
        if (isTop) { _running = true; _done = true; }
        _mint(to, value);
        if (isTop) _running = false;
    }
    function begin() external { _running = true; }
}

contract RunsOnce5 is Initializable, PlainToken {
    function first(address to, uint256 value) external initializer { _mint(to, value); }
    function second(address to, uint256 value) external reinitializer(2) { _mint(to, value); }
}

contract RunsOnce4 is Initializable4, PlainToken {
    function first(address to, uint256 value) external initializer { _mint(to, value); }
    function second(address to, uint256 value) external reinitializer(2) { _mint(to, value); }
}

/// As OpenZeppelin had it before release 4.7.
contract RunsOnce3 is PlainToken {
    bool private _initialized;
    bool private _initializing;
    modifier initializer() {
        require(_initializing || address(this).code.length == 0 || !_initialized);
        bool isTop = !_initializing;
        if (isTop) { _initializing = true; _initialized = true; }
        _;
        if (isTop) _initializing = false;
    }
    function first(address to, uint256 value) external initializer { _mint(to, value); }
}

/// As Solady has it.
contract RunsOnceInWord is PlainToken {
    bytes32 private constant SLOT = 0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffbf601132;
    modifier initializer() {
        bytes32 s = SLOT;
        assembly {
            let i := sload(s)
            sstore(s, 3)
            if i {
                if iszero(lt(extcodesize(address()), eq(shr(1, i), 1))) { revert(0, 0) }
                s := shl(shl(255, i), s)
            }
        }
        _;
        assembly {
            if s {
                sstore(s, 2)
                mstore(0x20, 1)
                log1(0x20, 0x20, 0xc7f505b2f371ae2175ee4913f4499e1f2633a7b5936321eed1cdaeb6115181d2)
            }
        }
    }
    modifier reinitializer(uint64 version) {
        assembly {
            version := shl(1, and(version, 0xffffffffffffffff))
            let i := sload(SLOT)
            if iszero(lt(and(i, 1), lt(i, version))) { revert(0, 0) }
            sstore(SLOT, or(1, version))
        }
        _;
        assembly {
            sstore(SLOT, version)
            mstore(0x20, shr(1, version))
            log1(0x20, 0x20, 0xc7f505b2f371ae2175ee4913f4499e1f2633a7b5936321eed1cdaeb6115181d2)
        }
    }
    function first(address to, uint256 value) external initializer { _mint(to, value); }
    function second(address to, uint256 value) external reinitializer(2) { _mint(to, value); }
}

contract RunsOnceByMark is Marked {
    function flag(address to, uint256 value) external { require(!_done); _done = true; _mint(to, value); }
    function number(address to, uint256 value) external { require(_marks == 0); _marks = 1; _mint(to, value); }
    function version(address to, uint256 value) external { require(_version < 3); _version = 3; _mint(to, value); emit Initialized(3); }
    function own(address to, uint256 value) external { require(_key == address(0)); _key = msg.sender; _mint(to, value); }
    function given(address to, uint256 value, address key) external { require(_key == address(0) && key != address(0)); _key = key; _mint(to, value); }
}

// Items

abstract contract Items721 {
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => address) public getApproved;
    mapping(address => mapping(address => bool)) public isApprovedForAll;
    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    function approve(address spender, uint256 id) external {
        address owner = ownerOf[id];
        require(msg.sender == owner || isApprovedForAll[owner][msg.sender]);
        getApproved[id] = spender;
    }
    function setApprovalForAll(address operator, bool approved) external { isApprovedForAll[msg.sender][operator] = approved; }
    function transferFrom(address from, address to, uint256 id) public {
        require(from == ownerOf[id]);
        require(to != address(0));
        require(msg.sender == from || isApprovedForAll[from][msg.sender] || msg.sender == getApproved[id]);
        _move(from, to, id);
    }
    function _move(address from, address to, uint256 id) internal {
        unchecked { balanceOf[from]--; balanceOf[to]++; }
        ownerOf[id] = to;
        delete getApproved[id];
        emit Transfer(from, to, id);
    }
}

/// As Solmate has it.
contract HonestItems is Items721 {
    function mint(uint256 id) external { require(ownerOf[id] == address(0)); balanceOf[msg.sender]++; ownerOf[id] = msg.sender; emit Transfer(address(0), msg.sender, id); }
    function burn(uint256 id) external { address owner = ownerOf[id]; require(owner == msg.sender); balanceOf[owner]--; delete ownerOf[id]; delete getApproved[id]; emit Transfer(owner, address(0), id); }
}

/// Conditions that are joined to one.
contract JoinedItems is Items721 {
    function send(address from, address to, uint256 id) external { require(ownerOf[id] == from && (msg.sender == from || getApproved[id] == msg.sender)); _move(from, to, id); }
    function pass(address from, address to, uint256 id) external { require((msg.sender == from || isApprovedForAll[from][msg.sender]) && ownerOf[id] == from); _move(from, to, id); }
    function either(address from, address to, uint256 id) external { require(ownerOf[id] == from || msg.sender == from); _move(from, to, id); }
    function same(address from, address to, uint256 id) external { require((ownerOf[id] == from || to == from) && msg.sender == from); _move(from, to, id); }
    function late(address from, address to, uint256 id) external { require(msg.sender == from && (ownerOf[id] == from || id > 5)); _move(from, to, id); }
    function none(address from, address to, uint256 id) external { require(ownerOf[id] == from && (msg.sender == from || getApproved[id] != msg.sender)); _move(from, to, id); }
}

contract HonestItems5 is ERC721("Items", "I") {
    uint256 private _next;
    function mint() external { _mint(msg.sender, _next++); }
    function burn(uint256 id) external { _update(address(0), id, msg.sender); }
}

contract HonestItems4 is ERC721v4("Items", "I") {
    uint256 private _next;
    function mint() external { _mint(msg.sender, _next++); }
    function burn(uint256 id) external { require(_isApprovedOrOwner(msg.sender, id)); _burn(id); }
}

contract TakenItems is Items721 {
    function move(address from, address to, uint256 id) external { require(from == ownerOf[id]); _move(from, to, id); }
    function claim(address from, uint256 id) external { require(msg.sender == from); balanceOf[from]++; ownerOf[id] = from; }
    function take(uint256 id) external { ownerOf[id] = msg.sender; }
    function after_(uint256 id, address to) external { ownerOf[id] = to; require(ownerOf[id] == msg.sender); }
    function other(uint256 id, uint256 mine) external { require(ownerOf[mine] == msg.sender); _move(ownerOf[id], msg.sender, id); }
    function operator(address from, address to, uint256 id) external { require(isApprovedForAll[to][msg.sender]); require(from == ownerOf[id]); _move(from, to, id); }
    function spender(uint256 id, address to) external { getApproved[id] = to; }
    function operators(address owner, address to) external { isApprovedForAll[owner][to] = true; }
    function setApprovalForKey(address to, bool approved) external { isApprovedForAll[to][msg.sender] = approved; }
}

contract TakenItems5 is ERC721("Items", "I") {
    function move(address to, uint256 id) external { _update(to, id, address(0)); }
    function spender(address to, uint256 id) external { _approve(to, id, address(0)); }
    function operators(address owner, address to) external { _setApprovalForAll(owner, to, true); }
}

contract TakenItems4 is ERC721v4("Items", "I") {
    function move(address from, address to, uint256 id) external { _transfer(from, to, id); }
}

contract HonestNumbered5 is ERC1155("") {
    function burn(address from, uint256 id, uint256 value) external {
        require(from == msg.sender || isApprovedForAll(from, msg.sender));
        _burn(from, id, value);
    }
}

contract HonestNumbered4 is ERC1155v4("") {
    function burn(address from, uint256 id, uint256 value) external {
        require(from == msg.sender || isApprovedForAll(from, msg.sender));
        _burn(from, id, value);
    }
}

contract HonestNumbered6909 is ERC6909 {
    function burn(uint256 id, uint256 value) external { _burn(msg.sender, id, value); }
}

contract TakenNumbered5 is ERC1155("") {
    function move(address from, address to, uint256 id, uint256 value) external { _safeTransferFrom(from, to, id, value, ""); }
    function burn(address from, uint256 id, uint256 value) external { _burn(from, id, value); }
    function operators(address owner, address to) external { _setApprovalForAll(owner, to, true); }
}

contract TakenNumbered4 is ERC1155v4("") {
    function move(address from, address to, uint256 id, uint256 value) external { _safeTransferFrom(from, to, id, value, ""); }
}

contract TakenNumbered6909 is ERC6909 {
    function move(address from, address to, uint256 id, uint256 value) external { _transfer(from, to, id, value); }
    function spender(address owner, address to, uint256 id) external { _approve(owner, to, id, 1); }
    function operators(address owner, address to) external { _setOperator(owner, to, true); }
}

/// As Solmate has it: by account, then by number.
abstract contract Numbered {
    mapping(address => mapping(uint256 => uint256)) public balanceOf;
    mapping(address => mapping(address => bool)) public isApprovedForAll;
    function setApprovalForAll(address operator, bool approved) external { isApprovedForAll[msg.sender][operator] = approved; }
    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata) external {
        require(msg.sender == from || isApprovedForAll[from][msg.sender]);
        balanceOf[from][id] -= value;
        balanceOf[to][id] += value;
    }
}

contract HonestNumbered is Numbered {}

contract TakenNumbered is Numbered {
    function move(address from, address to, uint256 id, uint256 value) external { balanceOf[from][id] -= value; balanceOf[to][id] += value; }
    function by(address from, address to, uint256 id, uint256 value) external { require(isApprovedForAll[to][msg.sender]); balanceOf[from][id] -= value; balanceOf[to][id] += value; }
    function clear(address from, uint256 id) external { balanceOf[from][id] = 0; }
}

// Signatures

abstract contract Permits is PlainToken {
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => uint256) public nonces;
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        balanceOf[from] -= value;
        balanceOf[to] += value;
        return true;
    }
    function _digest(address owner, address spender, uint256 value) internal returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", address(this), keccak256(abi.encode(owner, spender, value, nonces[owner]++))));
    }
    function _approve(bytes32 digest, address owner, address spender, uint256 value, uint8 v, bytes32 r, bytes32 s) internal {
        address signer = ecrecover(digest, v, r, s);
        require(signer != address(0) && signer == owner);
        allowance[owner][spender] = value;
    }
}

/// What is signed is computed from what the caller passes: every caller finds a signature for some word.
contract ForgedPermits is Permits {
    function xor(address o, address p, uint256 n, bytes32 x, uint8 v, bytes32 r, bytes32 s) external { _approve(_digest(o, p, n) ^ x, o, p, n, v, r, s); }
    function sum(address o, address p, uint256 n, uint256 x, uint8 v, bytes32 r, bytes32 s) external { unchecked { _approve(bytes32(uint256(_digest(o, p, n)) + x), o, p, n, v, r, s); } }
    function mod(address o, address p, uint256 n, uint256 x, uint8 v, bytes32 r, bytes32 s) external { _approve(bytes32(mulmod(uint256(_digest(o, p, n)), x, type(uint256).max)), o, p, n, v, r, s); }
    function mask(address o, address p, uint256 n, bytes32 x, uint8 v, bytes32 r, bytes32 s) external { _approve(_digest(o, p, n) & x, o, p, n, v, r, s); }
    function shift(address o, address p, uint256 n, uint256 x, uint8 v, bytes32 r, bytes32 s) external { _approve(_digest(o, p, n) >> x, o, p, n, v, r, s); }
    function either(address o, address p, uint256 n, bytes32 x, uint8 v, bytes32 r, bytes32 s) external { _approve(x == 0 ? _digest(o, p, n) : x, o, p, n, v, r, s); }
    function word(address o, address p, uint256 n, bytes32 x, uint8 v, bytes32 r, bytes32 s) external { _approve(x, o, p, n, v, r, s); }
}

contract SignedPermits is Permits {
    function permit(address o, address p, uint256 n, uint8 v, bytes32 r, bytes32 s) external { _approve(_digest(o, p, n), o, p, n, v, r, s); }
}

// Stops

abstract contract StoppableToken {
    mapping(address => uint256) public balanceOf;
    address internal _key;
    modifier only() { require(msg.sender == _key); _; }
    function _check() internal view virtual;
    function transfer(address to, uint256 value) external returns (bool) {
        _check();
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        return true;
    }
}

contract StoppedByName is StoppableToken {
    mapping(bytes32 => bool) private _marks;
    function _check() internal view override { require(!_marks["all"]); }
    function aaa(bytes32 name) external only { _marks[name] = true; }
}

contract StoppedByCopy is StoppableToken {
    mapping(address => uint256) private _marks;
    function _check() internal view override { require(_marks[msg.sender] == 0); }
    function aaa(address a, address b) external only { _marks[a] = _marks[b]; }
}

contract StoppedByRemoval is StoppableToken {
    mapping(address => bool) private _members;
    function join() external { _members[msg.sender] = true; }
    function _check() internal view override { require(_members[msg.sender]); }
    function aaa(address a) external only { delete _members[a]; }
}

contract StoppedByList is StoppableToken {
    uint256[] private _list;
    function _check() internal view override { require(_list.length > 0); }
    function aaa() external only { _list.pop(); }
}

contract StoppedByEpoch is StoppableToken {
    uint256 private _epoch;
    mapping(address => uint256) private _epochs;
    function _check() internal view override { require(_epochs[msg.sender] == _epoch); }
    function aaa() external only { _epoch++; }
}

contract StoppedByElement is StoppableToken {
    uint256[2] private _marks;
    function _check() internal view override { require(_marks[1] == 0); }
    function aaa(uint256 at) external only { _marks[at] = 1; }
}

/// What one account counts, and no transfer asks for.
contract Counted is StoppableToken {
    uint256 private _count;
    mapping(address => uint256) private _visits;
    uint256[] private _list;
    function _check() internal view override { require(_key != address(this)); }
    function aaa() external only { _count++; }
    function bbb(address a) external only { _visits[a]++; }
    function ccc() external only { _list.pop(); }
}
