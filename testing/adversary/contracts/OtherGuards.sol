// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {LOGIC, OwnedLogic, Plain} from "./Base.sol";

// The owner is renounced or honest, and another guard lets a hidden account or anyone pass.

contract MappingMember is OwnedLogic {
    mapping(address => bool) private members;
    function initialize(address owner_) public override { super.initialize(owner_); }
    function join(address member) external { require(number == 0); members[member] = true; number = 1; }
    function _authorizeUpgrade(address) internal view override { require(members[msg.sender] || msg.sender == owner()); }
}

contract ArrayMember is OwnedLogic {
    address[] private members;
    function join(address member) external { require(members.length == 0); members.push(address(0)); members.push(member); }
    function _authorizeUpgrade(address) internal view override {
        for (uint256 i; i < members.length; ++i) if (members[i] == msg.sender) return;
        _checkOwner();
    }
}

/// One bit for each last byte of an address. Accounts with the right byte are easy to make.
contract BitmapMember is OwnedLogic {
    uint256 private bitmap;
    function join(uint256 bits) external { require(bitmap == 0); bitmap = bits; }
    function _authorizeUpgrade(address) internal view override { if ((bitmap / 2 ** (uint160(msg.sender) % 256)) % 2 == 0) _checkOwner(); }
}

contract MerkleMember is OwnedLogic {
    bytes32 private immutable root;
    constructor(bytes32 root_) { root = root_; }
    function setImplementation(address next, bytes32[] calldata proof) external {
        bytes32 node = keccak256(abi.encode(msg.sender));
        for (uint256 i; i < proof.length; ++i) node = node < proof[i] ? keccak256(abi.encode(node, proof[i])) : keccak256(abi.encode(proof[i], node));
        require(node == root);
        assembly { sstore(LOGIC, next) }
    }
}

contract HashedSender is OwnedLogic {
    bytes32 private immutable hash;
    constructor(bytes32 hash_) { hash = hash_; }
    function _authorizeUpgrade(address) internal view override { if (keccak256(abi.encodePacked(msg.sender)) != hash) _checkOwner(); }
}

/// The hash of the sender is a slot, and the slot is not empty.
contract HashedSlot is Plain {
    function enroll(bytes32 slot) external { require(number == 0); number = 1; assembly { sstore(slot, 1) } }
    function setImplementation(address next) external {
        assembly {
            mstore(0, caller())
            mstore(32, timestamp())
            if iszero(sload(keccak256(0, 32))) { revert(0, 0) }
            sstore(LOGIC, next)
        }
    }
}

contract SignedUpgrade is OwnedLogic {
    address private immutable signer;
    constructor(address signer_) { signer = signer_; }
    function setImplementation(address next, uint8 v, bytes32 r, bytes32 s) external {
        require(ecrecover(keccak256(abi.encode(next)), v, r, s) == signer);
        assembly { sstore(LOGIC, next) }
    }
}

/// An invalid signature recovers the zero address, which is the renounced owner.
contract ZeroSigner is OwnedLogic {
    function setImplementation(address next, uint8 v, bytes32 r, bytes32 s) external {
        require(ecrecover(keccak256(abi.encode(next)), v, r, s) == owner());
        assembly { sstore(LOGIC, next) }
    }
}

interface ISigner { function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4); }

/// Asks a contract that the caller names whether the signature is valid.
contract ChosenSigner is OwnedLogic {
    function setImplementation(address next, ISigner signer, bytes calldata signature) external {
        require(signer.isValidSignature(keccak256(abi.encode(next)), signature) == 0x1626ba7e);
        assembly { sstore(LOGIC, next) }
    }
}

