/** `gatewatch check` on a chain that no preset has: a Safe behind a timelock owns a proxy, then things change. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { keccak256 } from 'viem'
import { type Anvil, anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { openZeppelin4 } from '../../../../testing/evm/compile.ts'
import {
  type ControlContracts,
  controlContracts,
  eoa,
  FREE,
  own,
  signers,
  wordOf,
} from '../../../../testing/evm/control.ts'
import { type Evm, evmOf } from '../../../../testing/evm/evm.ts'
import { freePort } from '../../../../testing/support/port.ts'
import { spawnGatewatch } from '../../../../testing/support/service.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { parsePolicy } from '../../control/policy/policy.ts'
import { SLOTS } from '../../control/profile/slots.ts'
import type { Hex } from '../../lib/hex.ts'
import { parseArguments } from '../command.ts'
import { checkCommand } from './check.ts'

const ID = 998_877
const cwd = temporaryFolder()
const policy = join(cwd, 'policy.yaml')
const read = (name: string): string => readFileSync(join(cwd, name), 'utf8')

type Made = { readonly node: Anvil; readonly evm: Evm; readonly made: ControlContracts }
type Changed = { readonly address: Hex; readonly change: () => Promise<unknown> }
const SENTINEL = `0x${'1'.padStart(40, '0')}`

/** In this process, because a process of its own takes seconds to start. */
async function check(...args: readonly string[]) {
  const parsed = parseArguments(checkCommand, [policy, ...args])
  const { exitCode, lines = [], json } = (await checkCommand.run(parsed, { beforeExit: () => {} })) ?? {}
  return { code: exitCode, output: lines.join('\n'), json }
}

