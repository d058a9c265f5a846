// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

// Deployed proxies and executors that no npm package contains, modeled on their published source.

/// The ZeppelinOS proxy that predates ERC-1967, as used by USDC (https://github.com/circlefin/stablecoin-evm, contracts/upgradeability).
contract FiatTokenProxy {
    bytes32 private constant LOGIC = keccak256("org.zeppelinos.proxy.implementation");
    bytes32 private constant ADMIN = keccak256("org.zeppelinos.proxy.admin");
    event Upgraded(address implementation);
    event AdminChanged(address previousAdmin, address newAdmin);
    constructor(address logic, address admin_) { _store(LOGIC, logic); _store(ADMIN, admin_); }
    modifier ifAdmin() { if (msg.sender == _load(ADMIN)) { _; } else { _fallback(); } }
    function admin() external view returns (address) { return _load(ADMIN); }
    function implementation() external view returns (address) { return _load(LOGIC); }
    function changeAdmin(address next) external ifAdmin { require(next != address(0)); emit AdminChanged(_load(ADMIN), next); _store(ADMIN, next); }
    function upgradeTo(address next) external ifAdmin { _upgradeTo(next); }
    function upgradeToAndCall(address next, bytes calldata data) external payable ifAdmin {
        _upgradeTo(next);
        (bool ok,) = address(this).call{value: msg.value}(data);
        require(ok);
    }
    function _upgradeTo(address next) private { require(next.code.length > 0); _store(LOGIC, next); emit Upgraded(next); }
    function _store(bytes32 where, address what) private { assembly { sstore(where, what) } }
    function _load(bytes32 where) private view returns (address what) { assembly { what := sload(where) } }
    function _fallback() private {
        require(msg.sender != _load(ADMIN), "Cannot call fallback function from the proxy admin");
        address logic = _load(LOGIC);
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), logic, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
    fallback() external payable { _fallback(); }
}

/// Polygon's UpgradableProxy (https://github.com/maticnetwork/contracts, contracts/common/misc).
contract PolygonProxy {
    bytes32 private constant LOGIC = keccak256("matic.network.proxy.implementation");
    bytes32 private constant OWNER = keccak256("matic.network.proxy.owner");
    constructor(address logic) { _store(LOGIC, logic); _store(OWNER, msg.sender); }
    modifier onlyProxyOwner() { require(_load(OWNER) == msg.sender, "NOT_OWNER"); _; }
    function proxyType() external pure returns (uint256) { return 2; }
    function proxyOwner() external view returns (address) { return _load(OWNER); }
    function implementation() external view returns (address) { return _load(LOGIC); }
    function transferProxyOwnership(address next) external onlyProxyOwner { require(next != address(0)); _store(OWNER, next); }
    function updateImplementation(address next) public onlyProxyOwner { require(next.code.length > 0); _store(LOGIC, next); }
    function updateAndCall(address next, bytes memory data) external payable onlyProxyOwner {
        updateImplementation(next);
        (bool ok, bytes memory result) = address(this).call{value: msg.value}(data);
        require(ok, string(result));
    }
    function _store(bytes32 where, address what) private { assembly { sstore(where, what) } }
    function _load(bytes32 where) private view returns (address what) { assembly { what := sload(where) } }
    fallback() external payable {
        address logic = _load(LOGIC);
        assembly {
            let at := mload(0x40)
            calldatacopy(at, 0, calldatasize())
            let ok := delegatecall(gas(), logic, at, calldatasize(), 0, 0)
            returndatacopy(at, 0, returndatasize())
            switch ok case 0 { revert(at, returndatasize()) } default { return(at, returndatasize()) }
        }
    }
}

