// Needs a new EVM.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Forwarding, LOGIC, OwnedLogic, Plain} from "./Base.sol";

// Transient storage, and code that is replaced at its address.

/// The owner of one transaction.
contract PassingOwner is OwnedLogic {
    function borrow() external { assembly { tstore(1, caller()) } }
    function owner() public view override returns (address found) {
        assembly { found := tload(1) }
        if (found == address(0)) found = super.owner();
    }
}
contract PassingOwnerUser {
    constructor(address at, address code) {
        PassingOwner(at).borrow();
        PassingOwner(at).upgradeTo(code);
    }
}

/// The record that the contract is initialized ends with the transaction.
contract PassingInitializer is Plain {
    address public owner;
    function initialize(address owner_) external {
        assembly { if tload(2) { revert(0, 0) } tstore(2, 1) }
        owner = owner_;
    }
    function upgradeTo(address next) external { require(msg.sender == owner); assembly { sstore(LOGIC, next) } }
}

/// Code for one transaction comes before the stored pointer.
contract PassingPointerProxy is Forwarding {
    constructor(address logic) { assembly { sstore(LOGIC, logic) } }
    fallback() external payable {
        address logic;
        assembly {
            logic := tload(LOGIC)
            if iszero(logic) { logic := sload(LOGIC) }
        }
        _delegate(logic);
    }
}
contract PreviewLogic is Plain {
    function preview(address code) external { assembly { tstore(LOGIC, code) } }
}
contract PreviewUser {
    constructor(address at, address code) {
        PreviewLogic(at).preview(code);
        (bool ok,) = at.call(abi.encodeWithSignature("seize(address)", code));
        require(ok);
    }
}

/// The beacon answers other logic for one transaction.
contract PassingBeacon {
    address private immutable logic;
    constructor(address logic_) { logic = logic_; }
    function preview(address code) external { assembly { tstore(0, code) } }
    function implementation() external view returns (address found) {
        assembly { found := tload(0) }
        if (found == address(0)) found = logic;
    }
}
contract PassingBeaconUser {
    bytes32 private constant BEACON = 0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50;
    constructor(address beacon, address at, address code) {
        PassingBeacon(beacon).preview(code);
        (bool ok,) = at.call(abi.encodeWithSignature("store(bytes32,bytes32)", BEACON, bytes32(uint256(uint160(code)))));
        require(ok);
    }
}

/// The slot of the next write is kept for one transaction.
contract PassingSlot is OwnedLogic {
    function aim(uint256 slot) external { assembly { tstore(3, slot) } }
    function fire(address value) external { assembly { sstore(tload(3), value) } }
}
contract PassingSlotUser {
    constructor(address at, address code) {
        PassingSlot(at).aim(uint256(LOGIC));
        PassingSlot(at).fire(code);
    }
}

/// The number of nested calls is the guard.
contract PassingDepth is OwnedLogic {
    function enter(bytes calldata next) external {
        assembly { tstore(4, add(tload(4), 1)) }
        (bool ok,) = address(this).call(next);
        require(ok);
        assembly { tstore(4, sub(tload(4), 1)) }
    }
    function settle(address next) external {
        assembly {
            if lt(tload(4), 3) { revert(0, 0) }
            sstore(LOGIC, next)
        }
    }
}

/// A lock against reentry that holds the caller instead of a flag, who then counts as the owner.
contract PassingLock is OwnedLogic {
    modifier locked() {
        assembly { if tload(5) { revert(0, 0) } tstore(5, caller()) }
        _;
        assembly { tstore(5, 0) }
    }
    function flash(bytes calldata data) external locked { (bool ok,) = msg.sender.call(data); require(ok); }
    function _checkOwner() internal view override {
        address holder;
        assembly { holder := tload(5) }
        if (msg.sender != holder) super._checkOwner();
    }
}
contract PassingLockUser {
    function start(address at, address code) external { PassingLock(at).flash(abi.encodeCall(this.go, (at, code))); }
    function go(address at, address code) external { PassingLock(at).upgradeTo(code); }
}

/// A beacon that its key destroys.
contract KillableBeacon {
    address public immutable implementation;
    address private immutable key;
    constructor(address logic, address key_) { implementation = logic; key = key_; }
    function close() external { require(msg.sender == key); selfdestruct(payable(key)); }
}

/// Acts for a timelock, and its key destroys it.
contract KillableActor {
    address public immutable owner;
    address private immutable key;
    constructor(address owner_, address key_) { owner = owner_; key = key_; }
    function act(address to, bytes calldata data) external {
        require(msg.sender == owner);
        (bool ok,) = to.call(data);
        require(ok);
    }
    function close() external { require(msg.sender == key); selfdestruct(payable(key)); }
}
contract OpenActor {
    function act(address to, bytes calldata data) external { (bool ok,) = to.call(data); require(ok); }
}

/// A library that its key destroys.
contract KillableHelper {
    address private immutable self;
    address private immutable key;
    constructor(address self_, address key_) { self = self_; key = key_; }
    function note(uint256) external {}
    function close() external { require(address(this) == self && msg.sender == key); selfdestruct(payable(key)); }
}
contract LinkedLogic is OwnedLogic {
    address private immutable helper;
    constructor(address helper_) { helper = helper_; }
    function assist(bytes calldata data) external { (bool ok,) = helper.delegatecall(data); require(ok); }
}

/// Deploys copies with CREATE. Its address, and with it the address of its first copy, can be used again once it is destroyed.
contract Nest {
    address private immutable key;
    constructor(address key_) { key = key_; }
    function spawn(address code) external returns (address at) {
        require(msg.sender == key);
        bytes memory creation = abi.encodePacked(hex"73", code, hex"803b8060006000843c6000f3");
        assembly { at := create(0, add(creation, 32), mload(creation)) }
        require(at != address(0));
    }
    function close() external { require(msg.sender == key); selfdestruct(payable(key)); }
}
