// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Initializable} from "openzeppelin-contracts-4/proxy/utils/Initializable.sol";
import {UUPSUpgradeable} from "openzeppelin-contracts-4/proxy/utils/UUPSUpgradeable.sol";

// Patterns of other libraries: Solmate's authority, owners in named storage.

interface Authority {
    function canCall(address user, address target, bytes4 sig) external view returns (bool);
}

/// An authority that lets every account pass.
contract LenientAuthority is Authority {
    function canCall(address, address, bytes4) external pure returns (bool) { return true; }
}

/// The guard of Solmate: the owner, or an account that the authority lets pass.
contract SolmateLogic is Initializable, UUPSUpgradeable {
    address public owner;
    Authority public authority;
    mapping(address => uint256) public balanceOf;
    function initialize(address owner_, Authority authority_) external initializer {
        owner = owner_;
        authority = authority_;
    }
    modifier requiresAuth() {
        require(isAuthorized(msg.sender, msg.sig), "UNAUTHORIZED");
        _;
    }
    function isAuthorized(address user, bytes4 sig) internal view returns (bool) {
        Authority auth = authority;
        return (address(auth) != address(0) && auth.canCall(user, address(this), sig)) || user == owner;
    }
    function setAuthority(Authority next) external {
        require(msg.sender == owner || authority.canCall(msg.sender, address(this), msg.sig));
        authority = next;
    }
    function transferOwnership(address next) external requiresAuth { owner = next; }
    function mint(address to, uint256 amount) external requiresAuth { balanceOf[to] += amount; }
    function transfer(address to, uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
    }
    function _authorizeUpgrade(address) internal override requiresAuth {}
}

/// The owner is in a slot whose number is the hash of a name.
abstract contract NamedOwner is Initializable, UUPSUpgradeable {
    mapping(uint256 => uint256) public notes;
    function place() internal pure virtual returns (bytes32);
    function initialize(address owner_) external initializer { set(owner_); }
    function owner() public view returns (address found) {
        bytes32 at = place();
        assembly { found := sload(at) }
    }
    function set(address next) private {
        bytes32 at = place();
        assembly { sstore(at, next) }
    }
    function transferOwnership(address next) external {
        require(msg.sender == owner());
        set(next);
    }
    function note(uint256 key, uint256 value) external { notes[key] = value; }
    function _authorizeUpgrade(address) internal view override { require(msg.sender == owner()); }
}

/// The owner of a diamond: the fifth word of its storage.
contract DiamondOwner is NamedOwner {
    function place() internal pure override returns (bytes32) {
        return bytes32(uint256(keccak256("diamond.standard.diamond.storage")) + 4);
    }
}

contract SolidStateOwner is NamedOwner {
    function place() internal pure override returns (bytes32) {
        return keccak256("solidstate.contracts.storage.Ownable");
    }
}

/// The slot looks like the hash of a name, and is an element of the notes.
contract ElementOwner is NamedOwner {
    function place() internal pure override returns (bytes32) { return keccak256(abi.encode(uint256(77), uint256(1))); }
}
