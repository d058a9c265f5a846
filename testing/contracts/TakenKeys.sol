// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Votes} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Votes.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Initializable as Initializable4} from "openzeppelin-contracts-4/proxy/utils/Initializable.sol";
import {PlainToken} from "HiddenPowers.sol";

// Keys of powers that every caller can take, by `Taken…`, and twins of which no caller can, by `Kept…`. The account in
// slot 2 mints in most of them.

abstract contract KeyedToken is PlainToken {
    address internal _key;
    modifier only() { require(msg.sender == _key); _; }
    function aaa(address to, uint256 value) external only { _mint(to, value); }
}

contract TakenPlain is KeyedToken {
    function take() external { _key = msg.sender; }
}

contract TakenByAnyName is KeyedToken {
    function setKey(address key) external { require(key != address(0)); require(key != _key); _key = key; }
}

contract TakenForEther is KeyedToken {
    function take() external payable { require(msg.value >= 1 ether); _key = msg.sender; }
}

contract TakenAfterTime is KeyedToken {
    uint256 private constant END = 1_700_000_000;
    function take() external { require(block.timestamp > END); _key = msg.sender; }
}

contract TakenForSecret is KeyedToken {
    bytes32 private constant FIXED = 0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8;
    function take(bytes calldata secret) external { require(keccak256(secret) == FIXED); _key = msg.sender; }
}

/// Once, and it was not yet called.
contract TakenOnce is KeyedToken {
    bool private _used;
    function take() external { require(!_used); _used = true; _key = msg.sender; }
}

/// Once, and the mark can be removed.
contract TakenAgain is KeyedToken {
    bool private _used;
    function take() external { require(!_used); _used = true; _key = msg.sender; }
    function leave() external { _used = false; }
}

/// A log that initializers make, and a mark that is tested and written, and prevents nothing.
contract TakenAsInitializer is KeyedToken {
    uint8 private _version;
    event Initialized(uint8 version);
    function take() external { _key = msg.sender; emit Initialized(1); }
}

contract TakenByWeakMark is KeyedToken {
    uint256 private _mark;
    function take() external { require(_mark != 7); _mark = 5; _key = msg.sender; }
}

contract TakenByNextVersion is KeyedToken {
    uint64 private _version;
    function take(address key) external { require(_version < 2); _version = 2; _key = key; }
}

/// Slot 2: a number of eight bytes, the key, a truth value.
contract TakenPacked is PlainToken {
    uint64 private _count;
    address private _key;
    bool private _isPaused;
    function take() external { _key = msg.sender; }
    function pause() external { require(msg.sender == _key); _isPaused = true; }
    function aaa(address to, uint256 value) external { require(msg.sender == _key); _mint(to, value); }
}

contract TakenNamespaced is PlainToken {
    struct Keys { uint256 unused; address key; }
    bytes32 private constant SLOT = 0x6d2c0a1d2f3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c400;
    function _keys() private pure returns (Keys storage keys) { assembly { keys.slot := SLOT } }
    function take() external { _keys().key = msg.sender; }
    function aaa(address to, uint256 value) external { require(msg.sender == _keys().key); _mint(to, value); }
}

contract TakenByAssembly is KeyedToken {
    function take() external { assembly { sstore(2, caller()) } }
}

/// A store at a position that the caller names.
contract TakenAnywhere is KeyedToken {
    function put(uint256 position, uint256 value) external { assembly { sstore(position, value) } }
}

/// A store at an index that is not below a length that can be made large.
contract TakenByIndex is KeyedToken {
    uint256[] private _list;
    function shrink() external { assembly { sstore(_list.slot, sub(sload(_list.slot), 1)) } }
    function put(uint256 index, uint256 value) external { _list[index] = value; }
}

contract TakenByFallback is KeyedToken {
    fallback() external { _key = msg.sender; }
}

/// Two steps of which the first is open to every caller.
contract TakenInTwoSteps is KeyedToken {
    address private _next;
    function propose() external { _next = msg.sender; }
    function accept() external { require(msg.sender == _next); _key = _next; }
}

/// The account that is stored comes from a slot that every caller writes.
contract TakenByCopy is KeyedToken {
    address private _next;
    function propose(address next) external { _next = next; }
    function accept() external { _key = _next; }
}

/// Every caller can make one fixed account the key.
contract TakenByFixed is KeyedToken {
    address private constant FIXED = 0x00000000000000000000000000000000000ABc01;
    function reset() external { _key = FIXED; }
}

