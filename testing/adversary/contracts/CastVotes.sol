// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Ballots, Weights} from "./Ballots.sol";

interface Accepting { function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4); }

/// Counts the votes of an account that need not be the caller.
abstract contract CastBallots is Ballots {
    Weights public immutable token;
    address internal immutable key;
    constructor(Weights token_, address key_) { token = token_; key = key_; }
    function vote(bytes32 id, bool support) external { _cast(id, support, msg.sender); }
    function _cast(bytes32 id, bool support, address voter) internal {
        Count storage count = counts[id];
        require(block.timestamp <= count.deadline);
        require(!hasVoted[id][voter]);
        hasVoted[id][voter] = true;
        uint256 weight = token.getPastVotes(voter, count.start);
        if (support) count.support += weight; else count.against += weight;
    }
    function _digest(bytes32 id, bool support) internal view returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", keccak256(abi.encode(address(this))), keccak256(abi.encode(id, support))));
    }
}

/// The account of a signature votes.
contract SignedBallots is CastBallots {
    constructor(Weights t, address k) CastBallots(t, k) {}
    function voteBySig(bytes32 id, bool support, uint8 v, bytes32 r, bytes32 s) external {
        address voter = ecrecover(_digest(id, support), v, r, s);
        require(voter != address(0));
        _cast(id, support, voter);
    }
}
/// The caller names the account that signed.
contract NamedBallots is CastBallots {
    constructor(Weights t, address k) CastBallots(t, k) {}
    function voteFor(bytes32 id, bool support, address voter, uint8 v, bytes32 r, bytes32 s) external {
        require(voter != address(0) && voter == ecrecover(_digest(id, support), v, r, s));
        _cast(id, support, voter);
    }
}
/// The caller votes itself, or passes the signature of another account.
contract EitherBallots is CastBallots {
    constructor(Weights t, address k) CastBallots(t, k) {}
    function voteFor(bytes32 id, bool support, address voter, uint8 v, bytes32 r, bytes32 s) external {
        if (voter != msg.sender) require(voter != address(0) && voter == ecrecover(_digest(id, support), v, r, s));
        _cast(id, support, voter);
    }
}

