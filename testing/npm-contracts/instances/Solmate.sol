// SPDX-License-Identifier: MIT
pragma solidity ^0.8.10;

// Solmate's contracts are abstract: each instance adds a constructor and guarded functions.
import {Auth, Authority} from "solmate/src/auth/Auth.sol";
import {Owned} from "solmate/src/auth/Owned.sol";
import {ERC20} from "solmate/src/tokens/ERC20.sol";
import {ERC721} from "solmate/src/tokens/ERC721.sol";
import {SafeTransferLib} from "solmate/src/utils/SafeTransferLib.sol";

contract SolmateToken is ERC20, Owned {
    constructor(address owner_) ERC20("Token", "T", 18) Owned(owner_) {}

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }
}

contract SolmateAuthToken is ERC20, Auth {
    constructor(address owner_, Authority authority_) ERC20("Token", "T", 18) Auth(owner_, authority_) {}

    function mint(address to, uint256 amount) external requiresAuth {
        _mint(to, amount);
    }

    function burn(address from, uint256 amount) external requiresAuth {
        _burn(from, amount);
    }
}

contract SolmateVault is Auth {
    using SafeTransferLib for ERC20;

    uint256 public fee;
    address public strategy;

    constructor(address owner_, Authority authority_) Auth(owner_, authority_) {}

    function setFee(uint256 fee_) external requiresAuth {
        fee = fee_;
    }

    function setStrategy(address strategy_) external requiresAuth {
        strategy = strategy_;
    }

    function rescue(ERC20 token, address to, uint256 amount) external requiresAuth {
        token.safeTransfer(to, amount);
    }

    function manage(address target, bytes calldata data) external requiresAuth returns (bytes memory result) {
        bool ok;
        (ok, result) = target.call(data);
        require(ok);
    }
}

contract SolmateNft is ERC721, Owned {
    constructor(address owner_) ERC721("Nft", "N") Owned(owner_) {}

    function tokenURI(uint256) public pure override returns (string memory) {
        return "";
    }

    function mint(address to, uint256 id) external onlyOwner {
        _safeMint(to, id);
    }
}
