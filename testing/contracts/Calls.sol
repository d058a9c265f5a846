// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Calls of other contracts whose selector, target or effect the analysis of powers once lost.

interface IToken {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferOwnership(address to) external;
}

interface IMarket {
    function setSupplyCap(address asset, uint256 cap) external;
}

interface IReceiver {
    function onNotice(address from, bytes calldata data) external;
}

library Sweeps {
    function sweep(IToken token, address to, uint256 amount) public {
        token.transfer(to, amount);
    }
}

contract CallingOwner {
    address public owner;
    IMarket public market;
    IToken public token;
    address public treasury;
    mapping(address => address) public receivers;

    struct Terms {
        uint256 cap;
        address receiver;
    }

    Terms public terms;

    modifier onlyOwner() {
        require(msg.sender == owner);
        _;
    }

    /// Every caller may send to the account that the owner chooses.
    function flush() external { token.transfer(treasury, 1e18); }
    function setTreasury(address next) external onlyOwner { treasury = next; }

    /// The data is copied before it is passed.
    function rescue(address token_, address to, uint256 amount) external onlyOwner {
        (bool isDone, ) = token_.call(abi.encodeCall(IToken.transfer, (to, amount)));
        require(isDone);
    }

    /// The same in a loop, in which each round has other pointers.
    function rescueAll(address[] calldata tokens, address to, uint256 amount) external onlyOwner {
        for (uint256 index = 0; index < tokens.length; index++) {
            (bool isDone, ) = tokens[index].call(abi.encodeWithSelector(IToken.transfer.selector, to, amount));
            require(isDone);
        }
    }

    /// The target is chosen, the function is not.
    function notify(address[] calldata targets, bytes calldata data) external onlyOwner {
        for (uint256 index = 0; index < targets.length; index++) IReceiver(targets[index]).onNotice(owner, data);
    }

    function run(address target, bytes calldata data) external onlyOwner {
        (bool isDone, ) = target.call(data);
        require(isDone);
    }

    function setCap(address asset, uint256 cap) external onlyOwner {
        market.setSupplyCap(asset, cap);
    }

    function handOver(address to) external onlyOwner {
        token.transferOwnership(to);
    }

    function setTerms(Terms calldata terms_) external onlyOwner {
        terms = terms_;
    }
}

/// A linked library moves the tokens.
contract LinkedOwner {
    address public owner;

    function sweep(IToken token, address to, uint256 amount) external {
        require(msg.sender == owner);
        Sweeps.sweep(token, to, amount);
    }
}

/// Loops in which each round checks storage again.
contract LoopedChecks {
    address[] public signers;
    mapping(uint256 => address) public entries;
    mapping(uint256 => uint256) public times;
    mapping(uint256 => bool) public done;
    uint256 public fee;

    function settle(uint256[] calldata ids) external {
        for (uint256 index = 0; index < ids.length; index++) {
            uint256 id = ids[index];
            if (entries[id] == address(0)) entries[id] = address(this);
            if (times[id] != 0 && times[id] < block.timestamp) times[id] = block.timestamp;
            if (!done[id]) done[id] = true;
            IReceiver(entries[id]).onNotice(address(this), '');
        }
    }

    /// One of the signers may call.
    function setFee(uint256 fee_) external {
        bool isSigner;
        for (uint256 index = 0; index < signers.length; index++) if (signers[index] == msg.sender) isSigner = true;
        require(isSigner);
        fee = fee_;
    }
}

/// One of the signers may call. Some rounds compare a fixed entry, others one that is counted.
contract SignerFlag {
    address[] public signers;
    uint256 public fee;

    function setFee(uint256 fee_) external {
        bool isSigner;
        for (uint256 index = 0; index < signers.length; index++) if (signers[index] == msg.sender) isSigner = true;
        require(isSigner);
        fee = fee_;
    }
}

/// A function that calls itself twice: the returns double with each call.
contract TwoRecursions {
    address public owner;
    uint256 public fee;
    mapping(uint256 => uint256) public next;

    function setFee(uint256 fee_) external {
        require(msg.sender == owner);
        fee = fee_;
    }

    function walk(uint256 id) public {
        if (next[id] == 0) return;
        _step(next[id]);
        fee += 1;
        _step(next[id] + 1);
    }

    function _step(uint256 id) private {
        if (next[id] == 0) return;
        _step(next[id]);
        next[id] += 1;
        _step(next[id] + 1);
        next[id] += 2;
        _step(next[id] + 2);
    }
}
