// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Governor} from "@openzeppelin/contracts/governance/Governor.sol";
import {GovernorCountingSimple} from "@openzeppelin/contracts/governance/extensions/GovernorCountingSimple.sol";
import {GovernorSettings} from "@openzeppelin/contracts/governance/extensions/GovernorSettings.sol";
import {GovernorTimelockControl} from "@openzeppelin/contracts/governance/extensions/GovernorTimelockControl.sol";
import {GovernorVotes} from "@openzeppelin/contracts/governance/extensions/GovernorVotes.sol";
import {GovernorVotesQuorumFraction} from "@openzeppelin/contracts/governance/extensions/GovernorVotesQuorumFraction.sol";
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {IVotes} from "@openzeppelin/contracts/governance/utils/IVotes.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Votes} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Votes.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {AccessControlUpgradeable} from "@openzeppelin/contracts-upgradeable/access/AccessControlUpgradeable.sol";
import {OwnableUpgradeable} from "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
import {PausableUpgradeable} from "@openzeppelin/contracts-upgradeable/utils/PausableUpgradeable.sol";
import {ERC20Upgradeable} from "@openzeppelin/contracts-upgradeable/token/ERC20/ERC20Upgradeable.sol";

// The invented protocols of the demo. Their access control is OpenZeppelin's.

/// A lending pool behind a transparent proxy. The owner sets parameters; the proxy admin upgrades.
contract LendingPool is OwnableUpgradeable, PausableUpgradeable {
    uint256 public reserveFactor;
    constructor() { _disableInitializers(); }
    function initialize(address owner) external initializer { __Ownable_init(owner); reserveFactor = 1000; }
    function setReserveFactor(uint256 next) external onlyOwner { reserveFactor = next; }
    function pause() external onlyOwner { _pause(); }
    function unpause() external onlyOwner { _unpause(); }
}

contract LendingPoolTwo is LendingPool {
    function liquidationBonus() external pure returns (uint256) { return 500; }
}

/// Upgraded by its owner; keepers and guardians have roles.
contract OwnedVault is OwnableUpgradeable, PausableUpgradeable, AccessControlUpgradeable, UUPSUpgradeable {
    constructor() { _disableInitializers(); }
    function initialize(address owner) external initializer {
        __Ownable_init(owner);
        _grantRole(DEFAULT_ADMIN_ROLE, owner);
    }
    function pause() external onlyOwner { _pause(); }
    function unpause() external onlyOwner { _unpause(); }
    function _authorizeUpgrade(address) internal override onlyOwner {}
}

contract OwnedVaultTwo is OwnedVault {
    function withdrawalFee() external pure returns (uint256) { return 25; }
}

/// A dollar token administered like Circle's: minters, a blacklist, a pause.
contract DollarToken is ERC20Upgradeable, OwnableUpgradeable, PausableUpgradeable, UUPSUpgradeable {
    event MinterConfigured(address indexed minter, uint256 minterAllowedAmount);
    event MinterRemoved(address indexed oldMinter);
    event Blacklisted(address indexed _account);
    event UnBlacklisted(address indexed _account);

    mapping(address => uint256) public minterAllowance;
    mapping(address => bool) public isBlacklisted;

    constructor() { _disableInitializers(); }
    function initialize(address owner) external initializer {
        __ERC20_init("Meridian Dollar", "mUSD");
        __Ownable_init(owner);
    }
    function configureMinter(address minter, uint256 allowed) external onlyOwner {
        minterAllowance[minter] = allowed;
        emit MinterConfigured(minter, allowed);
    }
    function removeMinter(address minter) external onlyOwner { delete minterAllowance[minter]; emit MinterRemoved(minter); }
    function blacklist(address account) external onlyOwner { isBlacklisted[account] = true; emit Blacklisted(account); }
    function unBlacklist(address account) external onlyOwner { isBlacklisted[account] = false; emit UnBlacklisted(account); }
    function mint(address to, uint256 amount) external whenNotPaused { minterAllowance[msg.sender] -= amount; _mint(to, amount); }
    function pause() external onlyOwner { _pause(); }
    function unpause() external onlyOwner { _unpause(); }
    function _update(address from, address to, uint256 value) internal override whenNotPaused {
        require(!isBlacklisted[from] && !isBlacklisted[to], "blacklisted");
        super._update(from, to, value);
    }
    function _authorizeUpgrade(address) internal override onlyOwner {}
}

