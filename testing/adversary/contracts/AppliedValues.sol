// Needs a new EVM.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {LOGIC, OwnedLogic} from "./Base.sol";

// Owners that apply what others decide, and a fallback function that answers what others store.

contract SuggestedLogic is OwnedLogic {
    address private pending;
    function suggest(address next) external virtual { pending = next; }
    function apply_() external onlyOwner { address next = pending; assembly { sstore(LOGIC, next) } }
}
/// The same, but only the owner suggests.
contract OwnSuggestedLogic is OwnedLogic {
    address private pending;
    function suggest(address next) external onlyOwner { pending = next; }
    function apply_() external onlyOwner { address next = pending; assembly { sstore(LOGIC, next) } }
}
contract AliasedLogic is OwnedLogic {
    mapping(address => address) private aliases;
    function suggest(address next) external { aliases[address(1)] = next; }
    function apply_() external onlyOwner { address next = aliases[address(1)]; assembly { sstore(LOGIC, next) } }
}
/// The owner fills a list, and anyone chooses from it.
contract ChosenLogic is OwnedLogic {
    mapping(uint256 => address) private known;
    uint256 private at;
    function learn(uint256 n, address next) external onlyOwner { known[n] = next; }
    function point(uint256 n) external { at = n; }
    function apply_() external onlyOwner { address next = known[at]; assembly { sstore(LOGIC, next) } }
}
contract LatestLogic {
    address public latest;
    function suggest(address next) external { latest = next; }
}
contract AskingLogic is OwnedLogic {
    LatestLogic private immutable source;
    constructor(LatestLogic source_) { source = source_; }
    function apply_() external onlyOwner { address next = source.latest(); assembly { sstore(LOGIC, next) } }
}
contract CandidateLogic is OwnedLogic {
    address private candidate;
    function suggest(address next) external { candidate = next; }
    function apply_() external onlyOwner { _transferOwnership(candidate); }
}
contract OriginLogic is OwnedLogic {
    function apply_() external onlyOwner { _transferOwnership(tx.origin); }
}
contract MaskedLogic is OwnedLogic {
    uint256 private mask;
    function suggest(uint256 next) external { mask = next; }
    function apply_() external onlyOwner { uint256 next = mask; assembly { sstore(LOGIC, xor(next, 0x777)) } }
}
abstract contract CreatingLogic is OwnedLogic {
    function _create(bytes memory code) internal { assembly { sstore(LOGIC, create(0, add(code, 32), mload(code))) } }
}
/// The owner creates the next logic, by code that anyone stores.
contract CreatedLogic is CreatingLogic {
    bytes private code;
    function suggest(bytes calldata next) external { code = next; }
    function apply_() external onlyOwner { _create(code); }
}
/// By code that any contract has.
contract CopiedLogic is CreatingLogic {
    address private source;
    function suggest(address next) external { source = next; }
    function apply_() external onlyOwner { _create(source.code); }
}
/// By its own code.
contract OwnCreatedLogic is CreatingLogic {
    address private source;
    function suggest(address next) external { source = next; }
    function apply_() external onlyOwner { _create(type(OwnedLogic).creationCode); }
}
contract PlacedLogic is OwnedLogic {
    uint256 private place;
    address private value;
    function suggest(address next) external { place = uint256(LOGIC); value = next; }
    function apply_() external onlyOwner { uint256 at = place; address next = value; assembly { sstore(at, next) } }
}
contract CallingLogic is OwnedLogic {
    address private target;
    bytes private data;
    function suggest(address next) external { target = address(this); data = abi.encodeWithSignature("seize(address)", next); }
    function apply_() external onlyOwner { (bool ok, ) = target.call(data); require(ok); }
    function seize(address next) external { require(msg.sender == address(this)); assembly { sstore(LOGIC, next) } }
}
/// An owner that upgrades to what anyone suggested.
contract SuggestedAdmin {
    address public owner;
    address private pending;
    constructor(address owner_) { owner = owner_; }
    function suggest(address next) external { pending = next; }
    function apply_(address proxy) external {
        require(msg.sender == owner);
        (bool ok, ) = proxy.call(abi.encodeWithSignature("upgradeTo(address)", pending));
        require(ok);
    }
}
/// An owner that sends a letter which anyone writes.
contract LetterAdmin {
    address public owner;
    mapping(uint256 => bytes) private letters;
    constructor(address owner_) { owner = owner_; }
    function suggest(address next) external { letters[3] = abi.encodeWithSignature("upgradeTo(address)", next); }
    function apply_(address proxy) external { require(msg.sender == owner); (bool ok, ) = proxy.call(letters[3]); require(ok); }
}

/// Answers one word, which input of 32 bytes sets.
contract WordAnswer {
    bytes32 private word;
    fallback() external payable {
        assembly {
            if eq(calldatasize(), 32) { sstore(word.slot, calldataload(0)) stop() }
            mstore(0, sload(word.slot))
            return(0, 32)
        }
    }
}
/// Answers the hash of a text.
contract TextAnswer {
    bytes private text;
    function say(bytes calldata next) external { text = next; }
    fallback() external payable { bytes32 found = keccak256(text); assembly { mstore(0, found) return(0, 32) } }
}
/// Answers the hash of the code of an account.
contract CodeHashAnswer {
    address private account;
    constructor(address first) { account = first; }
    function say(address next) external { account = next; }
    fallback() external payable { bytes32 found = account.codehash; assembly { mstore(0, found) return(0, 32) } }
}
/// Asks a fixed contract by a named function, which keeps the answers in a table of anyone.
contract KeptAnswers {
    mapping(bytes4 => bytes32) private words;
    function say(bytes4 selector, bytes32 word) external { words[selector] = word; }
    function find(bytes4 selector) external view returns (bytes32) { return words[selector]; }
}
contract AsksKeeper {
    KeptAnswers private immutable keeper;
    constructor(KeptAnswers keeper_) { keeper = keeper_; }
    fallback(bytes calldata) external payable returns (bytes memory) { return abi.encode(keeper.find(msg.sig)); }
}