test('today is recorded, holds, and stops to hold after a change', { skip: anvilMissing }, async () => {
  const node = await anvilForTests(ID, FREE)
  const evm = await evmOf(node)
  const made = controlContracts(node, evm)
  const safe = await made.safe(2, signers(3))
  const timelock = await made.timelock(172_800n, [safe.address])
  const proxy = await made.transparent5(timelock.address)
  const rpc = ['--rpc', `${ID}=${node.url}`]

  const added = `${ID}:${proxy.address},${ID}:${safe.address}`
  const written = await check(...rpc, '--write', '--add', added)
  assert.deepEqual([written.code, written.output.includes('Recorded 2 of 2')], [0, true], written.output)
  const [first, second] = parsePolicy(read('policy.yaml')).policy.contracts
  assert.deepEqual([first?.label, first?.delay], ['timelocked', 172_800])
  assert.deepEqual(second?.signers, signers(3).toSorted())
  assert.ok(first?.controllers?.some(({ address, threshold }) => address === safe.address && threshold === 2))

  // A rule that holds and a comment stay when the state is recorded again.
  writeFileSync(
    policy,
    read('policy.yaml').replace(/label: timelocked/, '# two days\n    label: { atLeast: short_timelock }'),
  )
  assert.equal((await check(...rpc, '--write')).code, 0)
  assert.match(read('policy.yaml'), /# two days\n +label: \{ atLeast: short_timelock \}/)
  const holds = await check(...rpc)
  assert.deepEqual(
    [holds.code, /2 contracts, \d+ expectations: all hold\./.test(holds.output)],
    [0, true],
    holds.output,
  )

  await made.as(safe.address, safe, 'addOwnerWithThreshold', signers(1, 9)[0], 1n)
  const changed = await check(
    ...rpc,
    '--sarif',
    join(cwd, 'out.sarif'),
    '--junit',
    join(cwd, 'out.xml'),
    '--markdown',
    join(cwd, 'out.md'),
  )
  assert.equal(changed.code, 1, changed.output)
  const { contracts } = changed.json as {
    contracts: { address: string; checks: { path: string[]; status: string; actual: string }[] }[]
  }
  const wrong = contracts
    .find(({ address }) => address === safe.address)
    ?.checks.filter(({ status }) => status !== 'ok')
  assert.ok(wrong?.some(({ path, actual }) => path.join('.') === 'threshold' && actual === '1'))
  assert.ok(wrong?.some(({ path }) => path.join('.') === 'signers'))
  const { runs } = JSON.parse(read('out.sarif')) as {
    runs: { results: { ruleId: string; locations: { physicalLocation: { region: { startLine: number } } }[] }[] }[]
  }
  const result = runs[0]?.results.find(({ ruleId }) => ruleId === 'control/threshold')
  const line = result?.locations[0]?.physicalLocation.region.startLine ?? 0
  assert.match(read('policy.yaml').split('\n')[line - 1] ?? '', /threshold: 2/)
  assert.match(read('out.xml'), /<failure message="expected 2, found 1"\/>/)
  assert.match(read('out.md'), /\| `threshold` \| `2` \| `1` \|/)
})

/** One change of control each. The first word of a title is the field that must differ at least. */
const CHANGES: Readonly<Record<string, (made: Made) => Promise<Changed>>> = {
  'implementation of the same code': async ({ made }) => {
    const { address } = await made.transparent4((await made.safe(2, signers(3))).address)
    return { address, change: async () => made.write(address, SLOTS.implementation, wordOf(await made.plain())) }
  },
  'secondaryImplementation of the same code': async ({ made }) => {
    const { address } = await made.transparent4((await made.safe(2, signers(3))).address)
    await made.write(address, SLOTS.secondaryImplementation, wordOf(await made.plain()))
    const change = async () => made.write(address, SLOTS.secondaryImplementation, wordOf(await made.plain()))
    return { address, change }
  },
  'implementation behind a beacon': async ({ made, evm }) => {
    const beacon = await evm.deploy(openZeppelin4('UpgradeableBeacon'), await made.plain())
    const { address } = await evm.deploy(openZeppelin4('BeaconProxy'), beacon.address, '0x')
    return { address, change: async () => evm.send(beacon, 'upgradeTo', [await made.plain()]) }
  },
  'admin of a proxy': async ({ made }) => {
    const { address } = await made.transparent4((await made.safe(2, signers(3))).address)
    const change = async () => made.write(address, SLOTS.admin, wordOf((await made.safe(2, signers(3))).address))
    return { address, change }
  },
  'facets of a diamond': async ({ made, evm }) => {
    const { address } = await evm.deploy(own('UncutDiamond'), eoa(1), '0x01020304', await made.plain())
    const first = keccak256(wordOf(2))
    return { address, change: async () => made.write(address, first, wordOf(await made.plain())) }
  },
  'modules of a Safe': async ({ made, evm }) => {
    const safe = await made.safe(2, signers(3))
    const module = await evm.deploy(own('KeeperModule'), safe.address, eoa(5))
    return { address: safe.address, change: () => made.as(safe.address, safe, 'enableModule', module.address) }
  },
  'fallbackHandler of a Safe': async ({ made }) => {
    const safe = await made.safe(2, signers(3))
    return { address: safe.address, change: () => made.as(safe.address, safe, 'setFallbackHandler', eoa(6)) }
  },
  'guard of a Safe': async ({ made }) => {
    const safe = await made.safe(2, signers(3))
    return { address: safe.address, change: () => made.write(safe.address, SLOTS.safeGuard, wordOf(eoa(7))) }
  },
  'singleton of a Safe': async ({ made, node }) => {
    const [safe, other] = [await made.safe(2, signers(3)), await made.safe(2, signers(3), '1.3.0')]
    const singleton = await node.rpc<Hex>('eth_getStorageAt', other.address, SLOTS.slot0, 'latest')
    return { address: safe.address, change: () => made.write(safe.address, SLOTS.slot0, singleton) }
  },
  'signers of a Safe': async ({ made }) => {
    const safe = await made.safe(2, signers(3))
    const [first, , , other] = signers(4)
    return { address: safe.address, change: () => made.as(safe.address, safe, 'swapOwner', SENTINEL, first, other) }
  },
  'delay of a timelock': async ({ made }) => {
    const lock = await made.timelock(172_800n, [(await made.safe(2, signers(3))).address])
    return { address: lock.address, change: () => made.as(lock.address, lock, 'updateDelay', 172_799n) }
  },
  'controllers of a timelock': async ({ made, evm }) => {
    const lock = await made.timelock(172_800n, [(await made.safe(2, signers(3))).address])
    const role = await evm.read(lock, 'PROPOSER_ROLE')
    const other = await made.safe(2, signers(3))
    return { address: lock.address, change: () => made.as(lock.address, lock, 'grantRole', role, other.address) }
  },
  'codeHash of a contract that was replaced': async ({ made, node }) => {
    const [address, other] = [await made.plain(), (await made.transparent4(eoa(1))).address]
    return { address, change: async () => made.setCode(address, await node.rpc<Hex>('eth_getCode', other, 'latest')) }
  },
  'address of a contract that is gone': async ({ made }) => {
    const address = await made.plain()
    return { address, change: () => made.setCode(address, '0x') }
  },
}

test('after --write every change of control is a difference', { skip: anvilMissing }, async () => {
  const node = await anvilForTests(ID, FREE)
  const evm = await evmOf(node)
  const made = controlContracts(node, evm)
  const changes = new Map<string, Changed>()
  for (const [title, make] of Object.entries(CHANGES)) changes.set(title, await make({ node, evm, made }))
  const rpc = ['--rpc', `${ID}=${node.url}`]
  writeFileSync(policy, '')
  const added = [...changes.values()].map(({ address }) => `${ID}:${address}`).join()
  const written = await check(...rpc, '--write', '--add', added)
  assert.equal(written.code, 0, written.output)
  for (const { change } of changes.values()) await change()
  const after = await check(...rpc)
  assert.equal(after.code, 1)
  const { contracts } = after.json as { contracts: { checks: { path: string[]; status: string }[] }[] }
  for (const [at, title] of [...changes.keys()].entries()) {
    const fields = contracts[at]?.checks.filter(({ status }) => status === 'differs').map(({ path }) => path[0])
    assert.ok(fields?.includes(title.split(' ')[0]), `${title}: ${after.output}`)
  }
})

test('an endpoint that stopped to follow its chain proves nothing', { skip: anvilMissing }, async () => {
  const node = await anvilForTests(ID, [...FREE, '--timestamp', '1700000000'])
  const made = controlContracts(node, await evmOf(node))
  const rpc = ['--rpc', `${ID}=${node.url}`]
  writeFileSync(policy, '')
  const added = ['--write', '--add', `${ID}:${await made.plain()}`]
  const refused = await check(...rpc, ...added)
  assert.deepEqual([refused.code, /not recorded/.test(refused.output)], [2, true], refused.output)
  const unrecorded = await check(...rpc, '--max-age', '9999d')
  assert.deepEqual([unrecorded.code, /none is recorded/.test(unrecorded.output)], [2, true], unrecorded.output)
  assert.equal((await check(...rpc, ...added, '--max-age', '9999d')).code, 0)
  assert.equal((await check(...rpc, '--max-age', '9999d')).code, 0)
  const old = await check(...rpc)
  assert.deepEqual([old.code, /the last block of the endpoint is \d+ d/.test(old.output)], [2, true], old.output)
  await assert.rejects(check(...rpc, '--max-age', 'soon'), /--max-age takes seconds/)
})

test('a chain that cannot be read is neither ok nor a difference', { skip: anvilMissing }, async () => {
  writeFileSync(
    policy,
    `version: 1\ncontracts:\n  - chain: base\n    address: "0x${'ab'.repeat(20)}"\n    label: immutable\n`,
  )
  const nowhere = `http://127.0.0.1:${await freePort()}/secret-key`
  const { exit, output } = spawnGatewatch(['check', policy, '--rpc', `base=${nowhere}`], { cwd, env: {} })
  assert.equal((await exit).code, 2, output())
  assert.doesNotMatch(output(), /secret-key/)
  await assert.rejects(check(), /policy\.yaml:3: no endpoint is configured for base\. Give --rpc base=URL/)
})

test('the schema is written for editors', async () => {
  const parsed = parseArguments(checkCommand, [join(cwd, 'policy.schema.json'), '--schema'])
  await checkCommand.run(parsed, { beforeExit: () => {} })
  assert.equal(JSON.parse(read('policy.schema.json')).title, 'Gatewatch policy')
})
