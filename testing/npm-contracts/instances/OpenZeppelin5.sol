// SPDX-License-Identifier: MIT
pragma solidity ^0.8.27;

// OpenZeppelin 5 has no presets: these are what its wizard writes for the usual choices.
import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {AccessControlDefaultAdminRules} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {AccessControlEnumerable} from "@openzeppelin/contracts/access/extensions/AccessControlEnumerable.sol";
import {AccessManaged} from "@openzeppelin/contracts/access/manager/AccessManaged.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Pausable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Pausable.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {SafeERC20, IERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

contract OwnableToken is ERC20, ERC20Pausable, Ownable, ERC20Permit {
    constructor(address owner_) ERC20("Token", "T") Ownable(owner_) ERC20Permit("Token") {}

    function pause() public onlyOwner {
        _pause();
    }

    function unpause() public onlyOwner {
        _unpause();
    }

    function mint(address to, uint256 amount) public onlyOwner {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Pausable) {
        super._update(from, to, value);
    }
}

contract RolesToken is ERC20, ERC20Pausable, AccessControl {
    bytes32 public constant PAUSER_ROLE = keccak256("PAUSER_ROLE");
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");

    constructor(address admin) ERC20("Token", "T") {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
    }

    function pause() public onlyRole(PAUSER_ROLE) {
        _pause();
    }

    function unpause() public onlyRole(PAUSER_ROLE) {
        _unpause();
    }

    function mint(address to, uint256 amount) public onlyRole(MINTER_ROLE) {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Pausable) {
        super._update(from, to, value);
    }
}

contract ManagedToken is ERC20, AccessManaged {
    constructor(address authority_) ERC20("Token", "T") AccessManaged(authority_) {}

    function mint(address to, uint256 amount) public restricted {
        _mint(to, amount);
    }
}

contract ManagedTreasury is AccessManaged {
    using SafeERC20 for IERC20;

    uint256 public fee;

    constructor(address authority_) AccessManaged(authority_) {}

    function setFee(uint256 fee_) external restricted {
        fee = fee_;
    }

    function sweep(IERC20 token, address to, uint256 amount) external restricted {
        token.safeTransfer(to, amount);
    }
}

contract TwoStepNft is ERC721, Ownable2Step {
    constructor(address owner_) ERC721("Nft", "N") Ownable(owner_) {}

    function safeMint(address to, uint256 id) public onlyOwner {
        _safeMint(to, id);
    }
}

contract OwnableItems is ERC1155, Ownable, Pausable {
    constructor(address owner_) ERC1155("") Ownable(owner_) {}

    function setURI(string memory uri_) public onlyOwner {
        _setURI(uri_);
    }

    function pause() public onlyOwner {
        _pause();
    }

    function mint(address account, uint256 id, uint256 amount, bytes memory data) public onlyOwner {
        _mint(account, id, amount, data);
    }
}

contract AdminRulesVault is AccessControlDefaultAdminRules {
    bytes32 public constant KEEPER_ROLE = keccak256("KEEPER_ROLE");
    uint256 public cap;

    constructor(address admin) AccessControlDefaultAdminRules(3 days, admin) {}

    function setCap(uint256 cap_) external onlyRole(KEEPER_ROLE) {
        cap = cap_;
    }
}

contract EnumerableVault is AccessControlEnumerable {
    bytes32 public constant KEEPER_ROLE = keccak256("KEEPER_ROLE");
    uint256 public cap;

    constructor(address admin) {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
    }

    function setCap(uint256 cap_) external onlyRole(KEEPER_ROLE) {
        cap = cap_;
    }
}
