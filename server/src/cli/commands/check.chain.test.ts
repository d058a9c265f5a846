/** `gatewatch check` on a chain that no preset has: a Safe behind a timelock owns a proxy, then things change. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { controlContracts, FREE, signers } from '../../../../testing/evm/control.ts'
import { evmOf } from '../../../../testing/evm/evm.ts'
import { freePort } from '../../../../testing/support/port.ts'
import { spawnGatewatch } from '../../../../testing/support/service.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { parsePolicy } from '../../control/policy/policy.ts'
import { parseArguments } from '../command.ts'
import { checkCommand } from './check.ts'

const ID = 998_877
const cwd = temporaryFolder()
const policy = join(cwd, 'policy.yaml')
const read = (name: string): string => readFileSync(join(cwd, name), 'utf8')

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
