import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { saveContract } from '../../server/src/control/registry/contracts.ts'
import type { Database } from '../../server/src/platform/database.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { createTestDatabase } from '../support/database.ts'
import { eventually } from '../support/receivers.ts'
import { type Anvil, anvilForTests, anvilMissing } from './anvil.ts'
import { type Deployed, type Evm, evmOf } from './evm.ts'
import { artifact } from './scenario.ts'
import { caughtUp, storedEvents } from './watching.ts'

const CHAINS = [1, 8453] as const

test('two processes share the chains; when one is killed the other takes over, and every event is stored once', {
  skip: anvilMissing,
  timeout: 120_000,
}, async () => {
  const { database, url } = await createTestDatabase()
  const nodes = await Promise.all(CHAINS.map((id) => anvilForTests(id)))
  const evms = await Promise.all(nodes.map(evmOf))
  const spammers = await Promise.all(evms.map((evm) => evm.deploy(artifact('Spammer'))))
  for (const [at, { address }] of spammers.entries())
    await saveContract(database, { chainId: CHAINS[at] as number, address })

  const first = startProcess(url, nodes)
  const second = startProcess(url, nodes)
  await eventually(async () => {
    const holders = new Set([await holderOf(database, 1), await holderOf(database, 8453)])
    return (holders.size === 2 && !holders.has(undefined)) || undefined
  })
  await emitEvents(evms, spammers, 10)
  for (const node of nodes) await caughtUp(database, node)

  const victim = (await holderOf(database, 1)) === first.pid ? first : second
  const successor = victim === first ? second : first
  const emitting = emitEvents(evms, spammers, 40)
  victim.kill('SIGKILL')
  await emitting
  for (const node of nodes) await caughtUp(database, node)
  assert.equal(await holderOf(database, 1), successor.pid)

  for (const chainId of CHAINS) {
    const events = await storedEvents(database, chainId)
    assert.equal(events.length, 50 * 4)
    assert.equal(new Set(events.map((event) => `${event.txHash}:${event.logIndex}`)).size, events.length)
  }
})

function startProcess(url: string, nodes: readonly Anvil[]): ChildProcess {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'watch-process.ts'), ...nodes.map((node) => `${node.chainId}=${node.url}`)],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DATABASE_URL: url } },
  )
  after(() => child.kill('SIGKILL'))
  return child
}

/** Returns the id of the process that holds the lease of a chain; it is part of the holder's name. */
async function holderOf(database: Database, chainId: number): Promise<number | undefined> {
  const { rows } = await database.query<{ holder: string }>(sql`select holder from lease where name = $1`, [
    `watch:${chainId}`,
  ])
  return rows[0] === undefined ? undefined : Number(rows[0].holder.split(':').at(-2))
}

async function emitEvents(evms: readonly Evm[], spammers: readonly Deployed[], times: number): Promise<void> {
  await Promise.all(
    evms.map(async (evm, at) => {
      for (let n = 0; n < times; n += 1) await evm.send(spammers[at] as Deployed, 'spam', [4n, BigInt(n)])
    }),
  )
}
