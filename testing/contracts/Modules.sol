// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Modules of Safes: open to any caller, led by one key, and closed.

interface ISafe {
    function execTransactionFromModule(address to, uint256 value, bytes memory data, uint8 operation) external returns (bool);
    function execTransactionFromModuleReturnData(address to, uint256 value, bytes memory data, uint8 operation) external returns (bool, bytes memory);
    function isOwner(address owner) external view returns (bool);
}

/// A router that bridges for the Safe that a caller names, and checks nothing about the caller.
contract OpenRouterModule {
    function callBridge(ISafe safe, address bridge, uint256 value, bytes calldata data) external { safe.execTransactionFromModule(bridge, value, data, 0); }
}

/// The caller chooses the operation too.
contract OpenCodeModule {
    ISafe private immutable safe;
    constructor(ISafe safe_) { safe = safe_; }
    function execute(address to, uint256 value, bytes calldata data, uint8 operation) external returns (bytes memory result) {
        (, result) = safe.execTransactionFromModuleReturnData(to, value, data, operation);
    }
}

/// Any account may make the Safe collect its rewards, and nothing else.
contract CollectModule {
    ISafe private immutable safe;
    address private immutable farm;
    constructor(ISafe safe_, address farm_) { safe = safe_; farm = farm_; }
    function collect() external { require(safe.execTransactionFromModule(farm, 0, abi.encodeWithSignature("claim()"), 0)); }
}

contract KeeperModule {
    ISafe private immutable safe;
    address private immutable keeper;
    constructor(ISafe safe_, address keeper_) { safe = safe_; keeper = keeper_; }
    function exec(address to, bytes calldata data) external { require(msg.sender == keeper); safe.execTransactionFromModule(to, 0, data, 0); }
}

/// Each owner of the Safe may act alone: the module asks the Safe.
contract OwnersModule {
    ISafe private immutable safe;
    constructor(ISafe safe_) { safe = safe_; }
    function exec(address to, bytes calldata data) external { require(safe.isOwner(msg.sender)); safe.execTransactionFromModule(to, 0, data, 0); }
}

/// Zodiac's Modifier: accounts that the owner, which is the Safe, enabled.
contract ModifierModule {
    address public owner;
    address public avatar;
    mapping(address => bool) private modules;
    constructor(address safe) { owner = safe; avatar = safe; }
    function enableModule(address module) external { require(msg.sender == owner); modules[module] = true; }
    function execTransactionFromModule(address to, uint256 value, bytes calldata data, uint8 operation) external returns (bool) {
        require(modules[msg.sender]);
        return ISafe(avatar).execTransactionFromModule(to, value, data, operation);
    }
}

interface ISafeOwner {
    function execTransaction(address to, uint256 value, bytes calldata data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address payable refundReceiver, bytes memory signatures) external payable returns (bool);
}

/// Executes what the owners of a Safe approved, whatever its input names.
contract HiddenExecution {
    ISafeOwner private immutable safe;
    address private immutable to;
    bytes private data;
    bytes private signatures;
    constructor(ISafeOwner safe_, address to_, bytes memory data_, bytes memory signatures_, bool isAtOnce) {
        (safe, to, data, signatures) = (safe_, to_, data_, signatures_);
        if (isAtOnce) safe_.execTransaction(to_, 0, data_, 1, 0, 0, 0, address(0), payable(0), signatures_);
    }
    function multiSend(bytes calldata) external { safe.execTransaction(to, 0, data, 1, 0, 0, 0, address(0), payable(0), signatures); }
}

/// Passes calls on, one after the other.
contract Relay {
    function multicall(address[] calldata targets, bytes[] calldata datas) external {
        for (uint256 n; n < targets.length; ++n) { (bool ok,) = targets[n].call(datas[n]); require(ok); }
    }
}
