/** What Safes of every release and variant execute: by owners, in batches, nested, by keys and contracts as modules. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Hex } from 'viem'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { controlContracts, dataOf, eoa, FREE, own } from '../../../../testing/evm/control.ts'
import { type Deployed, evmOf } from '../../../../testing/evm/evm.ts'
import { withoutTraces } from '../../../../testing/evm/node-without-traces.ts'
import {
  batchData,
  execData,
  execute,
  multiSend,
  oldMultiSend,
  oldSafe,
} from '../../../../testing/evm/safe-transactions.ts'
import { caughtUp, startWatching, storedEvents } from '../../../../testing/evm/watching.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { toBytes } from '../../lib/hex.ts'
import { sql } from '../../platform/sql.ts'
import { saveContract } from '../registry/contracts.ts'

const OLD = ['1.0.0', '1.1.1', '1.2.0'] as const
const NEW = ['1.3.0', '1.4.1', '1.5.0'] as const
const [OWNER, OTHER, KEY] = [eoa(1), eoa(2), eoa(3)]

test('every release and variant, with and without traces', { skip: anvilMissing, timeout: 600_000 }, async () => {
  const node = await anvilForTests(1, FREE)
  const evm = await evmOf(node)
  const made = controlContracts(node, evm)
  const outer = await made.safe(1, [OWNER], '1.4.1', 'L1')
  const owners = [OWNER, outer.address]
  type Release = { readonly name: string; readonly safe: Deployed; readonly library: Deployed }
  const releases: Release[] = []
  for (const version of OLD)
    releases.push({
      name: version,
      safe: await oldSafe(evm, owners, 1, version),
      // The library of 1.0.0 takes batches of another form.
      library: await oldMultiSend(evm, version === '1.0.0' ? '1.1.1' : version),
    })
  for (const version of NEW)
    for (const variant of ['L1', 'L2'] as const)
      releases.push({
        name: `${version} ${variant}`,
        safe: await made.safe(1, owners, version, variant),
        library: await multiSend(evm, version),
      })
  const unknown = await evm.deploy(own('Plain'))
  const set = dataOf(unknown, 'set', [1n])
  const delegated = { to: unknown.address, data: set, isDelegated: true }
  const worlds = await Promise.all(
    [node, await withoutTraces(node)].map(async (endpoint) => {
      const { database } = await createTestDatabase()
      return { database, endpoint }
    }),
  )
  const tokens = new Map<string, Deployed>()
  for (const { name, safe } of releases) tokens.set(name, await evm.deploy(own('OwnedToken'), safe.address))
  const foreign = await evm.deploy(own('OwnedToken'), eoa(9))
  for (const { database, endpoint } of worlds) {
    for (const { address } of [...releases.map(({ safe }) => safe), ...tokens.values(), foreign])
      await saveContract(database, { chainId: 1, address })
    const watching = startWatching(database, [endpoint])
    after(() => watching.stop())
  }

  /** The findings of a transaction, with traces and without. */
  const findings = async (hash: Hex): Promise<readonly (readonly string[])[]> => {
    const all: string[][] = []
    for (const { database } of worlds) {
      await caughtUp(database, node)
      const events = (await storedEvents(database, 1)).filter(
        ({ txHash, logIndex }) => txHash === hash && logIndex >= 1e9,
      )
      all.push(
        events
          .map(({ key, severity, args }) => `${key} ${severity} ${typeof args.to === 'string' ? args.to : ''}`)
          .toSorted(),
      )
    }
    return all
  }
  const both = async (hash: Hex, expected: readonly string[], message: string): Promise<void> => {
    assert.deepEqual(await findings(hash), [expected, expected], message)
  }
  const CRITICAL = `safe.delegatecall_unknown critical ${unknown.address}`

  for (const { name, safe, library } of releases) {
    const token = tokens.get(name) as Deployed
    const give = { to: token.address, data: dataOf(token, 'transferOwnership', [OTHER]) }
    await both(await execute(made, safe, OWNER, delegated), [CRITICAL], `${name}: delegatecall`)

    const inner = { to: library.address, data: batchData([give, delegated]), isDelegated: true }
    const batch = { to: library.address, data: batchData([{ to: eoa(5) }, inner]), isDelegated: true }
    await both(
      await execute(made, safe, OWNER, batch),
      [`safe.control_call high ${token.address}`, CRITICAL],
      `${name}: a batch in a batch`,
    )

    const failing = { to: foreign.address, data: dataOf(foreign, 'transferOwnership', [OTHER]), safeTxGas: 100_000n }
    await both(
      await execute(made, safe, OWNER, failing),
      [`attempt.failed high ${foreign.address}`],
      `${name}: a call that fails`,
    )

    const nested = { to: safe.address, data: execData(safe, outer.address, delegated) }
    await both(await execute(made, outer, OWNER, nested), [CRITICAL], `${name}: nested in a Safe that is not watched`)

    const module = await evm.deploy(own('OpenCodeModule'), safe.address)
    const decoy = await evm.deploy(own('DecoyModule'), safe.address, unknown.address, set)
    for (const address of [KEY, module.address, decoy.address])
      await execute(made, safe, OWNER, { to: safe.address, data: dataOf(outer, 'enableModule', [address]) })
    const harmless = [eoa(5), 0n, '0x', 0] as const
    await both(
      await made.as(KEY, { ...safe, abi: outer.abi }, 'execTransactionFromModule', unknown.address, 0n, set, 1),
      [CRITICAL],
      `${name}: a key as module`,
    )
    if (name === '1.0.0') {
      // It logs nothing that a module executes: the transaction is traced because the poll found the module.
      for (const { database } of worlds) {
        await saveContract(database, { chainId: 1, address: safe.address }, { kind: 'safe' })
        await saveContract(database, { chainId: 1, address: decoy.address })
        await database.query(
          sql`insert into contract_controller (chain_id, address, controller_chain_id, controller, is_logic)
           values (1, $1, 1, $2, false)`,
          [toBytes(safe.address), toBytes(decoy.address)],
        )
        await caughtUp(database, node)
      }
      assert.deepEqual(await findings(await evm.sendRaw(decoy.address, '0x12345678')), [[CRITICAL], []], name)
      continue
    }
    const input = dataOf(outer, 'execTransactionFromModule', harmless)
    for (const [what, hash] of [
      ['a contract as module', await evm.send(module, 'execute', [unknown.address, 0n, set, 1])],
      ['a module whose input names another call', await evm.sendRaw(decoy.address, input)],
    ] as const) {
      // Without a trace and without a log of the whole transaction, it is reported that it could not be read.
      const blind = name.endsWith('L2') ? [CRITICAL] : ['safe.execution_hidden high ']
      assert.deepEqual(await findings(hash), [[CRITICAL], blind], `${name}: ${what}`)
    }
  }
})
