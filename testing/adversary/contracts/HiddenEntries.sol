// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {OwnedLogic} from "./Base.sol";
import {Ballots, Weights} from "./Ballots.sol";

/// Code that a Safe runs once: it stores what no owner did, with the events of it.
contract LoudEntries {
    event ApproveHash(bytes32 indexed approvedHash, address indexed owner);
    event SignMsg(bytes32 indexed msgHash);
    function loudApproval(address[] calldata owners, bytes32 hash) external {
        for (uint256 i; i < owners.length; ++i) {
            bytes32 slot = keccak256(abi.encode(hash, keccak256(abi.encode(owners[i], uint256(8)))));
            assembly { sstore(slot, 1) }
            emit ApproveHash(hash, owners[i]);
        }
    }
    function loudMessage(bytes32 hash) external {
        bytes32 slot = keccak256(abi.encode(hash, uint256(7)));
        assembly { sstore(slot, 1) }
        emit SignMsg(hash);
    }
}

interface Hashes {
    function getTransactionHash(address, uint256, bytes calldata, uint8, uint256, uint256, uint256, address, address, uint256) external view returns (bytes32);
}

/// Code that the setup of a Safe runs: some owners seem to have approved its first transaction.
contract SetupApprovals is LoudEntries {
    function approveFirst(address[] calldata owners, address to, bytes calldata data) external {
        bytes32 hash = Hashes(address(this)).getTransactionHash(to, 0, data, 0, 0, 0, 0, address(0), address(0), 0);
        for (uint256 i; i < owners.length; ++i) {
            bytes32 slot = keccak256(abi.encode(hash, keccak256(abi.encode(owners[i], uint256(8)))));
            assembly { sstore(slot, 1) }
            emit ApproveHash(hash, owners[i]);
        }
    }
}

/// The votes for one proposal were counted when the contract was created.
contract CountedBallots is Ballots {
    Weights public immutable token;
    constructor(Weights token_, bytes32 id) {
        token = token_;
        counts[id].support = 1e30;
        counts[id].deadline = 1;
        counts[id].isProposed = true;
    }
    function vote(bytes32 id, bool support) external { _count(id, support, token.getPastVotes(msg.sender, counts[id].start)); }
}

/// A teller set the votes for one proposal and left.
contract FormerTellerBallots is Ballots {
    Weights public immutable token;
    address private teller = msg.sender;
    constructor(Weights token_) { token = token_; }
    function tell(bytes32 id) external {
        require(msg.sender == teller);
        counts[id].support = 1e30;
        counts[id].deadline = 1;
        counts[id].isProposed = true;
    }
    function leave() external { require(msg.sender == teller); teller = address(0); }
    function vote(bytes32 id, bool support) external { _count(id, support, token.getPastVotes(msg.sender, counts[id].start)); }
}

/// A table of keepers in which the position is hashed before the key, as Vyper does.
contract VyperOrderLogic is OwnedLogic {
    function initialize(address owner_, address keeper) external initializer {
        _transferOwnership(owner_);
        bytes32 slot = keccak256(abi.encode(uint256(77), keeper));
        assembly { sstore(slot, 1) }
    }
    function _authorizeUpgrade(address) internal override {
        if (owner() == msg.sender) return;
        bytes32 slot = keccak256(abi.encode(uint256(77), msg.sender));
        uint256 known;
        assembly { known := sload(slot) }
        require(known == 1);
    }
}

/// An open function writes an entry of a table in Vyper's order, and the key is chosen so that it is the owner's table.
contract VyperOrderWriter is OwnedLogic {
    function initialize(address owner_, address) external initializer { _transferOwnership(owner_); }
    function note(uint256 value) external {
        bytes32 slot = keccak256(abi.encode(uint256(78), msg.sender));
        assembly { sstore(slot, value) }
    }
    function _authorizeUpgrade(address) internal override {
        bytes32 slot = keccak256(abi.encode(uint256(78), msg.sender));
        uint256 known;
        assembly { known := sload(slot) }
        require(owner() == msg.sender || known == 7);
    }
}

/// Logic of a clone whose code ends with an address: the account that may replace the helper too.
contract ArgumentLogic {
    address public owner;
    address private helper;
    function initialize(address owner_) external { require(owner == address(0)); owner = owner_; }
    function setHelper(address next) external {
        address argument;
        assembly {
            extcodecopy(address(), 12, 45, 20)
            argument := mload(0)
        }
        require(msg.sender == owner || msg.sender == argument);
        helper = next;
    }
    fallback() external {
        address to = helper;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
}

/// The slot of the pointer is computed from a text that is built in memory.
contract ComputedSlotLogic is OwnedLogic {
    function note(uint256 value) external {
        bytes memory text = new bytes(28);
        bytes memory half = "eip1967.proxy.";
        for (uint256 i; i < 14; ++i) text[i] = half[i];
        half = "implementation";
        for (uint256 i; i < 14; ++i) text[14 + i] = half[i];
        bytes32 slot = bytes32(uint256(keccak256(text)) - 1);
        assembly { sstore(slot, value) }
    }
}

/// The same with arithmetic that a compiler does not fold.
contract ReversedSlotLogic is OwnedLogic {
    function note(uint256 value, uint256 one) external {
        require(one == 1);
        uint256 reversed = 0xbc2b385d50caa320a93537cc76203eca8db92d4928c8670621a3a13ba1940836;
        uint256 slot;
        for (uint256 i; i < 32; ++i) slot = (slot << 8) | ((reversed >> (8 * i)) & 0xff);
        slot = slot * one;
        assembly { sstore(slot, value) }
    }
}