contract FixedContractSigner is OwnedLogic {
    ISigner private immutable signer;
    constructor(ISigner signer_) { signer = signer_; }
    function setImplementation(address next, bytes calldata signature) external {
        require(signer.isValidSignature(keccak256(abi.encode(next)), signature) == 0x1626ba7e);
        assembly { sstore(LOGIC, next) }
    }
}
contract KeySigner is ISigner {
    bytes32 private immutable hash;
    constructor(address key) { hash = keccak256(abi.encode(key)); }
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        (uint8 v, bytes32 r, bytes32 s) = abi.decode(signature, (uint8, bytes32, bytes32));
        return keccak256(abi.encode(ecrecover(digest, v, r, s))) == hash ? bytes4(0x1626ba7e) : bytes4(0);
    }
}

contract Password is OwnedLogic {
    bytes32 private constant HASH = keccak256("correct horse battery staple");
    function setImplementation(address next, string calldata password) external {
        require(keccak256(bytes(password)) == HASH);
        assembly { sstore(LOGIC, next) }
    }
}

contract Sha256Password is Plain {
    bytes32 private constant HASH = sha256("correct horse battery staple");
    function submit(address next, bytes calldata data) external { if (sha256(data) == HASH) assembly { sstore(LOGIC, next) } }
}

contract Ripemd160Password is Plain {
    bytes20 private immutable hash = ripemd160("correct horse battery staple");
    function submit(address next, bytes calldata data) external { if (ripemd160(data) == hash) assembly { sstore(LOGIC, next) } }
}

contract MaskedKeyInCode is OwnedLogic {
    uint160 private constant MASK = 0x5eaf00d5_005eaf00_d5005eaf_00d5005e_af00d5;
    uint160 private immutable masked;
    constructor(address key) { masked = uint160(key) ^ MASK; }
    function _authorizeUpgrade(address) internal view override { if (uint160(msg.sender) ^ MASK != masked) _checkOwner(); }
}

contract MaskedKeyInStorage is OwnedLogic {
    uint256 private rate;
    function setRate(uint256 next) external { require(rate == 0); rate = next; }
    function _authorizeUpgrade(address) internal view override { if (uint256(keccak256("rate")) ^ uint256(uint160(msg.sender)) != rate) _checkOwner(); }
}

/// The comparison is a subtraction whose result divides one.
contract DividedKey is OwnedLogic {
    uint256 private immutable key;
    constructor(address key_) { key = uint160(key_); }
    function _authorizeUpgrade(address) internal view override {
        uint256 pass;
        uint256 k = key;
        assembly { pass := iszero(div(add(1, sub(caller(), k)), add(1, iszero(sub(caller(), k))))) }
        if (pass == 0) _checkOwner();
    }
}

/// Only the last two bytes of the sender are compared.
contract AddressSuffix is OwnedLogic {
    function _authorizeUpgrade(address) internal view override { if (uint16(uint160(msg.sender)) != 0x0b0b) _checkOwner(); }
}

contract ModularKey is OwnedLogic {
    uint256 private constant P = 2 ** 255 - 19;
    uint256 private immutable product;
    constructor(address key) { product = mulmod(uint160(key), 0x123456789abcdef123456789abcdef, P); }
    function _authorizeUpgrade(address) internal view override {
        if (mulmod(uint160(msg.sender), 0x123456789abcdef123456789abcdef, P) != product) _checkOwner();
    }
}

contract OpenNft {
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;
    function mint(uint256 id) external { require(ownerOf[id] == address(0)); ownerOf[id] = msg.sender; balanceOf[msg.sender] += 1; }
}
contract NftHolder is OwnedLogic {
    OpenNft private immutable nft;
    constructor(OpenNft nft_) { nft = nft_; }
    function _authorizeUpgrade(address) internal view override { if (nft.ownerOf(1) != msg.sender) _checkOwner(); }
}
contract TokenHolder is OwnedLogic {
    OpenNft private immutable token;
    constructor(OpenNft token_) { token = token_; }
    function _authorizeUpgrade(address) internal view override { if (token.balanceOf(msg.sender) < 2) _checkOwner(); }
}