/// Optimism's L1ChugSplashProxy: calls isUpgrading() of its owner, and deploys its implementation from given code.
contract L1ChugSplashProxy {
    bytes32 private constant LOGIC = bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);
    bytes32 private constant OWNER = bytes32(uint256(keccak256("eip1967.proxy.admin")) - 1);
    constructor(address owner) { _store(OWNER, owner); }
    modifier onlyWhenNotPaused() {
        (bool ok, bytes memory result) = _load(OWNER).staticcall(abi.encodeWithSignature("isUpgrading()"));
        if (ok && result.length == 32) require(abi.decode(result, (uint256)) == 0, "upgrading");
        _;
    }
    modifier proxyCallIfNotOwner() { if (msg.sender == _load(OWNER) || msg.sender == address(0)) { _; } else { _doProxyCall(); } }
    function setCode(bytes memory code) public proxyCallIfNotOwner {
        address logic = _load(LOGIC);
        if (keccak256(code) == logic.codehash) return;
        bytes memory deploy = abi.encodePacked(hex"600D380380600D6000396000f3", code);
        address next;
        assembly { next := create(0x0, add(deploy, 0x20), mload(deploy)) }
        require(next.codehash == keccak256(code), "wrong code");
        _store(LOGIC, next);
    }
    function setStorage(bytes32 key, bytes32 value) public proxyCallIfNotOwner { assembly { sstore(key, value) } }
    function setOwner(address owner) public proxyCallIfNotOwner { _store(OWNER, owner); }
    function _store(bytes32 where, address what) private { assembly { sstore(where, what) } }
    function _load(bytes32 where) private view returns (address what) { assembly { what := sload(where) } }
    function _doProxyCall() private onlyWhenNotPaused {
        address logic = _load(LOGIC);
        require(logic != address(0), "implementation is not set yet");
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), logic, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
    fallback() external payable { _doProxyCall(); }
}

/// Synthetix' Proxy: passes the sender to its target, then calls it.
contract SynthetixProxy {
    address public owner;
    address public nominatedOwner;
    address public target;
    constructor(address owner_) { owner = owner_; }
    modifier onlyOwner() { require(msg.sender == owner, "Only the contract owner may perform this action"); _; }
    function nominateNewOwner(address next) external onlyOwner { nominatedOwner = next; }
    function acceptOwnership() external { require(msg.sender == nominatedOwner); owner = nominatedOwner; nominatedOwner = address(0); }
    function setTarget(address next) external onlyOwner { target = next; }
    fallback() external payable {
        (bool set,) = target.call(abi.encodeWithSignature("setMessageSender(address)", msg.sender));
        require(set);
        assembly {
            let at := mload(0x40)
            calldatacopy(at, 0, calldatasize())
            let ok := call(gas(), sload(target.slot), callvalue(), at, calldatasize(), 0, 0)
            returndatacopy(at, 0, returndatasize())
            if iszero(ok) { revert(at, returndatasize()) }
            return(at, returndatasize())
        }
    }
}

/// Aave's Executor (https://github.com/aave-dao/aave-governance-v3, contracts/payloads/Executor.sol).
contract AaveExecutor {
    address private _owner;
    constructor() { _owner = msg.sender; }
    function owner() public view returns (address) { return _owner; }
    function transferOwnership(address next) external { require(_owner == msg.sender, "Ownable: caller is not the owner"); _owner = next; }
    function executeTransaction(address target, uint256 value, string memory signature, bytes memory data, bool withDelegatecall) public payable returns (bytes memory) {
        require(owner() == msg.sender, "Ownable: caller is not the owner");
        require(target != address(0), "INVALID_EXECUTION_TARGET");
        bytes memory callData = bytes(signature).length == 0 ? data : abi.encodePacked(bytes4(keccak256(bytes(signature))), data);
        bool ok;
        bytes memory result;
        if (withDelegatecall) {
            require(msg.value >= value);
            (ok, result) = target.delegatecall(callData);
        } else {
            (ok, result) = target.call{value: value}(callData);
        }
        require(ok);
        return result;
    }
}

