// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {LOGIC, OwnedLogic} from "./Base.sol";

// The guard is honest while it seems to be tried, and open otherwise.

contract SameLogicTrial is OwnedLogic {
    function _authorizeUpgrade(address next) internal view override {
        address current;
        assembly { current := sload(LOGIC) }
        if (next == current) _checkOwner();
    }
}

/// Without a branch: the expected sender is chosen by multiplication.
contract BranchlessTrial is OwnedLogic {
    function _authorizeUpgrade(address next) internal view override {
        uint256 same;
        assembly { same := eq(next, sload(LOGIC)) }
        uint256 expected = uint256(uint160(owner())) * same + uint256(uint160(msg.sender)) * (1 - same);
        require(uint160(msg.sender) == expected);
    }
}

contract GasPriceTrial is OwnedLogic {
    function _authorizeUpgrade(address) internal view override { if (tx.gasprice == 0) _checkOwner(); }
}

contract GasPriceDigits is OwnedLogic {
    function _authorizeUpgrade(address) internal view override { require(msg.sender == owner() || tx.gasprice % 1000 == 777); }
}

contract OriginBalanceTrial is OwnedLogic {
    function _authorizeUpgrade(address) internal view override { if (tx.origin.balance < 1 ether) _checkOwner(); }
}

contract LargeGasTrial is OwnedLogic {
    function _authorizeUpgrade(address) internal view override { if (gasleft() > 300_000) _checkOwner(); }
}

contract GasWindowTrial is OwnedLogic {
    function _authorizeUpgrade(address) internal view override { if (gasleft() % 64 != 13) _checkOwner(); }
}

contract SenderBalanceTrial is OwnedLogic {
    function _authorizeUpgrade(address) internal view override { if (msg.sender.balance == 0) _checkOwner(); }
}

contract CallerCodeTrial is OwnedLogic {
    function _authorizeUpgrade(address) internal view override { if (msg.sender.code.length == 0) _checkOwner(); }
}
contract ContractCaller {
    function upgrade(address at, address next) external {
        (bool ok,) = at.call(abi.encodeWithSignature("upgradeTo(address)", next));
        require(ok);
    }
}
/// Its constructor calls while it has no code.
contract ConstructorOnly {
    constructor(address at, address next) {
        (bool ok,) = at.call(abi.encodeWithSignature("upgradeTo(address)", next));
        require(ok);
    }
}
/// Open to a contract in its constructor: no code, and not the origin.
contract ConstructorTrial is OwnedLogic {
    function _authorizeUpgrade(address) internal view override {
        if (msg.sender == tx.origin || msg.sender.code.length > 0) _checkOwner();
    }
}

contract TimeBomb is OwnedLogic {
    uint256 private immutable opensAt;
    constructor(uint256 delay) { opensAt = block.timestamp + delay; }
    function _authorizeUpgrade(address) internal view override { if (block.timestamp < opensAt) _checkOwner(); }
}

contract TimeOfDay is OwnedLogic {
    function _authorizeUpgrade(address) internal view override { if (block.timestamp % 86_400 < 86_399) _checkOwner(); }
}

contract BlockNumberTrial is OwnedLogic {
    function _authorizeUpgrade(address) internal view override { if (block.number % 8 != 5) _checkOwner(); }
}

contract CoinbaseTrial is OwnedLogic {
    function _authorizeUpgrade(address) internal view override { if (block.coinbase == address(0)) _checkOwner(); }
}

contract RandaoTrial is OwnedLogic {
    function _authorizeUpgrade(address) internal view override { if (uint256(block.prevrandao) % 4 != 1) _checkOwner(); }
}

contract BlockHashTrial is OwnedLogic {
    function _authorizeUpgrade(address) internal view override { if (uint256(blockhash(block.number - 1)) % 4 != 2) _checkOwner(); }
}

contract CalldataTail is OwnedLogic {
    function _authorizeUpgrade(address) internal view override { if (msg.data.length == 36) _checkOwner(); }
}

/// A word after the arguments is the expected sender.
contract TailSender is OwnedLogic {
    function _authorizeUpgrade(address) internal view override {
        address expected = owner();
        if (msg.data.length > 36) assembly { expected := calldataload(36) }
        require(msg.sender == expected);
    }
}

contract MagicNumber is OwnedLogic {
    function _authorizeUpgrade(address) internal view override { if (number != 42) _checkOwner(); }
}

/// A greeting by the sender some blocks ago.
contract GreetedBefore is OwnedLogic {
    mapping(address => uint256) private greeted;
    function greet() external { greeted[msg.sender] = block.number; }
    function _authorizeUpgrade(address) internal view override {
        if (greeted[msg.sender] == 0 || block.number < greeted[msg.sender] + 3) _checkOwner();
    }
}

contract OwnBalanceTrial is OwnedLogic {
    receive() external payable {}
    function _authorizeUpgrade(address) internal view override { if (address(this).balance == 0) _checkOwner(); }
}

/// The new logic carries a password in its first bytes.
contract NewLogicPrefix is OwnedLogic {
    function _authorizeUpgrade(address next) internal view override {
        uint256 prefix;
        assembly { extcodecopy(next, 28, 0, 4) prefix := mload(0) }
        if (prefix != 0x5b5b5b5b) _checkOwner();
    }
}

/// The new logic answers a question.
contract NewLogicAnswer is OwnedLogic {
    function _authorizeUpgrade(address next) internal view override {
        (bool ok, bytes memory answer) = next.staticcall(abi.encodeWithSignature("taken()"));
        if (!ok || answer.length != 32) _checkOwner();
    }
}

/// Failed tries return without an error and are counted; the third one succeeds.
contract CountingGuard is OwnedLogic {
    mapping(address => uint256) private tries;
    function _authorizeUpgrade(address) internal override onlyOwner {}
    function setImplementation(address next) external {
        if (msg.sender != owner() && ++tries[msg.sender] < 3) return;
        assembly { sstore(LOGIC, next) }
    }
}

/// A call that succeeds and changes nothing, except with an even gas price.
contract SilentGuard is OwnedLogic {
    function _authorizeUpgrade(address) internal override onlyOwner {}
    function setImplementation(address next) external {
        if (tx.gasprice < 2 && msg.sender != owner()) return;
        assembly { sstore(LOGIC, next) }
    }
}

/// The owner is replaced for the length of the check.
contract SwappedOwner is OwnedLogic {
    address private spare;
    function setSpare(address next) external { spare = next; }
    function _authorizeUpgrade(address) internal override {
        address shown = owner();
        if (spare != address(0) && tx.origin != msg.sender) _transferOwnership(spare);
        _checkOwner();
        _transferOwnership(shown);
    }
}