/// Another contract with fixed code decides.
contract AskedContract is OwnedLogic {
    HiddenJudge private immutable judge;
    constructor(HiddenJudge judge_) { judge = judge_; }
    function _authorizeUpgrade(address) internal view override { if (!judge.isFine(msg.sender)) _checkOwner(); }
}
contract HiddenJudge {
    bytes32 private immutable hash;
    constructor(address key) { hash = keccak256(abi.encode(key)); }
    function isFine(address account) external view returns (bool) { return keccak256(abi.encode(account)) == hash; }
}

/// The caller itself is asked.
contract AskedCaller is OwnedLogic {
    function _authorizeUpgrade(address) internal view override {
        (bool ok, bytes memory answer) = msg.sender.staticcall(abi.encodeWithSignature("owner()"));
        if (!ok || answer.length != 32 || abi.decode(answer, (address)) != owner()) _checkOwner();
    }
}
contract AnsweringCaller {
    address public immutable owner;
    constructor(address owner_) { owner = owner_; }
    function upgrade(address at, address next) external {
        (bool ok,) = at.call(abi.encodeWithSignature("upgradeTo(address)", next));
        require(ok);
    }
}

contract OriginKey is OwnedLogic {
    address private immutable key;
    constructor(address key_) { key = key_; }
    function _authorizeUpgrade(address) internal view override { if (tx.origin != key) _checkOwner(); }
}

/// Any sender may pass who shows work.
contract ProofOfWork is OwnedLogic {
    function setImplementation(address next, uint256 nonce) external {
        require(uint256(keccak256(abi.encode(msg.sender, nonce))) < type(uint256).max / 256);
        assembly { sstore(LOGIC, next) }
    }
}

contract CommitReveal is OwnedLogic {
    mapping(bytes32 => uint256) private committed;
    function commit(bytes32 hash) external { committed[hash] = block.number; }
    function reveal(address next, bytes32 secret) external {
        uint256 at = committed[keccak256(abi.encode(msg.sender, next, secret))];
        require(at != 0 && at < block.number);
        assembly { sstore(LOGIC, next) }
    }
}

contract HighestBidder is OwnedLogic {
    address private bidder;
    uint256 private bid;
    function offer() external payable { require(msg.value > bid); bid = msg.value; bidder = msg.sender; }
    function _authorizeUpgrade(address) internal view override { if (msg.sender != bidder) _checkOwner(); }
}

/// The members are listed in the code of another contract.
contract CodeListMember is OwnedLogic {
    address private immutable list;
    constructor(address list_) { list = list_; }
    function _authorizeUpgrade(address) internal view override {
        address from = list;
        bool found;
        assembly {
            let count := div(sub(extcodesize(from), 1), 20)
            for { let i := 0 } lt(i, count) { i := add(i, 1) } {
                mstore(0, 0)
                extcodecopy(from, 12, add(1, mul(i, 20)), 20)
                if eq(mload(0), caller()) { found := 1 }
            }
        }
        if (!found) _checkOwner();
    }
}

/// Wards without the event that names them.
contract QuietWards is Plain {
    event Rely(address indexed usr);
    mapping(address => uint256) public wards;
    function initialize(address shown, address quiet) external {
        require(number == 0);
        number = 1;
        wards[shown] = 1;
        emit Rely(shown);
        wards[quiet] = 1;
    }
    function rely(address usr) external { require(wards[msg.sender] == 1); wards[usr] = 1; emit Rely(usr); }
    function proxiableUUID() external pure returns (bytes32) { return LOGIC; }
    function upgradeToAndCall(address next, bytes calldata) external payable { require(wards[msg.sender] == 1); assembly { sstore(LOGIC, next) } }
}

/// The members of a vote: one vote of any account is enough.
contract OneVote is OwnedLogic {
    mapping(address => uint256) public votes;
    function vote(address next) external { votes[next] += 1; }
    function execute(address next) external { require(votes[next] * 2 > number); assembly { sstore(LOGIC, next) } }
}
