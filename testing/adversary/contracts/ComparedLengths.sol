// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ListQueue, TextQueue} from "./OtherLengths.sol";

/** What the rounds of a loop over the data show decides whether another call is made. */
abstract contract RoundsQueue is TextQueue {
    constructor(address admin_) TextQueue(admin_) {}

    function _isLong(bytes memory data) internal virtual returns (bool);

    function _call(address target, bytes memory data) internal override {
        if (_isLong(data)) _callAtEnd();
        else super._call(target, data);
    }
}

contract CountedRoundsQueue is RoundsQueue {
    constructor(address admin_) RoundsQueue(admin_) {}

    function _isLong(bytes memory data) internal pure override returns (bool) {
        uint256 rounds;
        for (uint256 i; i < data.length; i += 100) rounds++;
        return rounds > 5;
    }
}

/** The number at which the loop ends. */
contract LastRoundQueue is RoundsQueue {
    constructor(address admin_) RoundsQueue(admin_) {}

    function _isLong(bytes memory data) internal pure override returns (bool) {
        uint256 at;
        while (at < data.length) at += 100;
        return at > 500;
    }
}

/** Each round doubles a number. */
contract DoubledRoundsQueue is RoundsQueue {
    constructor(address admin_) RoundsQueue(admin_) {}

    function _isLong(bytes memory data) internal pure override returns (bool) {
        uint256 doubled = 1;
        for (uint256 i; i < data.length; i += 64) doubled *= 2;
        return doubled > 100;
    }
}

/** The number of rounds is kept in memory. */
contract KeptRoundsQueue is RoundsQueue {
    constructor(address admin_) RoundsQueue(admin_) {}

    function _isLong(bytes memory data) internal pure override returns (bool isLong) {
        assembly {
            mstore(0, 0)
            for { let i := 0 } lt(i, mload(data)) { i := add(i, 100) } { mstore(0, add(mload(0), 1)) }
            isLong := gt(mload(0), 5)
        }
    }
}

/** A note that the key does not cover comes with the execution. */
abstract contract NotedMarksQueue is TextQueue {
    event Note(bytes note);

    constructor(address admin_) TextQueue(admin_) {}

    function _isOther(bytes memory data, bytes memory note) internal pure virtual returns (bool);

    function executeNoted(address target, bytes memory data, uint256 eta, bytes memory note) external onlyAdmin {
        bytes32 id = _key(target, data, eta);
        _due(id, eta);
        _remove(id, data);
        emit Note(note);
        if (_isOther(data, note)) _callAtEnd();
        else _call(target, data);
    }
}

/** A note that is shorter than the data lets another call pass, unless it is empty. */
contract ShorterNoteQueue is NotedMarksQueue {
    constructor(address admin_) NotedMarksQueue(admin_) {}

    function _isOther(bytes memory data, bytes memory note) internal pure override returns (bool) {
        return data.length > note.length && note.length > 0;
    }
}

/** Refuses a note that is longer than the data. */
contract ShortNotesQueue is NotedMarksQueue {
    constructor(address admin_) NotedMarksQueue(admin_) {}

    function _isOther(bytes memory data, bytes memory note) internal pure override returns (bool) {
        require(note.length <= data.length);
        return false;
    }
}

/** A list of notes comes with the execution. */
abstract contract NotedListQueue is ListQueue {
    event Notes(uint256 notes);

    constructor(address admin_) ListQueue(admin_) {}

    function _isOther(uint256 calls, uint256 notes) internal pure virtual returns (bool);

    function executeNoted(address[] calldata targets, bytes[] calldata datas, uint256 eta, uint256[] calldata notes)
        external
        onlyAdmin
    {
        require(targets.length == datas.length);
        bytes32 id = _key(targets, datas, eta);
        _due(id, eta);
        queuedTransactions[id] = false;
        emit Notes(notes.length);
        if (_isOther(targets.length, notes.length)) return _callAtEnd();
        for (uint256 i; i < targets.length; i++) {
            (bool ok,) = targets[i].call(datas[i]);
            require(ok);
        }
    }
}

/** Fewer notes than calls let another call pass. */
contract FewNotesQueue is NotedListQueue {
    constructor(address admin_) NotedListQueue(admin_) {}

    function _isOther(uint256 calls, uint256 notes) internal pure override returns (bool) {
        return notes != calls;
    }
}

/** Refuses another number of notes than of calls. */
contract SameNotesQueue is NotedListQueue {
    constructor(address admin_) NotedListQueue(admin_) {}

    function _isOther(uint256 calls, uint256 notes) internal pure override returns (bool) {
        require(notes == calls);
        return false;
    }
}
