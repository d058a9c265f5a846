// Needs a new EVM.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Governor} from "@openzeppelin/contracts/governance/Governor.sol";
import {GovernorCountingSimple} from "@openzeppelin/contracts/governance/extensions/GovernorCountingSimple.sol";
import {GovernorTimelockControl} from "@openzeppelin/contracts/governance/extensions/GovernorTimelockControl.sol";
import {GovernorVotes} from "@openzeppelin/contracts/governance/extensions/GovernorVotes.sol";
import {IVotes} from "@openzeppelin/contracts/governance/utils/IVotes.sol";
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Votes} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Votes.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";

/// One account mints as many votes as it likes.
contract MintedVotes is ERC20Votes {
    address private immutable minter;
    constructor(address minter_) ERC20("Votes", "VOTE") EIP712("Votes", "1") { minter = minter_; }
    function mint(uint256 amount) external { require(msg.sender == minter); _mint(msg.sender, amount); }
}

contract TokenGovernor is Governor, GovernorCountingSimple, GovernorVotes, GovernorTimelockControl {
    constructor(IVotes token, TimelockController lock) Governor("Governor") GovernorVotes(token) GovernorTimelockControl(lock) {}
    function votingDelay() public pure override returns (uint256) { return 10; }
    function votingPeriod() public pure override returns (uint256) { return 100; }
    function quorum(uint256) public pure override returns (uint256) { return 1e18; }
    function state(uint256 id) public view virtual override(Governor, GovernorTimelockControl) returns (ProposalState) { return super.state(id); }
    function proposalNeedsQueuing(uint256 id) public view override(Governor, GovernorTimelockControl) returns (bool) { return super.proposalNeedsQueuing(id); }
    function _queueOperations(uint256 id, address[] memory t, uint256[] memory v, bytes[] memory c, bytes32 d) internal override(Governor, GovernorTimelockControl) returns (uint48) { return super._queueOperations(id, t, v, c, d); }
    function _executeOperations(uint256 id, address[] memory t, uint256[] memory v, bytes[] memory c, bytes32 d) internal override(Governor, GovernorTimelockControl) { super._executeOperations(id, t, v, c, d); }
    function _cancel(address[] memory t, uint256[] memory v, bytes[] memory c, bytes32 d) internal override(Governor, GovernorTimelockControl) returns (uint256) { return super._cancel(t, v, c, d); }
    function _executor() internal view override(Governor, GovernorTimelockControl) returns (address) { return super._executor(); }
}

/// No account mints votes: all are given at the start.
contract GivenVotes is ERC20Votes {
    constructor() ERC20("Votes", "VOTE") EIP712("Votes", "1") { _mint(msg.sender, 1e24); }
}

/// The number of a proposal leaves out the data of its calls.
contract DatalessGovernor is TokenGovernor {
    constructor(IVotes token, TimelockController lock) TokenGovernor(token, lock) {}
    function hashProposal(address[] memory t, uint256[] memory v, bytes[] memory, bytes32 d) public pure override returns (uint256) { return uint256(keccak256(abi.encode(t, v, d))); }
}

/// A proposal that was voted down counts as passed.
contract MildGovernor is TokenGovernor {
    constructor(IVotes token, TimelockController lock) TokenGovernor(token, lock) {}
    function state(uint256 id) public view override returns (ProposalState) {
        ProposalState found = super.state(id);
        return found == ProposalState.Defeated ? ProposalState.Succeeded : found;
    }
}

/// The number of a proposal leaves out data of more than a hundred bytes.
contract ShortDataGovernor is TokenGovernor {
    constructor(IVotes token, TimelockController lock) TokenGovernor(token, lock) {}
    function hashProposal(address[] memory t, uint256[] memory v, bytes[] memory c, bytes32 d) public pure override returns (uint256) {
        bytes[] memory covered = new bytes[](c.length);
        for (uint256 i; i < c.length; ++i) if (c[i].length <= 100) covered[i] = c[i];
        return uint256(keccak256(abi.encode(t, v, covered, d)));
    }
}
