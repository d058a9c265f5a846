// Needs a new EVM.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Deploys code that it names, always at the same address. Works again after the code destroyed itself (before Cancun).
contract MetamorphicFactory {
    address private immutable key;
    address private code;
    constructor(address key_) { key = key_; }
    function source() external view returns (address) { return code; }
    function make(address code_) external returns (address at) {
        require(msg.sender == key);
        code = code_;
        // Asks its creator for source() and copies that code: CALLER STATICCALL, EXTCODESIZE, EXTCODECOPY, RETURN.
        bytes memory creation = abi.encodePacked(hex"63", this.source.selector, hex"60e01b6000526020600060046000335afa50600051803b8060006000843c6000f3");
        assembly { at := create2(0, add(creation, 32), mload(creation), 0) }
        require(at != address(0));
    }
}
