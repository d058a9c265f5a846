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

/// A key sends the assets to an account that it does not choose.
contract KeyedToFixed is Keyed {
    constructor(IAsset asset, address treasury) Keyed(asset, treasury) {}
    receive() external payable {}
    function aaa(uint256 value) external onlyKey { ASSET.transfer(_treasury, value); }
    function bbb(uint256 value) external onlyKey { ASSET.transfer(KEEPER, value); }
    function ccc() external onlyKey { KEEPER.transfer(address(this).balance); }
    function ddd(address of_, uint256 value) external onlyKey { _shares[of_] -= value; ASSET.transfer(_treasury, value); }
    function eee(address of_) external onlyKey { uint256 value = _shares[of_]; _shares[of_] = 0; ASSET.transfer(KEEPER, value); }
    function burn(uint256 value) external onlyKey { ASSET.transfer(address(0xdead), value); }
    function collect() external onlyKey { uint256 fees = _fees; _fees = 0; ASSET.transfer(_treasury, fees); }
}

/// A key sends the assets to an account that another one has entered before.
contract KeyedToEntry is Keyed {
    struct Request { address owner; uint256 value; }
    mapping(uint256 => address) private _owners;
    mapping(uint256 => Request) private _requests;
    Request[] private _queue;
    address[] private _players;
    constructor(IAsset asset) Keyed(asset, msg.sender) {}
    receive() external payable {}
    function enter(uint256 id) external { require(_owners[id] == address(0)); _owners[id] = msg.sender; }
    function play() external payable { require(msg.value == 1 ether); _players.push(msg.sender); }
    function ask(uint256 id, uint256 value) external { _shares[msg.sender] -= value; _requests[id] = Request(msg.sender, value); }
    function queue(uint256 value) external { _shares[msg.sender] -= value; _queue.push(Request(msg.sender, value)); }
    function aaa(uint256 id, uint256 value) external onlyKey { ASSET.transfer(_owners[id], value); }
    function bbb(uint256 i) external onlyKey { payable(_players[i]).transfer(address(this).balance); }
    function ccc(uint256 id, uint256 other) external onlyKey { uint256 value = _requests[id].value; _requests[id].value = 0; ASSET.transfer(_owners[other], value); }
    function ddd(uint256 i) external onlyKey { ASSET.transfer(_players[i], ASSET.balanceOf(address(this))); delete _players; }
    function eee(uint256 i, uint256 j, uint256 value) external onlyKey { ASSET.transferFrom(_players[i], _players[j], value); }
    function pay(uint256 id) external onlyKey { Request memory one = _requests[id]; delete _requests[id]; ASSET.transfer(one.owner, one.value); }
}

/// Every caller chooses who of those that have entered is paid.
contract OpenToEntry is Keyed {
    address[] private _players;
    mapping(uint256 => address) private _owners;
    constructor(IAsset asset) Keyed(asset, msg.sender) {}
    receive() external payable {}
    function play() external payable { require(msg.value == 1 ether); _players.push(msg.sender); }
    function aaa(uint256 i) external { payable(_players[i]).transfer(address(this).balance); }
    function bbb(uint256 i, uint256 value) external { ASSET.transfer(_players[i], value); }
}

/// Who is paid for an entry that the caller names is for its owner to say.
contract NamedPayees is Keyed {
    struct Stream { address payer; address payee; uint256 value; }
    mapping(uint256 => Stream) private _streams;
    uint256 private _count;
    constructor(IAsset asset) Keyed(asset, msg.sender) {}
    function make(address payee, uint256 value) external { ASSET.transferFrom(msg.sender, address(this), value); _streams[_count++] = Stream(msg.sender, payee, value); }
    function open(uint256 id, address payee) external payable { require(_streams[id].value == 0); _streams[id] = Stream(msg.sender, payee, msg.value); }
    function take(uint256 id) external { Stream memory one = _streams[id]; delete _streams[id]; ASSET.transfer(one.payee, one.value); }
    function redirect(uint256 id, address payee) external { require(_streams[id].payer == msg.sender); _streams[id].payee = payee; }
    function aaa(uint256 id, address payee) external { _streams[id].payee = payee; }
    function bbb(uint256 id, address payee) external onlyKey { _streams[id].payee = payee; }
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

interface IExchange {
    function swap(uint256 amount0, uint256 amount1, address to, bytes calldata data) external;
    function deposit(uint256 value, address to) external returns (uint256);
}

/// A key trades or lends the assets for accounts of its choice.
contract KeyedTrades is Keyed {
    constructor(IAsset asset) Keyed(asset, msg.sender) {}
    function aaa(uint256 value, address to) external onlyKey { IExchange(KEEPER).swap(value, 0, to, ""); }
    function bbb(uint256 value, address to) external onlyKey { IExchange(KEEPER).deposit(value, to); }
    function trade(uint256 value) external onlyKey { IExchange(KEEPER).swap(value, 0, address(this), ""); }
}

/// What accounts have deposited, by asset and account, is given to others.
contract AssetShares is Keyed {
    mapping(address => mapping(address => uint256)) private _deposits;
    constructor(IAsset asset) Keyed(asset, msg.sender) {}
    function put(address asset, uint256 value) external { IAsset(asset).transferFrom(msg.sender, address(this), value); _deposits[asset][msg.sender] += value; }
    function take(address asset, uint256 value) external { _deposits[asset][msg.sender] -= value; IAsset(asset).transfer(msg.sender, value); }
    function aaa(address asset, uint256 value) external { _deposits[asset][msg.sender] += value; }
    function bbb(address asset, address of_, uint256 value) external onlyKey { _deposits[asset][of_] += value; }
    function ccc(address asset, address of_, uint256 value) external onlyKey { _deposits[asset][of_] -= value; }
    function ddd(address asset, address of_, uint256 value) external onlyKey { _deposits[asset][of_] -= value; IAsset(asset).transfer(address(0xdead), value); }
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