contract TakenRole is PlainToken {
    mapping(bytes32 => mapping(address => bool)) private _members;
    bytes32 private constant MINTER = keccak256("MINTER");
    function grant(bytes32 role) external { _members[role][msg.sender] = true; }
    function aaa(address to, uint256 value) external { require(_members[MINTER][msg.sender]); _mint(to, value); }
}

/// A list that one account keeps, and that every caller can join.
contract TakenList is KeyedToken {
    mapping(address => bool) private _isMinter;
    function setMinter(address minter, bool isMinter) external only { _isMinter[minter] = isMinter; }
    function join() external { _isMinter[msg.sender] = true; }
    function bbb(address to, uint256 value) external { require(_isMinter[msg.sender]); _mint(to, value); }
}

interface Authority { function canCall(address caller, address target, bytes4 selector) external view returns (bool); }

/// Another contract decides, and every caller can replace it.
contract TakenAuthority is PlainToken {
    Authority private _authority;
    function setAuthority(Authority authority) external { _authority = authority; }
    function aaa(address to, uint256 value) external {
        require(_authority.canCall(msg.sender, address(this), msg.sig));
        _mint(to, value);
    }
}

contract KeptPlain is KeyedToken {
    function setKey(address key) external only { _key = key; }
    function leave() external only { _key = address(0); }
}

/// Once, and it was called.
contract KeptOnce is KeyedToken {
    bool private _used;
    function take() external { require(!_used); _used = true; _key = msg.sender; }
}

/// As the setup of a Safe: a number that is not zero shows that it was set up.
contract KeptByNumber is KeyedToken {
    uint256 private _threshold;
    function setup(address key, uint256 threshold) external {
        require(_threshold == 0 && threshold > 0);
        _threshold = threshold;
        _key = key;
    }
    function setThreshold(uint256 threshold) external only { require(threshold > 0); _threshold = threshold; }
}

contract KeptByKeyItself is KeyedToken {
    function take() external { require(_key == address(0)); _key = msg.sender; }
}

contract KeptInitialized is Initializable, KeyedToken {
    function initialize(address key) external initializer { _key = key; }
}

contract KeptInitialized4 is Initializable4, KeyedToken {
    function initialize(address key) external initializer { _key = key; }
}

/// Initializers before OpenZeppelin 4.7, which let others run inside them.
contract KeptNested is KeyedToken {
    bool private _initialized;
    bool private _initializing;
    modifier initializer() {
        require(_initializing || !_initialized);
        bool isTop = !_initializing;
        if (isTop) { _initializing = true; _initialized = true; }
        _;
        if (isTop) _initializing = false;
    }
    function initialize(address key) external initializer { _init(key); }
    function _init(address key) private initializer { _key = key; }
}

contract KeptTwoSteps is Ownable2Step, ERC20 {
    constructor(address owner) Ownable(owner) ERC20("Kept", "K") {}
    function mint(address to, uint256 amount) external onlyOwner { _mint(to, amount); }
}

contract KeptVotes is ERC20Votes, Ownable {
    constructor(address owner) Ownable(owner) ERC20("Kept", "K") EIP712("Kept", "1") {}
    function mint(address to, uint256 amount) external onlyOwner { _mint(to, amount); }
}

contract KeptRoles is AccessControl, Initializable, ERC20 {
    bytes32 private constant MINTER = keccak256("MINTER");
    constructor() ERC20("Kept", "K") {}
    function initialize(address admin) external initializer { _grantRole(DEFAULT_ADMIN_ROLE, admin); _grantRole(MINTER, admin); }
    function mint(address to, uint256 amount) external onlyRole(MINTER) { _mint(to, amount); }
}

/// Every caller writes the other bits of the slot that holds the key, and its own entries of tables.
contract KeptPacked is PlainToken {
    uint64 private _count;
    address private _key;
    mapping(address => address) private _delegates;
    mapping(address => bool) private _isMember;
    uint256[] private _list;
    function visit() external { _count++; _list.push(_count); }
    function put(uint256 index, uint256 value) external { _list[index] = value; }
    function delegate(address to) external { _delegates[msg.sender] = to; _isMember[msg.sender] = true; }
    function aaa(address to, uint256 value) external { require(msg.sender == _key); _mint(to, value); }
}

/// The account that others are paid by owns nothing here: what a caller withdraws is its own.
contract KeptPull is KeyedToken {
    mapping(address => uint256) private _owed;
    function deposit() external payable { _owed[msg.sender] += msg.value; }
    function withdraw() external {
        uint256 owed = _owed[msg.sender];
        _owed[msg.sender] = 0;
        payable(msg.sender).transfer(owed);
    }
}
