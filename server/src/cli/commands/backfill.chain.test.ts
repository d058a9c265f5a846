import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { type Anvil, anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { type Deployed, type Evm, evmOf } from '../../../../testing/evm/evm.ts'
import { artifact } from '../../../../testing/evm/scenario.ts'
import { caughtUp, startWatching, storedEvents } from '../../../../testing/evm/watching.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { AUTH_SECRET, spawnGatewatch } from '../../../../testing/support/service.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { saveContract } from '../../control/registry/contracts.ts'
import { reasonOf } from '../../lib/errors.ts'
import type { Database } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { parseArguments } from '../command.ts'
import { backfillCommand } from './backfill.ts'

const cwd = temporaryFolder()

/** A chain of six blocks: a contract is created in the first and emits three events in each of the others. */
async function chainWithHistory(): Promise<{ readonly node: Anvil; readonly evm: Evm; readonly spammer: Deployed }> {
  const node = await anvilForTests(1)
  const evm = await evmOf(node)
  const spammer = await evm.deploy(artifact('Spammer'))
  for (let n = 0n; n < 5n; n += 1n) await evm.send(spammer, 'spam', [3n, n])
  return { node, evm, spammer }
}

async function type(url: string, node: Anvil, ...args: readonly string[]) {
  const env = { DATABASE_URL: url, AUTH_SECRET, ETHEREUM_RPC_URL: node.url, ETHEREUM_CONFIRMATIONS: '0' }
  const { exit, output } = spawnGatewatch(['backfill', 'ethereum', ...args], { cwd, env })
  const { code } = await exit
  return { code, output: output().trim() }
}

const blocksOf = async (database: Database): Promise<readonly number[]> =>
  (await storedEvents(database, 1)).map((event) => event.blockNumber)

test('a backfill reads history with and without a running watcher', {
  skip: anvilMissing,
  timeout: 240_000,
}, async () => {
  const { node, evm, spammer } = await chainWithHistory()
  const { database, url } = await createTestDatabase()
  await saveContract(database, { chainId: 1, address: spammer.address })

  const watching = startWatching(database, [node], { startBlock: undefined })
  await caughtUp(database, node)
  await evm.send(spammer, 'spam', [3n, 9n])
  await caughtUp(database, node)
  assert.deepEqual(await blocksOf(database), [6, 6, 6, 7, 7, 7])
  const parallel = await type(url, node, '--from', '5', '--json')
  assert.equal(parallel.code, 0, parallel.output)
  assert.match(parallel.output, /"startBlock": 5,\s+"events": 3,/)
  assert.deepEqual(await blocksOf(database), [5, 5, 5, 6, 6, 6, 7, 7, 7])
  assert.equal(watching.status().get('ethereum')?.holdsLease, true)
  await watching.stop()

  const alone = await type(url, node, '--from', '3')
  assert.match(alone.output, /ethereum: history: 100 %, .*blocks\/s, done, 6 events/)
  assert.match(alone.output, /history is complete from block 3; found 6 events/)
  assert.deepEqual((await blocksOf(database)).slice(0, 7), [3, 3, 3, 4, 4, 4, 5])
  // A backfill of existing history changes nothing.
  assert.match((await type(url, node, '--from', '4')).output, /from block 3; found 0 events/)

  const { database: fresh, url: freshUrl } = await createTestDatabase()
  const first = await type(freshUrl, node, '--from', '0', '--json')
  assert.equal(first.code, 0, first.output)
  assert.equal((await fresh.query(sql`select count(*) from contract where chain_id = 1`)).rows[0].count > 20, true)
})

type LogsCall = { method: string; params: [{ fromBlock?: string; toBlock?: string; address?: readonly string[] }] }

/** A proxy that allows one block per request, records the blocks of log requests, and does not respond from `mute` on. */
async function toll(node: Anvil, contract: string) {
  const asked: number[] = []
  const held = Promise.withResolvers<void>()
  const gate = { mute: Number.POSITIVE_INFINITY }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    if (body === '') {
      response.writeHead(404).end() // no websocket here
      return
    }
    const call = JSON.parse(body) as LogsCall
    const { fromBlock, toBlock, address } = call.method === 'eth_getLogs' ? call.params[0] : {}
    if (fromBlock !== toBlock) {
      response.end('{"id":null,"error":{"code":-32005,"message":"limited to a 1 block range"}}')
      return
    }
    if (address?.includes(contract) === true) {
      asked.push(Number(fromBlock))
      if (Number(fromBlock) >= gate.mute) {
        held.resolve()
        return
      }
    }
    const headers = { 'content-type': 'application/json' }
    response.end(await (await fetch(node.url, { method: 'POST', headers, body })).text())
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  after(() => (server.close(), server.closeAllConnections()))
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, asked, gate, held: held.promise }
}

test('a killed backfill continues where it stopped, without gaps or duplicates', {
  skip: anvilMissing,
  timeout: 240_000,
}, async () => {
  const { node, spammer } = await chainWithHistory()
  const { database, url } = await createTestDatabase()
  const watching = startWatching(database, [node], { startBlock: undefined })
  await caughtUp(database, node)
  await watching.stop()
  await saveContract(database, { chainId: 1, address: spammer.address })

  const { gate, asked, held, ...proxy } = await toll(node, spammer.address)
  gate.mute = 4
  const env = { DATABASE_URL: url, AUTH_SECRET, ETHEREUM_RPC_URL: proxy.url, ETHEREUM_CONFIRMATIONS: '0' }
  const first = spawnGatewatch(['backfill', 'ethereum', '--from', '0'], { cwd, env })
  await held
  // Blocks before the unanswered one are stored while its request is pending.
  while ((await blocksOf(database)).length < 6) await new Promise((resolve) => setTimeout(resolve, 20))
  first.child.kill('SIGKILL')
  await first.exit
  assert.deepEqual(await blocksOf(database), [2, 2, 2, 3, 3, 3])

  gate.mute = Number.POSITIVE_INFINITY
  asked.length = 0
  const second = spawnGatewatch(['backfill', 'ethereum', '--from', '0'], { cwd, env })
  assert.equal((await second.exit).code, 0, second.output())
  assert.equal(Math.min(...asked), 4)
  assert.deepEqual(
    await blocksOf(database),
    [2, 3, 4, 5, 6].flatMap((block) => [block, block, block]),
  )
})

test('invalid arguments are reported', async () => {
  const refusal = (...args: readonly string[]): Promise<unknown> =>
    backfillCommand.run(parseArguments(backfillCommand, args), { beforeExit: () => {} }).catch(reasonOf)
  assert.equal(await refusal('base'), '--from is missing.')
  assert.equal(await refusal('base', '--from', '0x10'), 'Invalid block "0x10" for --from. Use a decimal block number.')
  assert.equal(await refusal('base', '--from', '1'), 'base is not configured. Set BASE_RPC_URL.')
  assert.match(String(await refusal('mars', '--from', '1')), /Unknown chain "mars"/)
})
