// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {HiddenKey} from "./LyingGetters.sol";

// Modules of a Safe, and what a Safe's setup may leave behind.

interface ISafe {
    function execTransactionFromModule(address to, uint256 value, bytes memory data, uint8 operation) external returns (bool);
    function isModuleEnabled(address module) external view returns (bool);
}

abstract contract Module {
    function _exec(address safe, address to, bytes memory data, uint8 operation) internal { require(ISafe(safe).execTransactionFromModule(to, 0, data, operation)); }
}

contract OpenModule is Module {
    function exec(address safe, address to, bytes calldata data) external { _exec(safe, to, data, 0); }
}

/// Looks like a module for recurring payments.
contract OpenDelegateModule is Module {
    function run(address safe, address library_, bytes calldata data) external { _exec(safe, library_, data, 1); }
}

contract KeyModule is Module, HiddenKey {
    constructor(address key) HiddenKey(key) {}
    function exec(address safe, address to, bytes calldata data) external { require(_isKey()); _exec(safe, to, data, 0); }
}

contract PlainKeyModule is Module {
    address private immutable keeper;
    constructor(address keeper_) { keeper = keeper_; }
    function exec(address safe, address to, bytes calldata data) external { require(msg.sender == keeper); _exec(safe, to, data, 0); }
}

contract TableModule is Module {
    mapping(address => bool) private keepers;
    address public owner;
    constructor(address keeper, address owner_) { keepers[keeper] = true; owner = owner_; }
    function exec(address safe, address to, bytes calldata data) external { require(keepers[msg.sender]); _exec(safe, to, data, 0); }
}

contract SignatureModule is Module {
    bytes32 private immutable hash;
    constructor(address key) { hash = keccak256(abi.encode(key)); }
    function exec(address safe, address to, bytes calldata data, uint8 v, bytes32 r, bytes32 s) external {
        require(keccak256(abi.encode(ecrecover(keccak256(abi.encode(to, data)), v, r, s))) == hash);
        _exec(safe, to, data, 0);
    }
}

/// Opens when the owners were silent for a year.
contract InheritanceModule is Module {
    uint256 private lastSeen = block.timestamp;
    address private immutable safe;
    constructor(address safe_) { safe = safe_; }
    function ping() external { require(msg.sender == safe); lastSeen = block.timestamp; }
    function exec(address to, bytes calldata data) external { require(block.timestamp > lastSeen + 365 days); _exec(safe, to, data, 0); }
}

/// owner() names the Safe; one key owns it.
contract LyingOwnerModule is Module, HiddenKey {
    address public immutable owner;
    constructor(address key, address owner_) HiddenKey(key) { owner = owner_; }
    function exec(address to, bytes calldata data) external { require(msg.sender == owner || _isKey()); _exec(owner, to, data, 0); }
}

/// Its logic can be replaced by one key, and has no code of its own.
contract UpgradeableModule {
    address private logic;
    bytes32 private immutable hash;
    constructor(address logic_, address key) { logic = logic_; hash = keccak256(abi.encode(key)); }
    fallback() external {
        if (keccak256(abi.encode(msg.sender)) == hash && msg.data.length == 32) { logic = abi.decode(msg.data, (address)); return; }
        address to = logic;
        assembly {
            calldatacopy(0, 0, calldatasize())
            if iszero(delegatecall(gas(), to, 0, calldatasize(), 0, 0)) { revert(0, 0) }
        }
    }
}
contract LimitedModule { function limit() external pure returns (uint256) { return 1 ether; } }

/// A module that a spender may use for any call: the allowance is checked after the call, against a balance that it chooses.
contract AllowanceModule is Module {
    mapping(address => uint256) public allowance;
    function setAllowance(uint256 amount) external { allowance[msg.sender] = amount; }
    function spend(address safe, address token, bytes calldata data, uint256 amount) external {
        require(amount <= allowance[safe]);
        allowance[safe] -= amount;
        _exec(safe, token, data, 0);
    }
}

/// Runs in the setup of a Safe and writes its storage without an event.
contract QuietSetup {
    function quietModule(address module) external {
        bytes32 slot = keccak256(abi.encode(module, uint256(1)));
        assembly { sstore(slot, 1) }
    }
    /// The list still starts and ends as before; the account is no part of it.
    function quietOwners(address[] calldata accounts) external {
        for (uint256 i; i < accounts.length; ++i) {
            bytes32 slot = keccak256(abi.encode(accounts[i], uint256(2)));
            assembly { sstore(slot, 2) }
        }
    }
    function quietApproval(address[] calldata owners, bytes32 hash) external {
        for (uint256 i; i < owners.length; ++i) {
            bytes32 slot = keccak256(abi.encode(hash, keccak256(abi.encode(owners[i], uint256(8)))));
            assembly { sstore(slot, 1) }
        }
    }
    function quietHandler(address handler) external { assembly { sstore(0x6c9a6c4a39284e37ed1cf53d337577d14212a4870fb976a4366c693b939918d5, handler) } }
    function quietGuard(address guard) external { assembly { sstore(0x4a204f620c8c5ccdca3fd54d003badd85ba500436a431f0cbda4f558c93c34c8, guard) } }
    function loudModule(address module) external { (bool ok,) = address(this).call(abi.encodeWithSignature("enableModule(address)", module)); require(ok); }
}

/// Approves anything as an owner of a Safe, for one key.
contract ContractOwner {
    bytes32 private immutable hash;
    constructor(address key) { hash = keccak256(abi.encode(key)); }
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) { return _check(digest, signature) ? bytes4(0x1626ba7e) : bytes4(0); }
    function isValidSignature(bytes calldata data, bytes calldata signature) external view returns (bytes4) { return _check(keccak256(data), signature) ? bytes4(0x20c13b0b) : bytes4(0); }
    function _check(bytes32 digest, bytes calldata signature) private view returns (bool) {
        if (signature.length != 96) return false;
        (uint8 v, bytes32 r, bytes32 s) = abi.decode(signature, (uint8, bytes32, bytes32));
        return keccak256(abi.encode(ecrecover(digest, v, r, s))) == hash;
    }
}
/// Approves anything for anyone.
contract YesOwner {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) { return 0x1626ba7e; }
    function isValidSignature(bytes calldata, bytes calldata) external pure returns (bytes4) { return 0x20c13b0b; }
}
/// An owner that can approve a hash in the Safe for anyone.
contract ApprovingOwner {
    function approve(address safe, bytes32 hash) external { (bool ok,) = safe.call(abi.encodeWithSignature("approveHash(bytes32)", hash)); require(ok); }
}

/// A guard that the Safe calls before each transaction, and that is a module too.
contract GuardModule is Module, HiddenKey {
    constructor(address key) HiddenKey(key) {}
    function supportsInterface(bytes4) external pure returns (bool) { return true; }
    function checkTransaction(address, uint256, bytes memory, uint8, uint256, uint256, uint256, address, address payable, bytes memory, address) external {}
    function checkAfterExecution(bytes32, bool) external {}
    function exec(address safe, address to, bytes calldata data) external { require(_isKey()); _exec(safe, to, data, 0); }
}

