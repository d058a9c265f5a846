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

interface ISafeHash {
    function nonce() external view returns (uint256);
    function getTransactionHash(address to, uint256 value, bytes calldata data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce) external view returns (bytes32);
}

/// Code for a delegatecall that logs, in the name of the Safe, that the transaction it runs in failed.
contract Forger {
    address private immutable self = address(this);

    function fail(bytes32 topic, uint256 form) external {
        ISafeHash safe = ISafeHash(address(this));
        bytes32 hash = safe.getTransactionHash(self, 0, msg.data, 1, 0, 0, 0, address(0), address(0), safe.nonce() - 1);
        assembly {
            mstore(0, hash)
            mstore(32, 0)
            switch form
            case 0 { log1(0, 32, topic) }
            case 1 { log1(0, 64, topic) }
            default { log2(32, 32, topic, hash) }
        }
    }

    /// That a module failed.
    function failModule(bytes32 topic, bytes32 module) external { assembly { log2(0, 0, topic, module) } }
}

/// Modules that make a Safe execute what they store, whatever their input names.
contract DecoyModule {
    ISafe private immutable safe;
    address private immutable to;
    bytes private data;
    constructor(ISafe safe_, address to_, bytes memory data_) { (safe, to, data) = (safe_, to_, data_); }
    fallback() external { require(safe.execTransactionFromModule(to, 0, data, 1)); }
}

/// Zodiac's Roles modifier: members of a role may make the Safe call the targets of the role. The owner, which is the Safe, assigns both.
contract RolesModule {
    address public owner;
    address public avatar;
    address public target;
    mapping(address => address) internal modules;
    mapping(bytes32 => mapping(address => bool)) internal members;
    mapping(bytes32 => mapping(address => bool)) internal targets;
    constructor(address safe) { (owner, avatar, target) = (safe, safe, safe); modules[address(1)] = address(1); }
    function assignRoles(address module, bytes32[] calldata keys, bool[] calldata memberOf) external {
        require(msg.sender == owner);
        for (uint256 n; n < keys.length; ++n) members[keys[n]][module] = memberOf[n];
        if (modules[module] == address(0)) { modules[module] = modules[address(1)]; modules[address(1)] = module; }
    }
    function allowTarget(bytes32 key, address to) external { require(msg.sender == owner); targets[key][to] = true; }
    function getModulesPaginated(address start, uint256 size) external view returns (address[] memory list, address next) {
        list = new address[](size);
        uint256 count;
        next = modules[start];
        while (next != address(1) && next != address(0) && count < size) { list[count++] = next; next = modules[next]; }
        assembly { mstore(list, count) }
    }
    function execTransactionWithRole(address to, uint256 value, bytes calldata data, uint8 operation, bytes32 key, bool) external returns (bool) {
        check(to, operation, key);
        return ISafe(avatar).execTransactionFromModule(to, value, data, operation);
    }
    function check(address to, uint8 operation, bytes32 key) internal view virtual {
        require(modules[msg.sender] != address(0) && members[key][msg.sender] && targets[key][to] && operation == 0);
    }
}

/// Forgets to check the caller.
contract OpenRolesModule is RolesModule {
    constructor(address safe) RolesModule(safe) {}
    function check(address, uint8 operation, bytes32) internal pure override { require(operation == 0); }
}

/// Safe's allowance module: delegates, whom each Safe appoints for itself, may transfer up to an amount of a token.
contract AllowanceModule {
    mapping(address => mapping(address => mapping(address => uint96))) internal allowances;
    mapping(address => mapping(address => bool)) internal delegates;
    function addDelegate(address delegate) external { delegates[msg.sender][delegate] = true; }
    function setAllowance(address delegate, address token, uint96 amount, uint16, uint32) external { require(delegates[msg.sender][delegate]); allowances[msg.sender][delegate][token] = amount; }
    function executeAllowanceTransfer(ISafe safe, address token, address payable to, uint96 amount, address, uint96, address delegate, bytes memory signature) external {
        spend(address(safe), token, amount, delegate, signature);
        if (token == address(0)) require(safe.execTransactionFromModule(to, amount, "", 0));
        else require(safe.execTransactionFromModule(token, 0, abi.encodeWithSignature("transfer(address,uint256)", to, amount), 0));
    }
    function spend(address safe, address token, uint96 amount, address delegate, bytes memory signature) internal virtual {
        require(signature.length == 0 && msg.sender == delegate && delegates[safe][delegate]);
        require(amount > 0 && amount <= allowances[safe][delegate][token]);
        allowances[safe][delegate][token] -= amount;
    }
}

/// Takes an empty signature for a valid one.
contract OpenAllowanceModule is AllowanceModule {
    function spend(address, address, uint96 amount, address, bytes memory) internal pure override { require(amount > 0); }
}
