// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Fallback functions that answer what other code says, without a delegatecall and without passing the input on as it is.

/// Any account replaces the other code.
abstract contract Settable {
    address internal target;
    constructor(address first) { target = first; }
    function set(address next) external { target = next; }
}

/// Runs other code as that of a contract that it creates, which answers by a revert.
abstract contract Creating {
    function _answer(bytes memory program) internal {
        assembly {
            pop(create(0, add(program, 32), mload(program)))
            returndatacopy(0, 0, returndatasize())
            return(0, returndatasize())
        }
    }
}

/// No function at all: input of twenty bytes names the other code.
contract CreatedAnswers is Creating {
    address private program;
    constructor(address first) { program = first; }
    fallback() external payable {
        if (msg.data.length == 20) program = address(bytes20(msg.data));
        else _answer(bytes.concat(program.code, msg.data));
    }
}
/// The program is kept in storage, and set by a hidden key.
contract KeptProgram is Creating {
    bytes private program;
    bytes32 private immutable hash;
    constructor(address first, address key) { program = first.code; hash = keccak256(abi.encode(key)); }
    function load(bytes calldata next) external { require(keccak256(abi.encode(msg.sender)) == hash); program = next; }
    fallback() external payable { _answer(bytes.concat(program, msg.data)); }
}

interface IAnswers {
    function handle(address from, bytes calldata input) external returns (bytes memory);
    function answer(bytes32 hash) external returns (bytes32);
}

/// The call is made in a function that the contract calls itself.
contract AsksItself is Settable {
    constructor(address first) Settable(first) {}
    function ask(bytes calldata input) external returns (bytes memory output) {
        require(msg.sender == address(this));
        (, output) = target.call(input);
    }
    fallback(bytes calldata input) external payable returns (bytes memory) { return this.ask(input); }
}
/// The input is an argument, and the answer is decoded.
contract DecodedAnswer is Settable {
    constructor(address first) Settable(first) {}
    fallback(bytes calldata input) external payable returns (bytes memory) { return IAnswers(target).handle(msg.sender, input); }
}
/// Code that does not change makes the call.
contract Runner {
    function run(address to, bytes calldata input) external returns (bytes memory output) { (, output) = to.call(input); }
}
contract RunsElsewhere is Settable {
    Runner private immutable runner = new Runner();
    constructor(address first) Settable(first) {}
    fallback(bytes calldata input) external payable returns (bytes memory) { return runner.run(target, input); }
}
/// The answer depends on the input by its hash only.
contract HashedInput is Settable {
    constructor(address first) Settable(first) {}
    fallback(bytes calldata input) external payable returns (bytes memory) { return abi.encode(IAnswers(target).answer(keccak256(input))); }
}
/// Passes the input on in words, and takes one word of the answer.
contract WordByWord is Settable {
    constructor(address first) Settable(first) {}
    fallback() external payable {
        address to = target;
        assembly {
            for { let at := 0 } lt(at, calldatasize()) { at := add(at, 32) } { mstore(at, calldataload(at)) }
            pop(call(gas(), to, 0, 0, calldatasize(), 0, 32))
            return(0, 32)
        }
    }
}
/// Answers one word to everything, whatever was asked. Looks like a timelock without a delay.
contract OneWord is Settable {
    constructor(address first) Settable(first) {}
    fallback() external payable {
        address to = target;
        assembly { pop(staticcall(gas(), to, 0, 0, 0, 32)) return(0, 32) }
    }
}
/// Answers with the code of another account.
contract CodeAsAnswer is Settable {
    constructor(address first) Settable(first) {}
    fallback(bytes calldata) external payable returns (bytes memory) { return target.code; }
}
/// Answers with the sizes of what it gets, one for each byte.
contract SizesAsAnswer is Settable {
    constructor(address first) Settable(first) {}
    fallback() external payable {
        address to = target;
        assembly {
            for { let at := 0 } lt(at, 32) { at := add(at, 1) } {
                mstore(64, at)
                pop(staticcall(gas(), to, 64, 32, 0, 0))
                mstore8(at, returndatasize())
            }
            return(0, 32)
        }
    }
}
