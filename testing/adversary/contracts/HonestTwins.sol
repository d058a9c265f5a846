// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Forwarding, LOGIC, OwnedLogic, Plain} from "./Base.sol";

// The structures of the tricks, without the trick.

contract QuietExtension { function ping() external pure returns (uint256) { return 1; } }

contract HonestList is Plain {
    uint256[] public list;
    mapping(bytes32 => uint256) public notes;
    function add(uint256 value) external { list.push(value); }
    function removeLast() external { list.pop(); }
    function replace(uint256 index, uint256 value) external { list[index] = value; }
    function note(bytes32 key, uint256 value) external { notes[key] = value; }
}

contract HonestMulticall is OwnedLogic {
    function multicall(bytes[] calldata calls) external {
        for (uint256 i; i < calls.length; ++i) { (bool ok,) = address(this).delegatecall(calls[i]); require(ok); }
    }
}

/// Reads gas price, time and sender without any effect on the guard.
contract ObservantLogic is OwnedLogic {
    mapping(address => uint256) public seen;
    function observe() external { seen[msg.sender] = tx.gasprice + block.timestamp + msg.sender.balance; }
}

/// Signatures, proofs and passwords move balances only.
contract HonestClaims is Plain {
    bytes32 private constant HASH = keccak256("correct horse battery staple");
    bytes32 private immutable root;
    mapping(address => uint256) public balanceOf;
    constructor(bytes32 root_) { root = root_; }
    function permit(address owner, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
        require(owner != address(0) && ecrecover(keccak256(abi.encode(amount)), v, r, s) == owner);
        balanceOf[owner] += amount;
    }
    function claim(bytes32[] calldata proof) external {
        bytes32 node = keccak256(abi.encode(msg.sender));
        for (uint256 i; i < proof.length; ++i) node = node < proof[i] ? keccak256(abi.encode(node, proof[i])) : keccak256(abi.encode(proof[i], node));
        require(node == root);
        balanceOf[msg.sender] += 1;
    }
    function guess(string calldata password) external { if (keccak256(bytes(password)) == HASH) balanceOf[msg.sender] += 1; }
}

contract FixedCaller is Forwarding {
    address private immutable target;
    constructor(address target_) { target = target_; }
    fallback() external payable { _call(target); }
}

contract FixedForwarder is Forwarding {
    address private immutable logic;
    constructor(address logic_) { logic = logic_; }
    fallback() external payable { _delegate(logic); }
}

/// A table by selector that only the constructor writes.
contract FixedTableProxy is Forwarding {
    mapping(bytes4 => address) private table;
    constructor(address logic) { table[bytes4(keccak256("number()"))] = logic; table[bytes4(keccak256("setNumber(uint256)"))] = logic; }
    fallback() external payable { address logic = table[msg.sig]; require(logic != address(0)); _delegate(logic); }
}

/// Lists all of its facets and has no function that changes them.
contract HonestDiamond is Forwarding {
    struct Facet { address facetAddress; bytes4[] functionSelectors; }
    mapping(bytes4 => address) private facetOf;
    address private shown;
    constructor(address facet) { shown = facet; bytes4[] memory list = _selectors(); for (uint256 i; i < list.length; ++i) facetOf[list[i]] = facet; }
    function _selectors() private pure returns (bytes4[] memory list) { list = new bytes4[](2); list[0] = bytes4(keccak256("number()")); list[1] = bytes4(keccak256("setNumber(uint256)")); }
    function facets() external view returns (Facet[] memory list) { list = new Facet[](1); list[0] = Facet(shown, _selectors()); }
    function facetAddresses() external view returns (address[] memory list) { list = new address[](1); list[0] = shown; }
    function facetFunctionSelectors(address) external pure returns (bytes4[] memory) { return _selectors(); }
    function facetAddress(bytes4 selector) external view returns (address) { return facetOf[selector]; }
    function supportsInterface(bytes4) external pure returns (bool) { return true; }
    fallback() external payable { address facet = facetOf[msg.sig]; require(facet != address(0)); _delegate(facet); }
}

/// A proxy with its admin in the slot of the standard, which is the only account that counts.
contract PlainAdminProxy is Forwarding {
    bytes32 private constant ADMIN_SLOT = 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103;
    constructor(address logic, address admin) { bytes32 slot = ADMIN_SLOT; assembly { sstore(LOGIC, logic) sstore(slot, admin) } }
    function upgradeTo(address next) external {
        address admin;
        bytes32 slot = ADMIN_SLOT;
        assembly { admin := sload(slot) }
        require(msg.sender == admin);
        assembly { sstore(LOGIC, next) }
    }
    fallback() external payable { address logic; assembly { logic := sload(LOGIC) } _delegate(logic); }
}

/// Wards that are named by their events.
contract LoudWards is Plain {
    event Rely(address indexed usr);
    mapping(address => uint256) public wards;
    bool private initialized;
    function initialize(address shown, address) external { require(!initialized); initialized = true; wards[shown] = 1; emit Rely(shown); }
    function rely(address usr) external { require(wards[msg.sender] == 1); wards[usr] = 1; emit Rely(usr); }
    function proxiableUUID() external pure returns (bytes32) { return LOGIC; }
    function upgradeToAndCall(address next, bytes calldata) external payable { require(wards[msg.sender] == 1); assembly { sstore(LOGIC, next) } }
}

/// Words in memory that overlap and precompiles, for a slot of its own.
contract HonestMemory is Plain {
    function settle(address value) external {
        assembly {
            mstore(0, 0x1111111111111111111111111111111100000000000000000000000000000000)
            mstore(16, 0x2222222222222222222222222222222200000000000000000000000000000000)
            sstore(mload(0), value)
        }
    }
}

/// A time after which balances, not the guard, open.
contract HonestVesting is OwnedLogic {
    uint256 private immutable opensAt;
    mapping(address => uint256) public claimed;
    constructor(uint256 delay) { opensAt = block.timestamp + delay; }
    function claim() external { require(block.timestamp >= opensAt); claimed[msg.sender] += 1; }
}
