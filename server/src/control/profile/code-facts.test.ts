/** Real bytecode of published packages, and the patterns of minimal proxies byte by byte. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { type Hex, keccak256, stringToHex, toFunctionSelector } from 'viem'
import { CALLS, type CallName } from './calls.ts'
import { mayWrite, replaceable } from './code-behavior.ts'
import { analyzeCode, factsOfText, textOfFacts } from './code-facts.ts'
import { PROXY_CODES, SINGLETON_CODES } from './safe-account.ts'
import { SLOTS } from './slots.ts'

const require = createRequire(import.meta.url)
const deployed = (path: string): Hex =>
  (JSON.parse(readFileSync(require.resolve(path), 'utf8')) as { deployedBytecode: Hex }).deployedBytecode
const openZeppelin = (version: 4 | 5, name: string): Hex =>
  deployed(`${version === 4 ? 'openzeppelin-contracts-4' : '@openzeppelin/contracts'}/build/contracts/${name}.json`)
const target = '0x00000000000000000000000000000000c0ffee11'
const digits = target.slice(2)
const toSlot = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

test('facts are the same after they were text, which has each condition once', () => {
  const facts = analyzeCode(openZeppelin(5, 'TimelockController'))
  const text = textOfFacts(facts)
  assert.deepEqual(factsOfText(text), facts)
  const [condition] = facts.effects.effects.flatMap(({ conditions }) => conditions)
  assert.equal(text.split(JSON.stringify(condition)).length, 2)
})

test('slots are what their names hash to', () => {
  const minusOne = (name: string): Hex =>
    `0x${(BigInt(keccak256(stringToHex(name))) - 1n).toString(16).padStart(64, '0')}`
  assert.equal(SLOTS.implementation, minusOne('eip1967.proxy.implementation'))
  assert.equal(SLOTS.admin, minusOne('eip1967.proxy.admin'))
  assert.equal(SLOTS.beacon, minusOne('eip1967.proxy.beacon'))
  assert.equal(SLOTS.secondaryImplementation, minusOne('eip1967.proxy.implementation.secondary'))
  for (const [slot, name] of [
    [SLOTS.implementationOffByOne, 'eip1967.proxy.implementation'],
    [SLOTS.zosImplementation, 'org.zeppelinos.proxy.implementation'],
    [SLOTS.zosAdmin, 'org.zeppelinos.proxy.admin'],
    [SLOTS.proxiable, 'PROXIABLE'],
    [SLOTS.polygonImplementation, 'matic.network.proxy.implementation'],
    [SLOTS.polygonOwner, 'matic.network.proxy.owner'],
    [SLOTS.starkwareImplementation, 'StarkWare2019.implemntation-slot'],
    [SLOTS.starkwareDelay, 'StarkWare.Upgradibility.Delay.Slot'],
    [SLOTS.safeGuard, 'guard_manager.guard.address'],
    [SLOTS.safeFallbackHandler, 'fallback_manager.handler.address'],
    [SLOTS.safeModuleGuard, 'module_manager.module_guard.address'],
  ] as const)
    assert.equal(slot, keccak256(stringToHex(name)), name)
})

test('calls carry the selectors of their functions', () => {
  const signatures: Readonly<Partial<Record<CallName, string>>> = {
    version: 'VERSION()',
    modules: 'getModulesPaginated(address,uint256)',
    gracePeriod: 'GRACE_PERIOD()',
    hasRole: 'hasRole(bytes32,address)',
    executorRole: 'EXECUTOR_ROLE()',
    adminRole: 'ADMIN_ROLE()',
    publicRole: 'PUBLIC_ROLE()',
    clockMode: 'CLOCK_MODE()',
    diamondCutFacet: 'facetAddress(bytes4)',
    wards: 'wards(address)',
    isOssified: 'proxy__getIsOssified()',
    ossifiableAdmin: 'proxy__getAdmin()',
    payloadsExecutor: 'getExecutorSettingsByAccessControl(uint8)',
    guardianSetIndex: 'getCurrentGuardianSetIndex()',
    upgradeActivationDelay: 'getUpgradeActivationDelay()',
  }
  for (const [name, data] of Object.entries(CALLS) as [CallName, Hex][])
    assert.equal(data.slice(0, 10), toFunctionSelector(signatures[name] ?? `${name}()`), name)
})

test('all forms of minimal proxies are clones', () => {
  const standard: Hex = `0x363d3d373d3d3d363d73${digits}5af43d82803e903d91602b57fd5bf3`
  const vanity: Hex = `0x363d3d373d3d3d363d6f${digits.slice(8)}5af43d82803e903d91602757fd5bf3`
  const solady: Hex = `0x3d3d3d3d363d3d37363d73${digits}5af43d3d93803e602a57fd5bf3`
  const soladyPush0: Hex = `0x5f5f365f5f37365f73${digits}5af43d5f5f3e6029573d5ffd5b3d5ff3`
  const vyper: Hex = `0x366000600037611000600036600073${digits}5af4602c57600080fd5b6110006000f3`
  for (const code of [standard, `${standard}c0ffee` as const, vanity, solady, soladyPush0, vyper])
    assert.equal(analyzeCode(code).cloneOf, target, code)
  assert.equal(analyzeCode(standard.replace('602b', '602c') as Hex).cloneOf, undefined)
  const behind = vanity.replace('6027', '602b')
  assert.equal(analyzeCode(`${behind}0000005bff` as Hex).cloneOf, undefined, 'a jump behind the end')
})

test('a delegated account is exactly 23 bytes', () => {
  assert.equal(analyzeCode(`0xef0100${digits}`).delegatedTo, target)
  assert.equal(analyzeCode(`0xef0100${digits}00`).delegatedTo, undefined)
})

test('pushed and shifted selectors are found', () => {
  assert.ok(analyzeCode('0x634f1ef286').selectors.has('0x4f1ef286'))
  assert.ok(analyzeCode('0x63278f794360e11b').selectors.has('0x4f1ef286'))
  for (const version of [4, 5] as const)
    assert.ok(analyzeCode(openZeppelin(version, 'TransparentUpgradeableProxy')).selectors.has('0x4f1ef286'))
})

test('a constant copied from code to memory is known until memory is written', () => {
  const data = '07'.padStart(64, '0')
  // CODECOPY(0, 12, 32) SSTORE(MLOAD(0), CALLVALUE), and the word behind it.
  assert.deepEqual(analyzeCode(`0x6020600c5f39345f51550000${data}`).writes, [`0x${data}`])
  // The same, and MSTORE(0, CALLVALUE) before the load.
  assert.equal(analyzeCode(`0x602060105f39345f52345f51550000${'00'.repeat(1)}${data}`).writesAnywhere, true)
})

test('code that is not made for the EVM is not followed', () => {
  const codes: readonly (readonly [string, Hex])[] = [
    ['EOF', '0xef000101000402000100010400000000800000fe'],
    ['a Stylus program', '0xeff000001b'],
    ['EraVM, which the EVM would stop at once', `0x0001000000000002${'00'.repeat(24)}`],
    ['EraVM with a large frame, which the EVM would fail at once', `0x0102000000000002${'00'.repeat(24)}`],
    ['PolkaVM', '0x50564d0001'],
    ['a precompiled contract of Arbitrum', '0xfe'],
  ]
  for (const [name, code] of codes) {
    const { settled, delegating, effects, powers } = analyzeCode(code)
    assert.deepEqual([settled, delegating, effects.settled, powers.settled], [false, true, false, false], name)
  }
  const data: Hex = `0x00${'11'.repeat(40)}`
  assert.equal(analyzeCode(data).effects.settled, true, 'data behind STOP')
})

test('a required entry of the caller counts as looked up, and outgoing calls are found', () => {
  // if (sload(keccak256(x, 1)) != 0) sstore(0, 1), with CALLER or CALLVALUE for x
  const lookup = (of: string): Hex => `0x${of}5f52600160205260405f2054601157005b60015f5500`
  assert.equal(analyzeCode(lookup('33')).looksUpSender, true)
  assert.equal(analyzeCode(lookup('34')).looksUpSender, false)
  assert.equal(analyzeCode('0x5f5f5f5f335afa').callsOut, true)
  assert.equal(analyzeCode('0x005f5f5f5f335afa').callsOut, false) // behind STOP
})

test('the released Safes have the listed code hashes', () => {
  const packages = [
    ['@gnosis.pm/safe-contracts', 'GnosisSafe'],
    ['@safe-global/safe-contracts', 'Safe'],
    ['@safe-global/safe-smart-account', 'Safe'],
  ] as const
  for (const [base, name] of packages) {
    const built = (path: string) => analyzeCode(deployed(`${base}/build/artifacts/contracts/${path}.json`))
    assert.ok(SINGLETON_CODES.has(built(`${name}.sol/${name}`).hash), base)
    assert.ok(SINGLETON_CODES.has(built(`${name}L2.sol/${name}L2`).hash), base)
    const proxy = built(`proxies/${name}Proxy.sol/${name}Proxy`)
    assert.ok(PROXY_CODES.has(proxy.hash), base)
    assert.deepEqual(proxy.delegates, [{ from: 'slot', slot: SLOTS.slot0 }])
  }
})

test('proxies of OpenZeppelin delegate to the EIP-1967 slot, and only some can write it', () => {
  for (const version of [4, 5] as const) {
    const plain = analyzeCode(openZeppelin(version, 'ERC1967Proxy'))
    assert.deepEqual(plain.delegates, [{ from: 'slot', slot: SLOTS.implementation }])
    assert.equal(mayWrite(plain, SLOTS.implementation), false)
    const transparent = analyzeCode(openZeppelin(version, 'TransparentUpgradeableProxy'))
    assert.deepEqual(replaceable(transparent), [{ from: 'slot', slot: SLOTS.implementation }])
    assert.equal(mayWrite(transparent, SLOTS.implementation), true)
    const beacon = analyzeCode(openZeppelin(version, 'BeaconProxy'))
    assert.equal(replaceable(beacon).length, 1)
  }
  assert.deepEqual(analyzeCode(openZeppelin(4, 'TransparentUpgradeableProxy')).senderSlots, [SLOTS.admin])
})

test('contracts without delegatecalls to other code are not proxies', () => {
  for (const name of ['ProxyAdmin', 'TimelockController', 'UpgradeableBeacon', 'AccessManager', 'VestingWallet']) {
    const facts = analyzeCode(openZeppelin(5, name))
    assert.equal(facts.settled, true, name)
    assert.deepEqual(replaceable(facts), [], name)
  }
})

test('code that writes an unknown slot may write every slot', () => {
  // PUSH1 0 CALLDATALOAD PUSH1 32 CALLDATALOAD SSTORE: the slot comes from the caller.
  const anywhere = analyzeCode('0x60003560203555')
  assert.equal(anywhere.writesAnywhere, true)
  assert.equal(mayWrite(anywhere, SLOTS.admin), true)
  // A jump to a destination from the input.
  assert.equal(analyzeCode('0x60003556').settled, false)
  // A write that no path reaches, behind STOP.
  assert.deepEqual(analyzeCode('0x00600160005500').writes, [])
})

test('a struct member at a fixed position is known, and a loop over members ends', () => {
  const slot = 'c8fcad8db84d3cc18b4c41d551ea0ee66dd599cde068d998e57d5e09332c131c'
  const member: Hex = `0x${slot.slice(0, -4)}1320`
  // SSTORE(slot + 4, CALLVALUE)
  const written = analyzeCode(`0x347f${slot}60040155`)
  assert.deepEqual([written.writes, written.writesAnywhere], [[member], false])
  // require(msg.sender == SLOAD(4 + slot)) SSTORE(0, 1)
  const checked = analyzeCode(`0x6004 7f${slot} 0154 3314 602b57005b 60015f5500`.replaceAll(' ', '') as Hex)
  assert.deepEqual(checked.senderSlots, [member])
  // for (at = slot; ; at += 1) SSTORE(at, 0)
  const loop = analyzeCode(`0x7f${slot}5b5f8155600101602156`)
  assert.deepEqual([loop.settled, loop.writesAnywhere], [true, false])
  // for (at = slot; ; at *= 2) SSTORE(at, 0)
  assert.equal(analyzeCode(`0x7f${slot}5b5f81558001602156`).writesAnywhere, true)
  // A caller's number is no member.
  assert.equal(analyzeCode(`0x347f${slot}5f350155`).writesAnywhere, true)
})

test('constants and slots compared with the caller are found', () => {
  const constant = analyzeCode(`0x3373${digits}14601b57005b60015f55`)
  assert.deepEqual(constant.senders, [target])
  const slot = analyzeCode('0x33600754 14 6009 57 00 5b 60015f55'.replaceAll(' ', '') as Hex)
  assert.deepEqual(slot.senderSlots, [`0x${'7'.padStart(64, '0')}`])
})

test('code after a try is followed from its success only', () => {
  const { settled } = analyzeCode('0x601a5f5f5f5f335afa8015601257505f60015b601757005b50565b00')
  assert.equal(settled, true)
})

test('an outcome behind a mask that hides it is not known', () => {
  const { delegates } = analyzeCode('0x5f5f5f5f335afa8060021690601057005b601d575f5f5f5f5f355af4005b00')
  assert.deepEqual(delegates, [{ from: 'input' }])
})

test('a constant is never taken for the content of a slot', () => {
  const { delegates } = analyzeCode('0x36600a576103f76011565b6007546011565b5f5f5f5f845af400')
  assert.deepEqual(delegates, [{ from: 'anything' }])
})

test('an arbitrary delegatecall records the caller it was compared with, if the whole address was compared', () => {
  const run = '5f5f5f5f5f355af4' // DELEGATECALL to CALLDATALOAD(0)
  const slot = toSlot(7)
  const delegatesOf = (code: string): unknown => analyzeCode(`0x${code.replaceAll(' ', '')}`).delegates
  // if (CALLER == SLOAD(7)) run, by EQ, by EQ and ISZERO, by SUB, by XOR behind a mask of an address
  assert.deepEqual(delegatesOf(`33 600754 14 6009 57 00 5b ${run}`), [{ from: 'input', sender: slot }])
  assert.deepEqual(delegatesOf(`33 600754 14 15 6011 57 ${run} 5b 00`), [{ from: 'input', sender: slot }])
  assert.deepEqual(delegatesOf(`33 600754 03 6010 57 ${run} 5b 00`), [{ from: 'input', sender: slot }])
  assert.deepEqual(delegatesOf(`33 600754 18 73${'f'.repeat(40)} 16 6026 57 ${run} 5b 00`), [
    { from: 'input', sender: slot },
  ])
  // The opposite: every other caller.
  assert.deepEqual(delegatesOf(`33 600754 14 6010 57 ${run} 5b 00`), [{ from: 'input' }])
  // Sixteen bits of the sender, or of the difference.
  assert.deepEqual(delegatesOf(`33 61ffff 16 600754 14 600d 57 00 5b ${run}`), [{ from: 'input' }])
  assert.deepEqual(delegatesOf(`33 600754 18 61ffff 16 6014 57 ${run} 5b 00`), [{ from: 'input' }])
  // if (SLOAD(7) != 0) stop; run
  assert.deepEqual(delegatesOf(`600754 600e 57 ${run} 5b 00`), [{ from: 'input', unless: slot }])
  // if (ADDRESS == target) stop; run
  assert.deepEqual(delegatesOf(`30 73${digits} 14 6022 57 ${run} 5b 00`), [{ from: 'input', notAt: target }])
})
