// Needs a new EVM.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";

interface Manager { function canCall(address caller, address target, bytes4 selector) external view returns (bool isImmediate, uint32 delay); }

// Logic that asks an AccessManager, in its own way.
abstract contract ManagedBy is UUPSUpgradeable {
    Manager internal manager;
    function initialize(Manager first) external { require(address(manager) == address(0)); manager = first; }
    function authority() external view returns (address) { return address(manager); }
    function ping() external view { _check(manager, msg.sender, address(this), msg.sig); }
    function _check(Manager by, address caller, address target, bytes4 selector) internal view {
        (bool isImmediate,) = by.canCall(caller, target, selector);
        require(isImmediate);
    }
    function _authorizeUpgrade(address) internal virtual override { _check(manager, msg.sender, address(this), msg.sig); }
}

contract PermittedLogic is ManagedBy {}

/// The caller names the function that it must be allowed to call.
contract AnyFunctionLogic is ManagedBy {
    function upgrade(address next, bytes4 selector) external { _check(manager, msg.sender, address(this), selector); ERC1967Utils.upgradeToAndCall(next, ""); }
}
/// Whoever may call one function may call another one.
contract OtherFunctionLogic is ManagedBy {
    function upgrade(address next) external { _check(manager, msg.sender, address(this), this.ping.selector); ERC1967Utils.upgradeToAndCall(next, ""); }
}
/// The caller names the contract that it must be allowed to call.
contract AnyTargetLogic is ManagedBy {
    function upgrade(address next, address target) external { _check(manager, msg.sender, target, msg.sig); ERC1967Utils.upgradeToAndCall(next, ""); }
}
/// The caller names the account that must be allowed.
contract AnyCallerLogic is ManagedBy {
    function upgrade(address next, address caller) external { _check(manager, caller, address(this), msg.sig); ERC1967Utils.upgradeToAndCall(next, ""); }
}
/// The caller names the manager, unless it leaves it out.
contract AnyManagerLogic is ManagedBy {
    function upgrade(address next, Manager by) external { _check(address(by) == address(0) ? manager : by, msg.sender, address(this), msg.sig); ERC1967Utils.upgradeToAndCall(next, ""); }
}
/// Those are let pass that must not.
contract RefusedLogic is ManagedBy {
    function upgrade(address next) external { (bool ok,) = manager.canCall(msg.sender, address(this), msg.sig); require(!ok); ERC1967Utils.upgradeToAndCall(next, ""); }
}
/// A manager that has no gas to answer leaves what was in memory before.
contract UnansweredLogic is ManagedBy {
    function upgrade(address next) external {
        bytes memory data = abi.encodeCall(Manager.canCall, (msg.sender, address(this), msg.sig));
        address by = address(manager);
        bool ok;
        assembly { mstore(0, 1) pop(staticcall(700, by, add(data, 32), mload(data), 0, 64)) ok := mload(0) }
        require(ok);
        ERC1967Utils.upgradeToAndCall(next, "");
    }
}
/// Calls that have to be announced need not be.
contract UnannouncedLogic is ManagedBy {
    function upgrade(address next) external {
        (bool ok, uint32 delay) = manager.canCall(msg.sender, address(this), msg.sig);
        require(ok || delay > 0);
        ERC1967Utils.upgradeToAndCall(next, "");
    }
}
/// A trusted account says who calls.
contract RelayedLogic is ManagedBy {
    address private immutable relay;
    constructor(address relay_) { relay = relay_; }
    function upgrade(address next) external { _check(manager, _caller(), address(this), msg.sig); ERC1967Utils.upgradeToAndCall(next, ""); }
    function _caller() private view returns (address) { return msg.sender == relay ? address(bytes20(msg.data[36:56])) : msg.sender; }
}
/// The manager itself can be replaced by those who may ping.
contract ReplacedManagerLogic is ManagedBy {
    function setManager(Manager next) external { _check(manager, msg.sender, address(this), this.ping.selector); manager = next; }
}
/// The caller's answer counts where the manager gives none.
contract SecondManagerLogic is ManagedBy {
    function upgrade(address next, Manager second) external {
        (bool ok,) = manager.canCall(msg.sender, address(this), msg.sig);
        if (!ok) (ok,) = second.canCall(msg.sender, address(this), msg.sig);
        require(ok);
        ERC1967Utils.upgradeToAndCall(next, "");
    }
}

contract Permissive {
    function canCall(address, address, bytes4) external pure returns (bool, uint32) { return (true, 0); }
}