/// One account needs no signature.
contract KeyCastsBallots is CastBallots {
    constructor(Weights t, address k) CastBallots(t, k) {}
    function voteFor(bytes32 id, bool support, address voter, uint8 v, bytes32 r, bytes32 s) external {
        require(msg.sender == key || (voter != address(0) && voter == ecrecover(_digest(id, support), v, r, s)));
        _cast(id, support, voter);
    }
}
/// A signature of one account counts for every other.
contract KeySignsBallots is CastBallots {
    constructor(Weights t, address k) CastBallots(t, k) {}
    function voteFor(bytes32 id, bool support, address voter, uint8 v, bytes32 r, bytes32 s) external {
        address signer = ecrecover(_digest(id, support), v, r, s);
        require(signer != address(0) && (signer == voter || signer == key));
        _cast(id, support, voter);
    }
}
/// Every valid signature counts for every account.
contract AnySignerBallots is CastBallots {
    constructor(Weights t, address k) CastBallots(t, k) {}
    function voteFor(bytes32 id, bool support, address voter, uint8 v, bytes32 r, bytes32 s) external {
        require(ecrecover(_digest(id, support), v, r, s) != address(0));
        _cast(id, support, voter);
    }
}
/// The signature is not one of the vote.
contract GreetingBallots is CastBallots {
    constructor(Weights t, address k) CastBallots(t, k) {}
    function voteFor(bytes32 id, bool support, address voter, uint8 v, bytes32 r, bytes32 s) external {
        require(voter != address(0) && voter == ecrecover(keccak256(abi.encode(voter)), v, r, s));
        _cast(id, support, voter);
    }
}
/// The signature is one of the proposal, and the caller chooses what it is counted for.
contract ChoiceBallots is CastBallots {
    constructor(Weights t, address k) CastBallots(t, k) {}
    function voteFor(bytes32 id, bool support, address voter, uint8 v, bytes32 r, bytes32 s) external {
        require(voter != address(0) && voter == ecrecover(keccak256(abi.encode(id)), v, r, s));
        _cast(id, support, voter);
    }
}
/// The caller chooses what a vote is counted for by another argument than the one that was signed.
contract FlaggedBallots is CastBallots {
    constructor(Weights t, address k) CastBallots(t, k) {}
    function voteFor(bytes32 id, bool flag, address voter, bool support, uint8 v, bytes32 r, bytes32 s) external {
        require(voter != address(0) && voter == ecrecover(_digest(id, support), v, r, s));
        bool counted = support;
        if (flag) counted = true;
        _cast(id, counted, voter);
    }
}
/// The caller passes what was signed, which is no hash of a vote.
contract DigestBallots is CastBallots {
    constructor(Weights t, address k) CastBallots(t, k) {}
    function voteFor(bytes32 id, bool support, address voter, bytes32 digest, uint8 v, bytes32 r, bytes32 s) external {
        require(voter != address(0) && voter == ecrecover(digest, v, r, s));
        _cast(id, support, voter);
    }
}
/// One account says who signs for whom.
contract SignerTableBallots is CastBallots {
    mapping(address => address) public signerOf;
    constructor(Weights t, address k) CastBallots(t, k) {}
    function setSigner(address voter, address signer) external { require(msg.sender == key); signerOf[voter] = signer; }
    function voteFor(bytes32 id, bool support, address voter, uint8 v, bytes32 r, bytes32 s) external {
        address signer = ecrecover(_digest(id, support), v, r, s);
        require(signer != address(0) && (signer == voter || signerOf[voter] == signer));
        _cast(id, support, voter);
    }
}
/// One account says who votes for whom.
contract AgentBallots is CastBallots {
    mapping(address => address) public agentOf;
    constructor(Weights t, address k) CastBallots(t, k) {}
    function setAgent(address voter, address agent) external { require(msg.sender == key); agentOf[voter] = agent; }
    function voteFor(bytes32 id, bool support, address voter) external {
        require(msg.sender == voter || agentOf[voter] == msg.sender);
        _cast(id, support, voter);
    }
}
/// A contract that one account controls says which signatures are valid.
contract OtherJudgeBallots is CastBallots {
    constructor(Weights t, address k) CastBallots(t, k) {}
    function voteFor(bytes32 id, bool support, address voter, address judge, bytes calldata signature) external {
        require(judge == voter || judge.code.length > 0);
        require(Accepting(judge).isValidSignature(_digest(id, support), signature) == 0x1626ba7e);
        _cast(id, support, voter);
    }
}
/// An account that answers nothing has accepted the signature.
contract SilentBallots is CastBallots {
    constructor(Weights t, address k) CastBallots(t, k) {}
    function voteFor(bytes32 id, bool support, address voter) external {
        bytes32 digest = _digest(id, support);
        bool isAccepted;
        assembly {
            let at := mload(0x40)
            mstore(at, 0x1626ba7e00000000000000000000000000000000000000000000000000000000)
            mstore(add(at, 4), digest)
            mstore(add(at, 0x24), 0x40)
            mstore(add(at, 0x44), 0)
            mstore(0, 0x1626ba7e00000000000000000000000000000000000000000000000000000000)
            isAccepted := staticcall(gas(), voter, at, 0x64, 0, 0x20)
            isAccepted := and(isAccepted, eq(mload(0), 0x1626ba7e00000000000000000000000000000000000000000000000000000000))
        }
        require(isAccepted);
        _cast(id, support, voter);
    }
}
/// A contract accepts the signature with a whole word.
contract AnsweredBallots is CastBallots {
    constructor(Weights t, address k) CastBallots(t, k) {}
    function voteFor(bytes32 id, bool support, address voter) external {
        bytes32 digest = _digest(id, support);
        bool isAccepted;
        assembly {
            let at := mload(0x40)
            mstore(at, 0x1626ba7e00000000000000000000000000000000000000000000000000000000)
            mstore(add(at, 4), digest)
            mstore(add(at, 0x24), 0x40)
            mstore(add(at, 0x44), 0)
            isAccepted := staticcall(gas(), voter, at, 0x64, 0, 0x20)
            isAccepted := and(isAccepted, and(gt(returndatasize(), 0x1f), eq(mload(0), 0x1626ba7e00000000000000000000000000000000000000000000000000000000)))
        }
        require(isAccepted);
        _cast(id, support, voter);
    }
}
/// The caller says what the account is asked.
contract AskedBallots is CastBallots {
    constructor(Weights t, address k) CastBallots(t, k) {}
    function voteFor(bytes32 id, bool support, address voter, bytes32 digest) external {
        bool isAccepted;
        assembly {
            let at := mload(0x40)
            mstore(at, 0x1626ba7e00000000000000000000000000000000000000000000000000000000)
            mstore(add(at, 4), digest)
            mstore(add(at, 0x24), 0x40)
            mstore(add(at, 0x44), 0)
            isAccepted := staticcall(gas(), voter, at, 0x64, 0, 0x20)
            isAccepted := and(isAccepted, and(gt(returndatasize(), 0x1f), eq(mload(0), 0x1626ba7e00000000000000000000000000000000000000000000000000000000)))
        }
        require(isAccepted);
        _cast(id, support, voter);
    }
}
/// A contract that holds votes, and has signed a greeting.
contract Greeter {
    bytes32 private constant GREETING = keccak256("hello");
    function take(address token) external { (bool ok, ) = token.call(abi.encodeWithSignature("delegate(address)", address(this))); require(ok); }
    function isValidSignature(bytes32 digest, bytes calldata) external pure returns (bytes4) { return digest == GREETING ? bytes4(0x1626ba7e) : bytes4(0); }
}
/// Accepts every signature.
contract Yes {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) { return 0x1626ba7e; }
}
/// One account says for whom it calls, as a forwarder of calls does (ERC-2771).
contract ForwardedBallots is CastBallots {
    constructor(Weights t, address k) CastBallots(t, k) {}
    function voteFor(bytes32 id, bool support) external {
        address voter = msg.sender;
        if (msg.sender == key && msg.data.length >= 88) voter = address(bytes20(msg.data[msg.data.length - 20:]));
        _cast(id, support, voter);
    }
}
/// The signature is checked where there is one.
contract OptionalBallots is CastBallots {
    constructor(Weights t, address k) CastBallots(t, k) {}
    function voteFor(bytes32 id, bool support, address voter, uint8 v, bytes32 r, bytes32 s) external {
        if (v != 0) require(voter != address(0) && voter == ecrecover(_digest(id, support), v, r, s));
        _cast(id, support, voter);
    }
}
/// Only the first of several accounts has signed.
contract ManyBallots is CastBallots {
    constructor(Weights t, address k) CastBallots(t, k) {}
    function voteFor(bytes32 id, bool support, address[] calldata voters, uint8 v, bytes32 r, bytes32 s) external {
        for (uint256 n = 0; n < voters.length; n++) {
            if (n == 0) require(voters[n] != address(0) && voters[n] == ecrecover(_digest(id, support), v, r, s));
            _cast(id, support, voters[n]);
        }
    }
}
/// The account is compared before it is replaced.
contract ReplacedBallots is CastBallots {
    constructor(Weights t, address k) CastBallots(t, k) {}
    function voteFor(bytes32 id, bool support, address voter, address other, uint8 v, bytes32 r, bytes32 s) external {
        require(voter != address(0) && voter == ecrecover(_digest(id, support), v, r, s));
        if (other != address(0)) voter = other;
        _cast(id, support, voter);
    }
}
/// An account that the caller passes counts as another one with other upper bits.
contract WideBallots is CastBallots {
    mapping(bytes32 => mapping(uint256 => bool)) internal isCounted;
    constructor(Weights t, address k) CastBallots(t, k) {}
    function voteFor(bytes32 id, bool support, uint256 voter, uint8 v, bytes32 r, bytes32 s) external {
        address signer = ecrecover(_digest(id, support), v, r, s);
        require(signer != address(0) && address(uint160(voter)) == signer);
        Count storage count = counts[id];
        require(block.timestamp <= count.deadline);
        require(!isCounted[id][voter]);
        isCounted[id][voter] = true;
        uint256 weight = token.getPastVotes(address(uint160(voter)), count.start);
        if (support) count.support += weight; else count.against += weight;
    }
}
/// Every caller records that another account has voted.
contract MarkedBallots is CastBallots {
    constructor(Weights t, address k) CastBallots(t, k) {}
    function mark(bytes32 id, address voter) external { hasVoted[id][voter] = true; }
}
/// The second of two signatures may be one of a key.
contract SecondSignerBallots is CastBallots {
    constructor(Weights t, address k) CastBallots(t, k) {}
    function voteFor(bytes32 id, bool support, address voter, uint8[2] calldata v, bytes32[2] calldata r, bytes32[2] calldata s) external {
        address first = ecrecover(_digest(id, support), v[0], r[0], s[0]);
        address second = ecrecover(_digest(id, support), v[1], r[1], s[1]);
        require(first != address(0) && second != address(0) && (first == voter || second == key));
        _cast(id, support, voter);
    }
}
