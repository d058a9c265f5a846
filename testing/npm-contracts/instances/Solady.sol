// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Solady's contracts are abstract: each instance adds a constructor and guarded functions.
import {Ownable} from "solady/src/auth/Ownable.sol";
import {OwnableRoles} from "solady/src/auth/OwnableRoles.sol";
import {EnumerableRoles} from "solady/src/auth/EnumerableRoles.sol";
import {ERC20} from "solady/src/tokens/ERC20.sol";
import {ERC721} from "solady/src/tokens/ERC721.sol";
import {ERC1155} from "solady/src/tokens/ERC1155.sol";
import {UUPSUpgradeable} from "solady/src/utils/UUPSUpgradeable.sol";
import {Initializable} from "solady/src/utils/Initializable.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";

contract SoladyToken is ERC20, Ownable {
    constructor(address owner_) {
        _initializeOwner(owner_);
    }

    function name() public pure override returns (string memory) {
        return "Token";
    }

    function symbol() public pure override returns (string memory) {
        return "T";
    }

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    function burn(address from, uint256 amount) external onlyOwner {
        _burn(from, amount);
    }
}

contract SoladyTreasury is OwnableRoles {
    uint256 public fee;
    bool public paused;
    address public oracle;

    constructor(address owner_) {
        _initializeOwner(owner_);
    }

    function setFee(uint256 fee_) external onlyRoles(_ROLE_0) {
        fee = fee_;
    }

    function pause() external onlyOwnerOrRoles(_ROLE_1) {
        paused = true;
    }

    function unpause() external onlyRolesOrOwner(_ROLE_1) {
        paused = false;
    }

    function setOracle(address oracle_) external onlyOwner {
        oracle = oracle_;
    }

    function sweep(address token, address to, uint256 amount) external onlyOwner {
        SafeTransferLib.safeTransfer(token, to, amount);
    }

    function deposit() external payable {
        require(!paused);
        fee = fee * msg.value;
    }
}

contract SoladyUpgradeable is UUPSUpgradeable, Ownable, Initializable {
    uint256 public value;

    function initialize(address owner_) external initializer {
        _initializeOwner(owner_);
    }

    function setValue(uint256 value_) external onlyOwner {
        value = value_;
    }

    function _authorizeUpgrade(address) internal override onlyOwner {}
}

contract SoladyNft is ERC721, OwnableRoles {
    constructor(address owner_) {
        _initializeOwner(owner_);
    }

    function name() public pure override returns (string memory) {
        return "Nft";
    }

    function symbol() public pure override returns (string memory) {
        return "N";
    }

    function tokenURI(uint256) public pure override returns (string memory) {
        return "";
    }

    function mint(address to, uint256 id) external onlyRolesOrOwner(_ROLE_0) {
        _mint(to, id);
    }
}

contract SoladyItems is ERC1155, Ownable {
    constructor(address owner_) {
        _initializeOwner(owner_);
    }

    function uri(uint256) public pure override returns (string memory) {
        return "";
    }

    function mint(address to, uint256 id, uint256 amount) external onlyOwner {
        _mint(to, id, amount, "");
    }
}

contract SoladyEnumerated is EnumerableRoles, Ownable {
    uint256 public limit;

    constructor(address owner_) {
        _initializeOwner(owner_);
    }

    function setLimit(uint256 limit_) external onlyRole(7) {
        limit = limit_;
    }

    function setLimitByOwner(uint256 limit_) external onlyOwnerOrRole(7) {
        limit = limit_;
    }
}
