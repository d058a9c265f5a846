// Needs a new EVM.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Governor} from "@openzeppelin/contracts/governance/Governor.sol";
import {GovernorCountingSimple} from "@openzeppelin/contracts/governance/extensions/GovernorCountingSimple.sol";
import {GovernorTimelockControl} from "@openzeppelin/contracts/governance/extensions/GovernorTimelockControl.sol";
import {GovernorVotes} from "@openzeppelin/contracts/governance/extensions/GovernorVotes.sol";
import {GovernorVotesQuorumFraction} from "@openzeppelin/contracts/governance/extensions/GovernorVotesQuorumFraction.sol";
import {IVotes} from "@openzeppelin/contracts/governance/utils/IVotes.sol";
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";

/// The quorum is a fraction of the supply, which a search over checkpoints finds.
contract FractionGovernor is Governor, GovernorCountingSimple, GovernorVotes, GovernorVotesQuorumFraction, GovernorTimelockControl {
    constructor(IVotes token, TimelockController lock) Governor("Governor") GovernorVotes(token) GovernorVotesQuorumFraction(4) GovernorTimelockControl(lock) {}
    function votingDelay() public pure override returns (uint256) { return 10; }
    function votingPeriod() public pure override returns (uint256) { return 100; }
    function state(uint256 id) public view override(Governor, GovernorTimelockControl) returns (ProposalState) { return super.state(id); }
    function proposalNeedsQueuing(uint256 id) public view override(Governor, GovernorTimelockControl) returns (bool) { return super.proposalNeedsQueuing(id); }
    function _queueOperations(uint256 id, address[] memory t, uint256[] memory v, bytes[] memory c, bytes32 d) internal override(Governor, GovernorTimelockControl) returns (uint48) { return super._queueOperations(id, t, v, c, d); }
    function _executeOperations(uint256 id, address[] memory t, uint256[] memory v, bytes[] memory c, bytes32 d) internal override(Governor, GovernorTimelockControl) { super._executeOperations(id, t, v, c, d); }
    function _cancel(address[] memory t, uint256[] memory v, bytes[] memory c, bytes32 d) internal override(Governor, GovernorTimelockControl) returns (uint256) { return super._cancel(t, v, c, d); }
    function _executor() internal view override(Governor, GovernorTimelockControl) returns (address) { return super._executor(); }
}

/// The number of a proposal leaves out the data of its calls.
contract DatalessFractionGovernor is FractionGovernor {
    constructor(IVotes token, TimelockController lock) FractionGovernor(token, lock) {}
    function hashProposal(address[] memory t, uint256[] memory v, bytes[] memory, bytes32 d) public pure override returns (uint256) { return uint256(keccak256(abi.encode(t, v, d))); }
}

/// The number of a proposal leaves out the contracts that it calls.
contract TargetlessFractionGovernor is FractionGovernor {
    constructor(IVotes token, TimelockController lock) FractionGovernor(token, lock) {}
    function hashProposal(address[] memory, uint256[] memory v, bytes[] memory c, bytes32 d) public pure override returns (uint256) { return uint256(keccak256(abi.encode(v, c, d))); }
}