contract DollarTokenTwo is DollarToken {
    function currency() external pure returns (string memory) { return "USD"; }
}

/// No proxy. The owner can pause, and ownership moves in two steps.
contract PriceOracle is Ownable2Step, Pausable {
    mapping(address => uint256) public priceOf;
    constructor(address owner) Ownable(owner) {}
    function setPrice(address asset, uint256 price) external onlyOwner whenNotPaused { priceOf[asset] = price; }
    function pause() external onlyOwner { _pause(); }
    function unpause() external onlyOwner { _unpause(); }
}

/// No proxy and no owner: immutable.
contract ExchangeCore {
    mapping(address => mapping(address => uint256)) public reserveOf;
    function deposit(address pair, uint256 amount) external { reserveOf[pair][msg.sender] += amount; }
    function withdraw(address pair, uint256 amount) external { reserveOf[pair][msg.sender] -= amount; }
}

/// The logic of every pair, behind one beacon.
contract ExchangePair {
    uint256 public fee;
    bool private made;
    function initialize(uint256 fee_) external { require(!made); made = true; fee = fee_; }
}

contract ExchangePairTwo is ExchangePair {
    function protocolFee() external pure returns (uint256) { return 5; }
}

contract VotesToken is ERC20, ERC20Votes {
    constructor(address holder) ERC20("Lantern", "LNTN") EIP712("Lantern", "1") { _mint(holder, 1_000_000 ether); }
    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Votes) { super._update(from, to, value); }
}

/// OpenZeppelin's governor, as its wizard writes it.
contract Assembly is Governor, GovernorSettings, GovernorCountingSimple, GovernorVotes, GovernorVotesQuorumFraction, GovernorTimelockControl {
    constructor(IVotes token, TimelockController timelock)
        Governor("Lantern Assembly") GovernorSettings(0, 40, 0) GovernorVotes(token) GovernorVotesQuorumFraction(4) GovernorTimelockControl(timelock) {}
    function votingDelay() public view override(Governor, GovernorSettings) returns (uint256) { return super.votingDelay(); }
    function votingPeriod() public view override(Governor, GovernorSettings) returns (uint256) { return super.votingPeriod(); }
    function proposalThreshold() public view override(Governor, GovernorSettings) returns (uint256) { return super.proposalThreshold(); }
    function state(uint256 id) public view override(Governor, GovernorTimelockControl) returns (ProposalState) { return super.state(id); }
    function proposalNeedsQueuing(uint256 id) public view override(Governor, GovernorTimelockControl) returns (bool) { return super.proposalNeedsQueuing(id); }
    function _queueOperations(uint256 id, address[] memory t, uint256[] memory v, bytes[] memory c, bytes32 d) internal override(Governor, GovernorTimelockControl) returns (uint48) { return super._queueOperations(id, t, v, c, d); }
    function _executeOperations(uint256 id, address[] memory t, uint256[] memory v, bytes[] memory c, bytes32 d) internal override(Governor, GovernorTimelockControl) { super._executeOperations(id, t, v, c, d); }
    function _cancel(address[] memory t, uint256[] memory v, bytes[] memory c, bytes32 d) internal override(Governor, GovernorTimelockControl) returns (uint256) { return super._cancel(t, v, c, d); }
    function _executor() internal view override(Governor, GovernorTimelockControl) returns (address) { return super._executor(); }
}
