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
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
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

// Fixed code, of which each gives its owner one power.

/// A token. One account can mint.
contract MintedToken is ERC20 {
    address public minter;
    constructor(address minter_) ERC20("Juniper", "JNPR") { minter = minter_; }
    function mint(address to, uint256 amount) external { require(msg.sender == minter, "not the minter"); _mint(to, amount); }
}

/// The owner makes the treasury call any contract.
contract OwnedTreasury is Ownable {
    constructor(address owner) Ownable(owner) {}
    receive() external payable {}
    function execute(address target, uint256 value, bytes calldata data) external onlyOwner returns (bytes memory) {
        (bool isDone, bytes memory result) = target.call{value: value}(data);
        require(isDone, "the call failed");
        return result;
    }
}

/// The owner can send staked tokens to any account.
contract StakingPool is Ownable {
    IERC20 public immutable token;
    mapping(address => uint256) public stakeOf;
    constructor(IERC20 token_, address owner) Ownable(owner) { token = token_; }
    function stake(uint256 amount) external { stakeOf[msg.sender] += amount; token.transferFrom(msg.sender, address(this), amount); }
    function unstake(uint256 amount) external { stakeOf[msg.sender] -= amount; token.transfer(msg.sender, amount); }
    function rescueTokens(address asset, address to, uint256 amount) external onlyOwner { IERC20(asset).transfer(to, amount); }
}

/// The owner sets which contract of another chain is believed.
contract MessageReceiver is Ownable {
    event PeerSet(uint32 eid, bytes32 peer);
    event Received(uint32 eid, bytes message);
    mapping(uint32 => bytes32) public peers;
    address public immutable endpoint;
    constructor(address endpoint_, address owner) Ownable(owner) { endpoint = endpoint_; }
    function setPeer(uint32 eid, bytes32 peer) external onlyOwner { peers[eid] = peer; emit PeerSet(eid, peer); }
    function receiveMessage(uint32 eid, bytes32 sender, bytes calldata message) external {
        require(msg.sender == endpoint && peers[eid] == sender, "not the peer");
        emit Received(eid, message);
    }
}

interface IVault { function deposit(address account, uint256 amount) external; }

/// The owner replaces the vault that deposits go to.
contract DepositRouter is Ownable {
    IVault public vault;
    constructor(IVault vault_, address owner) Ownable(owner) { vault = vault_; }
    function setVault(IVault next) external onlyOwner { vault = next; }
    function deposit(uint256 amount) external { vault.deposit(msg.sender, amount); }
}

/// One account sets the fee of every order, and passes that right on without an event.
contract OrderBook {
    uint256 public fee;
    address public feeSetter;
    mapping(address => uint256) public creditOf;
    constructor(address feeSetter_) { feeSetter = feeSetter_; fee = 30; }
    function setFee(uint256 next) external { require(msg.sender == feeSetter, "not the fee setter"); fee = next; }
    function setFeeSetter(address next) external { require(msg.sender == feeSetter, "not the fee setter"); feeSetter = next; }
    function order(uint256 amount) external { creditOf[msg.sender] += amount - amount * fee / 10_000; }
}