/// Maker's DSPauseProxy.
contract DSPauseProxy {
    address public owner;
    constructor() { owner = msg.sender; }
    function exec(address usr, bytes memory fax) public returns (bytes memory out) {
        require(msg.sender == owner, "ds-pause-proxy-unauthorized");
        bool ok;
        (ok, out) = usr.delegatecall(fax);
        require(ok, "ds-pause-delegatecall-error");
    }
}

/// Only the owner may delegatecall arbitrary code.
contract OwnerDelegatecall {
    address public owner;
    constructor(address owner_) { owner = owner_; }
    function exec(address code, bytes calldata data) external { require(msg.sender == owner); (bool ok,) = code.delegatecall(data); require(ok); }
}

/// One function checks the owner; another lets any caller delegatecall arbitrary code.
contract UnguardedDelegatecall {
    address public owner;
    uint256 public fee;
    function setFee(uint256 next) external { require(msg.sender == owner); fee = next; }
    function exec(address code, bytes calldata data) external { (bool ok,) = code.delegatecall(data); require(ok); }
}

/// Compares only a part of the sender's address, for which a key is easy to find.
contract PartialSenderCheck {
    address public owner;
    function exec(address code, bytes calldata data) external {
        require(uint16(uint160(msg.sender)) == uint16(uint160(owner)));
        (bool ok,) = code.delegatecall(data);
        require(ok);
    }
}

interface Upgradable { function upgradeTo(address) external; }

/// Upgrades other proxies, and cannot be upgraded itself.
contract ProxyFactory {
    address public owner;
    function upgradeAll(Upgradable[] calldata proxies, address next) external {
        require(msg.sender == owner);
        for (uint256 n; n < proxies.length; ++n) proxies[n].upgradeTo(next);
    }
}

/// An implementation behind a beacon that can replace the beacon.
contract BeaconMover {
    address public owner;
    function setBeacon(address next) external {
        require(msg.sender == owner);
        bytes32 where = bytes32(uint256(keccak256("eip1967.proxy.beacon")) - 1);
        assembly { sstore(where, next) }
    }
}

/// Only the admin may upgrade.
abstract contract AdminCheckedProxy {
    bytes32 internal constant LOGIC = bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);
    bytes32 internal constant ADMIN = bytes32(uint256(keccak256("eip1967.proxy.admin")) - 1);
    bytes32 internal constant BEACON = bytes32(uint256(keccak256("eip1967.proxy.beacon")) - 1);
    function upgradeTo(address next) external { require(msg.sender == _load(ADMIN)); _store(LOGIC, next); }
    function _store(bytes32 where, address what) internal { assembly { sstore(where, what) } }
    function _load(bytes32 where) internal view returns (address what) { assembly { what := sload(where) } }
    fallback() external payable {
        address logic = _load(LOGIC);
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), logic, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
}
/// Any caller may initialize it while it has no implementation, as in Aave's proxies.
contract InitializableProxy is AdminCheckedProxy {
    function initialize(address logic, address admin) external { require(_load(LOGIC) == address(0)); _store(LOGIC, logic); _store(ADMIN, admin); }
}
/// Any caller may change the implementation, in addition to the admin.
contract UnguardedUpgrade is AdminCheckedProxy {
    function migrate(address logic) external { _store(LOGIC, logic); }
}
contract UnguardedAdmin is AdminCheckedProxy {
    function claim(address admin) external { _store(ADMIN, admin); }
}
contract WrongSlotCheck is AdminCheckedProxy {
    function initialize(address logic) external { require(_load(BEACON) == address(0)); _store(LOGIC, logic); }
}
contract PartialZeroCheck is AdminCheckedProxy {
    function initialize(address logic) external { require(uint8(uint160(_load(LOGIC))) == 0); _store(LOGIC, logic); }
}
contract NonzeroSenderCheck is AdminCheckedProxy {
    function migrate(address logic) external { require(msg.sender != address(0)); _store(LOGIC, logic); }
}
