/** The same token by several compilers and settings: a guard is found or not known, and never taken for open. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Hex, toBytes } from '../../lib/hex.ts'
import { followCode } from '../code/dataflow.ts'
import { type CodePowers, powersOfCode } from './code-powers.ts'
import { selectorOf } from './names.ts'

const SOLIDITY = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Token {
    event Transfer(address indexed from, address indexed to, uint256 value);
    address public owner;
    mapping(address => uint256) public balanceOf;
    modifier onlyOwner() { require(msg.sender == owner); _; }
    function mint(address to, uint256 amount) external onlyOwner { balanceOf[to] += amount; emit Transfer(address(0), to, amount); }
    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount; balanceOf[to] += amount; emit Transfer(msg.sender, to, amount); return true;
    }
    function transferOwnership(address next) external onlyOwner { owner = next; }
}`

const CALLS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
interface Token {
    function approveAndCall(address spender, uint256 amount, bytes calldata data) external;
    function note(bytes calldata a, string calldata b) external;
}
contract Calling {
    address public owner;
    Token public token;
    modifier onlyOwner() { require(msg.sender == owner); _; }
    function approve(address spender, uint256 amount, bytes memory data) public onlyOwner { token.approveAndCall(spender, amount, data); }
    function approveInput(address spender, uint256 amount, bytes calldata data) external onlyOwner { token.approveAndCall(spender, amount, data); }
    function note(bytes calldata a, string calldata b) external onlyOwner { token.note(a, b); }
    function sendWords(address to, uint256 amount) external onlyOwner {
        (bool isDone,) = address(token).call(abi.encodePacked(bytes4(0xa9059cbb), abi.encode(to, amount)));
        require(isDone);
    }
    function computed(bytes4 a, bytes calldata rest) external onlyOwner {
        (bool isDone,) = address(token).call(abi.encodePacked(a ^ 0x12345678, rest));
        require(isDone);
    }
}`

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const YUL = `object "Token" { code {} object "Token_deployed" { code {
  switch shr(224, calldataload(0))
  case ${selectorOf('mint(address,uint256)')} {
    if iszero(eq(caller(), sload(0))) { revert(0, 0) }
    let at := balance_of(calldataload(4))
    sstore(at, add(sload(at), calldataload(36)))
    mstore(0, calldataload(36))
    log3(0, 32, ${TRANSFER}, 0, calldataload(4))
  }
  case ${selectorOf('transfer(address,uint256)')} {
    let from := balance_of(caller())
    if lt(sload(from), calldataload(36)) { revert(0, 0) }
    sstore(from, sub(sload(from), calldataload(36)))
    let to := balance_of(calldataload(4))
    sstore(to, add(sload(to), calldataload(36)))
    mstore(0, calldataload(36))
    log3(0, 32, ${TRANSFER}, caller(), calldataload(4))
  }
  case ${selectorOf('transferOwnership(address)')} {
    if iszero(eq(caller(), sload(0))) { revert(0, 0) }
    sstore(0, calldataload(4))
  }
  default { revert(0, 0) }
  function balance_of(account) -> at { mstore(0, account) mstore(32, 1) at := keccak256(0, 64) }
} } }`

type Output = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly evm: { readonly deployedBytecode: { readonly object: string } } }>>
    >
  >
}

function compiled(language: 'Solidity' | 'Yul', settings: object, source = language === 'Yul' ? YUL : SOLIDITY): Hex {
  const solc = createRequire(import.meta.url)('solc') as { compile: (input: string) => string }
  const input = {
    language,
    sources: { token: { content: source } },
    settings: { ...settings, outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } } },
  }
  const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input))) as Output
  assert.deepEqual(
    errors.filter(({ severity }) => severity === 'error').map((each) => each.formattedMessage),
    [],
  )
  const codes = Object.values(contracts.token ?? {}).map(({ evm }) => evm.deployedBytecode.object)
  return `0x${codes.find((code) => code !== '') ?? ''}`
}

const powersIn = (code: Hex): CodePowers => powersOfCode(followCode(toBytes(code)))

function expectGuards(what: string, powers: CodePowers, owner: string): void {
  const access = new Map(powers.functions.map((each) => [each.selector, each.access]))
  assert.equal(powers.settled, true, what)
  assert.equal(access.get(selectorOf('mint(address,uint256)')), owner, what)
  assert.equal(access.get(selectorOf('transferOwnership(address)')), owner, what)
  assert.equal(access.get(selectorOf('transfer(address,uint256)')), 'every caller', what)
  const effects = powers.powers.map(({ effect }) => effect).toSorted()
  assert.deepEqual(effects, ['grant', 'mint'], what)
}

const optimizer = (runs: number): object => ({ optimizer: { enabled: true, runs } })

test('guards are found however solc is set', () => {
  for (const [what, settings] of [
    ['optimizer off', { optimizer: { enabled: false } }],
    ['optimized for size', optimizer(1)],
    ['optimized for speed, without metadata', { ...optimizer(1_000_000), metadata: { appendCBOR: false } }],
    ['via IR', { ...optimizer(200), viaIR: true }],
    ['via IR, optimizer off', { viaIR: true, optimizer: { enabled: false } }],
    ['before PUSH0', { ...optimizer(200), evmVersion: 'london' }],
  ] as const)
    expectGuards(what, powersIn(compiled('Solidity', settings)), 'the account in slot 0')
})

test('guards of Yul are found', () => {
  expectGuards('Yul', powersIn(compiled('Yul', { optimizer: { enabled: true } })), 'the account in slot 0')
})

test('what a call does is known where texts are copied behind it, and is any call where it is not', () => {
  for (const [what, settings] of [
    ['optimized', optimizer(200)],
    ['optimizer off', { optimizer: { enabled: false } }],
    ['via IR', { ...optimizer(200), viaIR: true }],
    ['before MCOPY', { ...optimizer(200), evmVersion: 'london' }],
    ['before MCOPY, optimizer off', { optimizer: { enabled: false }, evmVersion: 'london' }],
  ] as const) {
    const { powers } = powersIn(compiled('Solidity', settings, CALLS))
    const effectOf = (signature: string): readonly string[] =>
      powers.filter(({ selector }) => selector === selectorOf(signature)).map(({ effect }) => effect)
    assert.deepEqual(effectOf('approve(address,uint256,bytes)'), ['move_funds'], what)
    assert.deepEqual(effectOf('approveInput(address,uint256,bytes)'), ['move_funds'], what)
    assert.deepEqual(effectOf('note(bytes,string)'), ['other'], what)
    assert.deepEqual(effectOf('sendWords(address,uint256)'), ['move_funds'], what)
    assert.deepEqual(effectOf('computed(bytes4,bytes)'), ['execute'], what)
  }
})

type Recorded = {
  readonly codes: readonly {
    readonly version: string
    readonly optimize: string
    readonly dispatcher: string
    readonly code: Hex
  }[]
}

test('Vyper with comparisons or tables of jumps is followed, and Vyper with dense tables of functions is not known', () => {
  const file = join(import.meta.dirname, '..', '..', '..', '..', 'testing', 'fixtures', 'vyper.json')
  const { codes } = JSON.parse(readFileSync(file, 'utf8')) as Recorded
  for (const { version, optimize, dispatcher, code } of codes) {
    const what = `Vyper ${version}, optimized for ${optimize}: ${dispatcher}`
    const powers = powersIn(code)
    if (optimize !== 'codesize') expectGuards(what, powers, 'the account in slot 0')
    else assert.deepEqual([powers.settled, powers.powers], [false, []], what)
  }
})
