// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Small equivalents of contracts of published incidents, where no package has them.

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A bridge may mint, under a name that does not say so.
contract BridgeRoleToken is ERC20, AccessControl {
    bytes32 public constant BRIDGE_ROLE = keccak256("BRIDGE_ROLE");
    constructor(address admin) ERC20("Pool share", "SHARE") { _grantRole(DEFAULT_ADMIN_ROLE, admin); }
    function bridgeIn(address to, uint256 amount) external onlyRole(BRIDGE_ROLE) { _mint(to, amount); }
}

/// Holds funds that members of a role may withdraw.
contract RoleVault is AccessControl {
    bytes32 public constant STRATEGY_ROLE = keccak256("STRATEGY_ROLE");
    constructor(address admin, address strategist) { _grantRole(DEFAULT_ADMIN_ROLE, admin); _grantRole(STRATEGY_ROLE, strategist); }
    receive() external payable {}
    function redeem(address payable to, uint256 amount) external onlyRole(STRATEGY_ROLE) { (bool ok,) = to.call{value: amount}(""); require(ok); }
}

/// A token of LayerZero's OFT: messages of the peer of another chain mint.
contract PeerToken is ERC20, Ownable {
    event PeerSet(uint32 eid, bytes32 peer);
    address public immutable endpoint;
    mapping(uint32 => bytes32) public peers;
    constructor(address owner, address endpoint_) ERC20("Bridged", "OFT") Ownable(owner) { endpoint = endpoint_; }
    function setPeer(uint32 eid, bytes32 peer) external onlyOwner { peers[eid] = peer; emit PeerSet(eid, peer); }
    function lzReceive(uint32 eid, bytes32 sender, address to, uint256 amount) external {
        require(msg.sender == endpoint && peers[eid] == sender);
        _mint(to, amount);
    }
}

/// LayerZero's library of verifiers (ReceiveUln302): the configuration of one application.
contract VerifierLibrary {
    struct UlnConfig { uint64 confirmations; uint8 requiredDVNCount; uint8 optionalDVNCount; uint8 optionalDVNThreshold; address[] requiredDVNs; address[] optionalDVNs; }
    event UlnConfigSet(address oapp, uint32 eid, UlnConfig config);
    function setConfig(address oapp, uint32 eid, UlnConfig calldata config) external { require(msg.sender == Ownable(oapp).owner()); emit UlnConfigSet(oapp, eid, config); }
}

/// A proxy with its admin in the first slot, where the logic of Audius had the flags of its initializer.
contract FirstSlotProxy {
    event Upgraded(address indexed implementation);
    address private admin;
    constructor(address logic, address admin_) { admin = admin_; _set(logic); }
    function upgradeTo(address logic) external { require(msg.sender == admin); _set(logic); }
    function _set(address logic) private {
        assembly { sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, logic) }
        emit Upgraded(logic);
    }
    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
    receive() external payable {}
}

/// The flags are parts of the admin's address, so that the contract always seems to be in its initialization.
contract CollidingGovernance {
    bool private initialized;
    bool private initializing;
    address public guardian;
    function initialize(address guardian_) external { require(initializing || !initialized); initialized = true; guardian = guardian_; }
    function guardianExecute(address target, uint256 value, bytes calldata data) external { require(msg.sender == guardian); (bool ok,) = target.call{value: value}(data); require(ok); }
}

/// An initializer as OpenZeppelin had it before release 4.7, and a function that resembles it.
contract NestedInitializers {
    bool private initialized;
    bool private initializing;
    address public guardian;
    uint256 private started;
    modifier initializer() {
        require(initializing || address(this).code.length == 0 || !initialized);
        bool isTopLevelCall = !initializing;
        if (isTopLevelCall) { initializing = true; initialized = true; }
        _;
        if (isTopLevelCall) initializing = false;
    }
    function initialize(address guardian_) external initializer { guardian = guardian_; }
    function first(address guardian_) external { if (started == 0) started = 1; else guardian = guardian_; }
}
