// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

// Control patterns that no npm package contains, modeled on the deployed contracts they are named after.

/// Circle's FiatToken: administration of minting and of the blacklist.
contract FiatAdministration {
    event MasterMinterChanged(address indexed newMasterMinter);
    event MinterConfigured(address indexed minter, uint256 minterAllowedAmount);
    event MinterRemoved(address indexed oldMinter);
    event Blacklisted(address indexed _account);
    event UnBlacklisted(address indexed _account);
    event BlacklisterChanged(address indexed newBlacklister);
    event PauserChanged(address indexed newAddress);
    event RescuerChanged(address indexed newRescuer);
    event Pause();
    event Unpause();

    function updateMasterMinter(address who) external { emit MasterMinterChanged(who); }
    function configureMinter(address who, uint256 amount) external { emit MinterConfigured(who, amount); }
    function removeMinter(address who) external { emit MinterRemoved(who); }
    function blacklist(address who) external { emit Blacklisted(who); }
    function unBlacklist(address who) external { emit UnBlacklisted(who); }
    function updateBlacklister(address who) external { emit BlacklisterChanged(who); }
    function updatePauser(address who) external { emit PauserChanged(who); }
    function updateRescuer(address who) external { emit RescuerChanged(who); }
    function pause() external { emit Pause(); }
    function unpause() external { emit Unpause(); }
}

/// Tether's administration.
contract TetherAdministration {
    event Issue(uint256 amount);
    event Redeem(uint256 amount);
    event Deprecate(address newAddress);
    event Params(uint256 feeBasisPoints, uint256 maxFee);
    event DestroyedBlackFunds(address _blackListedUser, uint256 _balance);
    event AddedBlackList(address _user);
    event RemovedBlackList(address _user);

    function issue(uint256 amount) external { emit Issue(amount); }
    function redeem(uint256 amount) external { emit Redeem(amount); }
    function deprecate(address next) external { emit Deprecate(next); }
    function setParams(uint256 points, uint256 most) external { emit Params(points, most); }
    function destroyBlackFunds(address who) external { emit DestroyedBlackFunds(who, 7); }
    function addBlackList(address who) external { emit AddedBlackList(who); }
    function removeBlackList(address who) external { emit RemovedBlackList(who); }
}

/// Compound's Timelock.
contract CompoundTimelock {
    event NewAdmin(address indexed newAdmin);
    event NewPendingAdmin(address indexed newPendingAdmin);
    event NewDelay(uint256 indexed newDelay);
    event CancelTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta);
    event ExecuteTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta);
    event QueueTransaction(bytes32 indexed txHash, address indexed target, uint256 value, string signature, bytes data, uint256 eta);

    uint256 public delay;
    address public admin;
    address public pendingAdmin;

    constructor(address admin_, uint256 delay_) { admin = admin_; delay = delay_; }
    function setDelay(uint256 next) external { delay = next; emit NewDelay(next); }
    function setPendingAdmin(address next) external { pendingAdmin = next; emit NewPendingAdmin(next); }
    function acceptAdmin() external { admin = pendingAdmin; pendingAdmin = address(0); emit NewAdmin(admin); }
    function queueTransaction(address target, string calldata signature, bytes calldata data, uint256 eta) external {
        emit QueueTransaction(keccak256(abi.encode(target, signature, data, eta)), target, 0, signature, data, eta);
    }
    function cancelTransaction(address target, string calldata signature, bytes calldata data, uint256 eta) external {
        emit CancelTransaction(keccak256(abi.encode(target, signature, data, eta)), target, 0, signature, data, eta);
    }
    function executeTransaction(address target, string calldata signature, bytes calldata data, uint256 eta) external {
        emit ExecuteTransaction(keccak256(abi.encode(target, signature, data, eta)), target, 0, signature, data, eta);
    }
}

/// Creates contracts inside a transaction, so that no receipt names their address.
contract Workshop {
    event Made(address indexed what);
    function make(bytes calldata code) external returns (address made) {
        bytes memory copy = code;
        assembly { made := create(0, add(copy, 0x20), mload(copy)) }
        require(made != address(0));
        emit Made(made);
    }
}

/// Emits many control events in one transaction, for benchmarks and for reorgs under load.
contract Spammer {
    event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender);
    event Paused(address account);
    event Blacklisted(address indexed _account);
    event MinterConfigured(address indexed minter, uint256 minterAllowedAmount);

    function spam(uint256 count, uint256 salt) external {
        for (uint256 n; n < count; ++n) {
            address who = address(uint160(uint256(keccak256(abi.encode(salt, n)))));
            uint256 kind = n % 4;
            if (kind == 0) emit RoleGranted(bytes32(uint256(1)), who, msg.sender);
            else if (kind == 1) emit Paused(who);
            else if (kind == 2) emit Blacklisted(who);
            else emit MinterConfigured(who, n);
        }
    }
}
