/** What an unprivileged caller can make the modules of a Safe execute, tried on a real node. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from 'viem'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { controlContracts, eoa, FREE, own, signers } from '../../../../testing/evm/control.ts'
import { type Deployed, evmOf } from '../../../../testing/evm/evm.ts'
import { LABELS } from '../../../../vocabulary/labels.ts'
import { reasonTexts } from '../../../../vocabulary/reasons.ts'
import { systemTiming } from '../../lib/clock.ts'
import { createRpcPool } from '../rpc/pool.ts'
import { type Transport, transportFor } from '../rpc/transport.ts'
import { createCodeAnalyzer } from './code-analyzer.ts'
import { probe } from './probe.ts'
import { openSession } from './session.ts'

/** An endpoint that ignores state overrides. */
function withoutOverrides(url: string): Transport {
  const transport = transportFor(url)
  type Call = { readonly method: string; readonly params: readonly unknown[] }
  const plain = (call: Call): Call => (call.method === 'eth_call' ? { ...call, params: call.params.slice(0, 2) } : call)
  return {
    ...transport,
    send: (message, signal) => {
      const calls = JSON.parse(message.payload) as Call | Call[]
      const payload = JSON.stringify(Array.isArray(calls) ? calls.map(plain) : plain(calls))
      return transport.send({ ...message, payload }, signal)
    },
  }
}

const OPEN = /Any account can act for the Safe through its module/

test('a module is judged by what an unprivileged caller can make it execute', { skip: anvilMissing }, async (t) => {
  const node = await anvilForTests(1, FREE)
  const evm = await evmOf(node)
  const { safe, as, deployMulticall } = controlContracts(node, evm)
  await deployMulticall()
  const poolWith = (transport: typeof transportFor) =>
    createRpcPool(
      { timing: systemTiming, report: () => {} },
      { chain: 'ethereum', chainId: 1, urls: [node.url], transport },
    )
  const [full, plain] = [poolWith(transportFor), poolWith(withoutOverrides)]
  const codes = createCodeAnalyzer()
  t.after(async () => {
    full.close()
    plain.close()
    await codes.close()
  })
  const judge = async (address: Hex, pool = full) => {
    const session = openSession({ poolOf: () => pool, codes, confirmationsOf: () => 0 })
    const { profile } = await probe({ session }, { chainId: 1, address })
    const execute = profile.powers?.find(({ effect }) => effect === 'execute')
    return { label: profile.label, powers: execute?.label, reasons: reasonTexts(profile.reasons).join('\n') }
  }
  /** A Safe of three of five signers with this module. */
  const withModule = async (
    name: string,
    argsOf: (safe: Hex) => readonly unknown[] = () => [],
    prepare: (safe: Hex, module: Deployed) => Promise<void> = async () => {},
  ) => {
    const account = await safe(3, signers(5))
    const module = await evm.deploy(own(name), ...argsOf(account.address))
    await as(account.address, account, 'enableModule', module.address)
    await prepare(account.address, module)
    const judged = await judge(account.address)
    const untried = await judge(account.address, plain)
    assert.doesNotMatch(untried.reasons, OPEN)
    assert.ok(
      LABELS.indexOf(judged.label) >= LABELS.indexOf(untried.label),
      `${name}: ${untried.label} without a trial, ${judged.label} with it`,
    )
    return judged
  }

  const router = await withModule('OpenRouterModule')
  assert.equal(router.label, 'single_key', router.reasons)
  assert.equal(router.powers, 'single_key')
  assert.match(router.reasons, /makes the Safe call an address that the account chooses/)

  const code = await withModule('OpenCodeModule', (account) => [account])
  assert.equal(code.label, 'single_key', code.reasons)
  assert.match(code.reasons, /makes the Safe run code by a delegatecall/)

  const collect = await withModule('CollectModule', (account) => [account, eoa(70)])
  assert.match(collect.reasons, /makes the Safe call addresses that the module chooses/)

  const keeper = await withModule('KeeperModule', (account) => [account, eoa(71)])
  assert.equal(keeper.label, 'single_key', keeper.reasons)
  assert.match(keeper.reasons, new RegExp(eoa(71)), 'the account that leads it is named')
  assert.doesNotMatch(keeper.reasons, OPEN)

  // Only the owners of the Safe pass, and each alone: no unprivileged caller does.
  assert.doesNotMatch((await withModule('OwnersModule', (account) => [account])).reasons, OPEN)
  assert.doesNotMatch((await withModule('ModifierModule', (account) => [account])).reasons, OPEN)

  // Safe's allowance module and Zodiac's roles: closed as they are published, open without their checks.
  assert.doesNotMatch((await withModule('AllowanceModule')).reasons, OPEN)
  const spending = await withModule('OpenAllowanceModule')
  assert.match(spending.reasons, /makes the Safe call an address that the account chooses/)
  assert.equal(spending.label, 'single_key', spending.reasons)
  const roles = await withModule('RolesModule', (account) => [account])
  assert.doesNotMatch(roles.reasons, OPEN)
  const openRoles = await withModule('OpenRolesModule', (account) => [account])
  assert.match(openRoles.reasons, /makes the Safe call an address that the account chooses/)
  assert.equal(openRoles.label, 'single_key', openRoles.reasons)
  const assigned = await withModule(
    'RolesModule',
    (account) => [account],
    async (account, module) => {
      const key = `0x${'07'.repeat(32)}`
      await as(account, module, 'assignRoles', eoa(72), [key], [true])
      await as(account, module, 'allowTarget', key, eoa(73))
    },
  )
  assert.match(assigned.reasons, new RegExp(`A module of 0x\\w+ is ${eoa(72)}`), assigned.reasons)
  assert.equal(assigned.label, 'unknown')

  const delay = await withModule('QueueingDelay', (account) => [account, 86_400n, 0n])
  assert.doesNotMatch(delay.reasons, OPEN)
})
