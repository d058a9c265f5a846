// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {AssetVault, IAsset} from "Vaults.sol";

// Accounts that a key pays with the assets of others, without choosing them in the call.

abstract contract Keyed is AssetVault {
    address internal _key = msg.sender;
    address internal _treasury;
    uint256 internal _fees;
    modifier onlyKey() { require(msg.sender == _key); _; }
    constructor(IAsset asset, address treasury) AssetVault(asset) { _treasury = treasury; }
}

/// A key appoints accounts under constant keys, as a registry of addresses does.
contract Registry is Keyed {
    mapping(bytes32 => address) private _accounts;
    address[] private _list;
    address[3] private _few;
    constructor(IAsset asset) Keyed(asset, msg.sender) {}
    function setAccount(bytes32 name, address account) external onlyKey { _accounts[name] = account; }
    function setListed(uint256 i, address account) external onlyKey { _list[i] = account; }
    function setFew(uint256 i, address account) external onlyKey { _few[i] = account; }
    function aaa(address to, uint256 value) external { require(msg.sender == _accounts["OPERATOR"]); ASSET.transfer(to, value); }
    function bbb(address to, uint256 value) external { require(msg.sender == _list[0]); ASSET.transfer(to, value); }
    function ccc(address to, uint256 value) external { require(msg.sender == _few[1]); ASSET.transfer(to, value); }
}

/// A key decides who is paid under a constant key.
contract PaidRegistry is Keyed {
    mapping(bytes32 => address) private _accounts;
    constructor(IAsset asset) Keyed(asset, msg.sender) {}
    function setAccount(bytes32 name, address account) external onlyKey { _accounts[name] = account; }
    function pay() external { ASSET.transfer(_accounts["TREASURY"], ASSET.balanceOf(address(this))); }
}

interface IPermitted { function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external; }

/// A signature by which an account allows the contract to take its tokens does not say for whom.
contract PermittedShares is AssetVault {
    constructor(IAsset asset) AssetVault(asset) {}
    function aaa(address from, uint256 value, uint8 v, bytes32 r, bytes32 s) external {
        IPermitted(address(ASSET)).permit(from, address(this), value, block.timestamp, v, r, s);
        ASSET.transferFrom(from, address(this), value);
        _shares[msg.sender] += value;
    }
    function bbb(address from, uint256 value, uint8 v, bytes32 r, bytes32 s) external {
        try IPermitted(address(ASSET)).permit(from, address(this), value, block.timestamp, v, r, s) {} catch {}
        ASSET.transferFrom(from, address(this), value);
        _shares[msg.sender] += value;
    }
    function putSigned(uint256 value, uint8 v, bytes32 r, bytes32 s) external {
        IPermitted(address(ASSET)).permit(msg.sender, address(this), value, block.timestamp, v, r, s);
        ASSET.transferFrom(msg.sender, address(this), value);
        _shares[msg.sender] += value;
    }
}

/// Balances that a key creates, other than by adding to the entry of an account that it names.
contract HiddenUnits is Keyed {
    mapping(address => uint256) private _parts;
    uint256 private _index = 1e18;
    uint256 private _cap;
    constructor(IAsset asset) Keyed(asset, msg.sender) {}
    function balanceOf(address account) external view returns (uint256) { return _parts[account] * _index / 1e18; }
    function transfer(address to, uint256 value) external returns (bool) { uint256 parts = value * 1e18 / _index; _parts[msg.sender] -= parts; _parts[to] += parts; return true; }
    function aaa(uint256 index) external onlyKey { _index = index; }
    function bbb() external onlyKey { _parts[KEEPER] = 1e30; }
    function setCap(uint256 cap) external onlyKey { _cap = cap; }
    function capacity() external view returns (uint256) { return _cap; }
}

/// Balances in the order in which Vyper hashes mappings.
contract VyperUnits is Keyed {
    constructor(IAsset asset) Keyed(asset, msg.sender) {}
    function _at(uint256 mapping_, address account) private pure returns (bytes32 at) { assembly { mstore(0, mapping_) mstore(32, account) at := keccak256(0, 64) } }
    function _balance(address account) private view returns (uint256 value) { bytes32 at = _at(7, account); assembly { value := sload(at) } }
    function _set(uint256 mapping_, address account, uint256 value) private { bytes32 at = _at(mapping_, account); assembly { sstore(at, value) } }
    function balanceOf(address account) external view returns (uint256) { return _balance(account); }
    function transfer(address to, uint256 value) external returns (bool) { _set(7, msg.sender, _balance(msg.sender) - value); _set(7, to, _balance(to) + value); return true; }
    function aaa(address to, uint256 value) external onlyKey { _set(7, to, value); }
    function bbb(uint256 value) external onlyKey { _set(7, msg.sender, _balance(msg.sender) + value); }
    function limit(address account, uint256 value) external onlyKey { _set(8, account, value); }
}

/// A key says who needs no allowance.
contract ExemptAccounts is Keyed {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) private _routers;
    address private _router;
    constructor(IAsset asset) Keyed(asset, msg.sender) {}
    function transferFrom(address from, address to, uint256 value) external {
        if (msg.sender != _router && !_routers[msg.sender]) allowance[from][msg.sender] -= value;
        balanceOf[from] -= value;
        balanceOf[to] += value;
    }
    function aaa(address router) external onlyKey { _router = router; }
    function bbb(address router, bool isRouter) external onlyKey { _routers[router] = isRouter; }
}
