// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

// Powers and guards in forms that hide them. No function has a name that states what it does.

abstract contract PlainToken {
    mapping(address => uint256) public balanceOf;
    uint256 public totalSupply;
    event Transfer(address indexed from, address indexed to, uint256 value);

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function _mint(address to, uint256 value) internal {
        balanceOf[to] += value;
        totalSupply += value;
        emit Transfer(address(0), to, value);
    }
}

/// Every caller can write another member of the element that lists minters.
contract SharedElement is PlainToken {
    struct User { uint256 nonce; bool isMinter; uint64 visits; }
    mapping(address => User) private _users;
    function visit() external { _users[msg.sender].nonce++; }
    function visitPacked() external { _users[msg.sender].visits++; }
    function aaa(address to, uint256 value) external { require(_users[msg.sender].isMinter); _mint(to, value); }
}

/// Every caller can have one role, and not the other.
contract SharedRoles is PlainToken {
    mapping(uint256 => mapping(address => bool)) private _roles;
    function join() external { _roles[2][msg.sender] = true; }
    function leave(uint256 role) external { _roles[role][msg.sender] = false; }
    function aaa(address to, uint256 value) external { require(_roles[1][msg.sender]); _mint(to, value); }
}

/// An entry of the caller that is compared with what another slot holds.
contract StoredLevels is PlainToken {
    mapping(address => uint256) private _levels;
    uint256 private _needed = 7;
    uint256 private _least;
    function setLevel(address who, uint256 level) external { require(_levels[msg.sender] == _needed); _levels[who] = level; }
    function aaa(address to, uint256 value) external { require(_levels[msg.sender] == _needed); _mint(to, value); }
    function bbb(address to, uint256 value) external { require(_levels[msg.sender] != _least); _mint(to, value); }
}

interface Items { function ownerOf(uint256 id) external view returns (address); }

/// An account of the owner of one item, as of ERC-6551.
contract ItemAccount {
    Items private immutable ITEMS;
    uint256 private immutable ID;
    uint256 private _id;
    constructor(Items items, uint256 id) { ITEMS = items; ID = id; _id = id; }
    function aaa(address to, bytes calldata data) external { require(ITEMS.ownerOf(ID) == msg.sender); _run(to, data); }
    function bbb(address to, bytes calldata data) external { require(ITEMS.ownerOf(_id) == msg.sender); _run(to, data); }
    function ccc(uint256 id, address to, bytes calldata data) external {
        require(ITEMS.ownerOf(id) == msg.sender);
        _run(to, data);
    }
    function _run(address to, bytes calldata data) private { (bool ok,) = to.call(data); require(ok); }
}

/// The caller is compared after it went through instructions, memory or transient storage.
contract DisguisedCaller is PlainToken {
    address private _key;
    function aaa(address to, uint256 value) external {
        require(mulmod(uint160(msg.sender), 1, type(uint256).max) == uint160(_key));
        _mint(to, value);
    }
    function bbb(address to, uint256 value) external {
        uint256 found;
        assembly { found := sar(0, caller()) }
        require(found == uint160(_key));
        _mint(to, value);
    }
    function ccc(address to, uint256 value) external {
        uint256 found;
        assembly { mstore(0, shl(96, caller())) mstore(32, 0) found := mload(8) }
        require(found == uint256(uint160(_key)) << 160);
        _mint(to, value);
    }
    function ddd(address to, uint256 value) external {
        uint256 found;
        assembly { mstore(0, 0) mstore8(31, caller()) found := mload(0) }
        require(found == uint8(uint160(_key)));
        _mint(to, value);
    }
    function eee(address to, uint256 value) external {
        uint256 found;
        assembly { tstore(0, caller()) found := tload(0) }
        require(found == uint160(_key));
        _mint(to, value);
    }
    function fff(address to, uint256 value) external {
        require(msg.sender.codehash == bytes32(uint256(uint160(_key))));
        _mint(to, value);
    }
}

/// Signatures that a loop checks.
contract SignedMints is PlainToken {
    mapping(address => bool) private _signers;
    uint256 private _threshold = 2;
    function aaa(address to, uint256 value, uint8[] calldata v, bytes32[] calldata r, bytes32[] calldata s) external {
        uint256 count;
        address last;
        for (uint256 i; i < v.length; i++) {
            address signer = ecrecover(keccak256(abi.encode(to, value)), v[i], r[i], s[i]);
            if (_signers[signer] && signer > last) { count++; last = signer; }
        }
        require(count >= _threshold);
        _mint(to, value);
    }
    function bbb(address to, uint256 value, bytes calldata data) external {
        (bool ok, bytes memory result) = address(0x100).staticcall(data);
        require(ok && abi.decode(result, (uint256)) == 1);
        _mint(to, value);
    }
}

/// Ether for the account that the caller must be, and for a new contract.
contract OwnPayments {
    address private constant KEY = 0x00000000000000000000000000000000DeaDBeef;
    address private _key;
    StoredLevels private _made;
    OwnerBook private _book;
    receive() external payable {}
    function aaa() external { require(msg.sender == KEY); payable(KEY).transfer(address(this).balance); }
    function bbb() external { require(msg.sender == _book.owner()); payable(_book.owner()).transfer(address(this).balance); }
    function ccc(bytes memory code) external {
        require(msg.sender == _key);
        assembly { pop(create(selfbalance(), add(code, 32), mload(code))) }
    }
    function ddd() external { require(msg.sender == _key); _made = new StoredLevels(); }
    function eee(address payable to) external { require(msg.sender == _key); selfdestruct(to); }
}

interface OwnerBook { function owner() external view returns (address); }

/// Balances that change without a log of a mint.
contract SilentMints is PlainToken {
    address private _key;
    modifier only() { require(msg.sender == _key); _; }
    function aaa() external only { balanceOf[msg.sender] += 1e30; }
    function bbb(address who, uint256 value) external only { balanceOf[who] = value; }
    function ccc(address who, uint256 value) external only { balanceOf[who] += value; emit Transfer(address(0xdead), who, value); }
    function ddd(address who, uint256 value) external only {
        balanceOf[address(this)] -= value;
        balanceOf[who] += value;
        emit Transfer(address(this), who, value);
    }
    function eee(address who, uint256 value) external only {
        balanceOf[msg.sender] -= value;
        balanceOf[who] += value;
        emit Transfer(msg.sender, who, value);
    }
}

/// A mint for input that names no function.
contract FallbackMint is PlainToken {
    address private _key;
    fallback() external {
        require(msg.sender == _key);
        (address to, uint256 value) = abi.decode(msg.data[4:], (address, uint256));
        _mint(to, value);
    }
}

/// A price that one account sets to one of two values, in a function that every caller may call.
contract TwoPrices {
    address private _key;
    uint256 public price;
    function aaa(bool high) external { if (msg.sender == _key) { if (high) price = 2; else price = 1; } }
}
