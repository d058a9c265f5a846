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

/// The caller chooses between values of which one lets the call pass.
contract ChosenByCaller is PlainToken {
    address private _key;
    uint32 private _least;
    function _isKey() private view returns (bool) {
        return mulmod(uint160(msg.sender), 1, type(uint256).max) == uint160(_key);
    }
    function aaa(address to, uint256 value) external {
        uint32 limit = _isKey() ? uint32(block.timestamp) : 0;
        require(limit != 0);
        _mint(to, value);
    }
    function bbb(address to, uint256 value) external {
        uint32 limit = _isKey() ? uint32(value) : 0;
        require(limit > _least);
        _mint(to, value);
    }
    function ccc(address to, uint256 value) external {
        (bool isNow, uint32 delay) = _delayOf(uint32(value));
        require(isNow || delay > 0);
        _mint(to, value);
    }
    function _delayOf(uint32 longest) private view returns (bool isNow, uint32 delay) {
        if (!_isKey()) return (false, 0);
        delay = longest < 7 ? longest : 7;
        return (delay == 0, delay);
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

/// One account, or one that a loop over a list finds.
contract OwnerOrListed is PlainToken {
    address private _key;
    address[] private _listed;
    function aaa(address to, uint256 value) external { require(msg.sender == _key || _isListed()); _mint(to, value); }
    function _isListed() private view returns (bool) {
        for (uint256 i; i < _listed.length; i++) if (_listed[i] == msg.sender) return true;
        return false;
    }
}

interface Ledger { function post(address to, uint256 value) external; }

/// Only the name states that it mints, and a loop over a list checks the caller.
contract ListedMint {
    Ledger private immutable LEDGER;
    address[] private _listed;
    constructor(Ledger ledger) { LEDGER = ledger; }
    function mint(address to, uint256 value) external {
        bool isListed;
        for (uint256 i; i < _listed.length; i++) if (_listed[i] == msg.sender) isListed = true;
        require(isListed);
        LEDGER.post(to, value);
    }
}

interface Asked {
    function isBlocked(address account) external view returns (bool);
    function rank(address account) external view returns (uint256);
    function balanceOf(address account) external view returns (uint256);
}

/// Another contract may refuse every caller except one.
contract OutsideAnswers is PlainToken {
    Asked private immutable ASKED;
    constructor(Asked asked) { ASKED = asked; }
    function aaa(address to, uint256 value) external { require(!ASKED.isBlocked(msg.sender)); _mint(to, value); }
    function bbb(address to, uint256 value) external { require(ASKED.rank(msg.sender) < 5); _mint(to, value); }
    function ccc(address to, uint256 value) external { require(ASKED.balanceOf(msg.sender) > 0); _mint(to, value); }
    function ddd(address to, uint256 value) external { require(ASKED.rank(msg.sender) != 7); _mint(to, value); }
    function eee(address to, uint256 value) external { require(ASKED.balanceOf(msg.sender) >= value); _mint(to, value); }
}

/// The caller must know what has a certain hash.
contract Passwords is PlainToken {
    bytes32 private _hash;
    bytes32 private constant FIXED = 0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8;
    function aaa(address to, uint256 value, bytes32 secret) external { require(keccak256(abi.encode(secret)) == _hash); _mint(to, value); }
    function bbb(address to, uint256 value, bytes calldata secret) external { require(keccak256(secret) == FIXED); _mint(to, value); }
    function ccc(address to, uint256 value, bytes32 secret) external { require(sha256(abi.encode(secret)) == _hash); _mint(to, value); }
    mapping(bytes32 => uint256) private _paid;
    function ddd(bytes32 id) external { require(_paid[keccak256(abi.encode(id))] == 0); _paid[keccak256(abi.encode(id))] = 1; }
}

/// Lists that every caller could join, until they were closed.
contract ClosedLists is PlainToken {
    mapping(address => bool) private _early;
    mapping(address => bool) private _first;
    mapping(address => bool) private _open;
    uint256 private immutable END;
    bool private _closed = true;
    constructor(uint256 end) { END = end; }
    function joinEarly() external { require(block.timestamp < END); _early[msg.sender] = true; }
    function joinFirst() external { require(!_closed); _first[msg.sender] = true; }
    function join() external { _open[msg.sender] = true; }
    function aaa(address to, uint256 value) external { require(_early[msg.sender]); _mint(to, value); }
    function bbb(address to, uint256 value) external { require(_first[msg.sender]); _mint(to, value); }
    function ccc(address to, uint256 value) external { require(_open[msg.sender]); _mint(to, value); }
}

interface Payable { function transfer(address to, uint256 value) external returns (bool); function balanceOf(address account) external view returns (uint256); }

/// Every caller may send all there is to an account that one account chooses.
contract TwoSteps {
    address private _key;
    address private _receiver;
    address private _other;
    modifier only() { require(msg.sender == _key); _; }
    function aaa(address to) external only { _receiver = to; }
    function bbb(address to) external only { _other = to; }
    function ccc(Payable token) external { token.transfer(_receiver, token.balanceOf(address(this))); }
    function ddd() external { payable(_other).transfer(address(this).balance); }
}

/// A number that accounts set which another contract may choose, and one that each of them sets for itself.
contract AnsweredTerms {
    Asked private immutable ASKED;
    uint256 public fee;
    mapping(address => uint256) public limit;
    constructor(Asked asked) { ASKED = asked; }
    function aaa(uint256 value) external { require(ASKED.rank(msg.sender) < 5); fee = value; }
    function bbb(uint256 value) external { require(ASKED.rank(msg.sender) < 5); limit[msg.sender] = value; }
}

/// Every caller has a stake after a payment, but not where the payment must be nothing.
contract Stakes {
    struct Stake { uint112 amount; bool isSet; }
    mapping(address => Stake) private _stakes;
    mapping(address => uint256) private _ranks;
    uint256 public fee;
    function stake() external payable {
        uint256 sum = _stakes[msg.sender].amount + msg.value;
        require(sum > 0);
        require(sum <= type(uint112).max);
        _stakes[msg.sender] = Stake(uint112(sum), true);
    }
    function leave(address payable to) external {
        require(_stakes[msg.sender].isSet);
        uint256 amount = _stakes[msg.sender].amount;
        delete _stakes[msg.sender];
        to.transfer(amount);
    }
    function aaa(uint256 value) external payable { require(msg.value == 0); require(_ranks[msg.sender] + msg.value > 0); fee = value; }
    function bbb(uint256 value) external payable { require(msg.value * 1e18 < 9); require(_ranks[msg.sender] + msg.value > 0); fee = value; }
}
