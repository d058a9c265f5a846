/** `gatewatch chain list` and `chain test` with a real node, and a service that watches a chain of the operator's file. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { freePort } from '../../../../testing/support/port.ts'
import { eventually, serve } from '../../../../testing/support/receivers.ts'
import { makeTestAccount, makeTestKey, spawnGatewatch, startService } from '../../../../testing/support/service.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'

const ID = 31_337
const cwd = temporaryFolder()
const file = join(cwd, 'chains.json')
const chain = { id: ID, slug: 'my-chain', name: 'Mine', explorer: 'https://x.example', blockTimeMs: 1_000 }
writeFileSync(file, JSON.stringify({ chains: [{ ...chain, finality: 'finalized', reorgLimit: 64 }] }))

async function run(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const { exit, output } = spawnGatewatch(args, { cwd, env: { CHAINS_FILE: file, ...env } })
  return { code: (await exit).code, output: output() }
}

test('the list has built-in chains, presets and those of the file', async () => {
  const { output } = await run({ GNOSIS_RPC_URL: 'http://127.0.0.1:9' }, 'chain', 'list', '--json')
  const rows = JSON.parse(output) as { slug: string; isConfigured: boolean }[]
  const states = ['ethereum', 'gnosis', 'my-chain'].map((slug) => rows.find((row) => row.slug === slug)?.isConfigured)
  assert.deepEqual(states, [false, true, false])
})

test('an endpoint is asked what it supports', { skip: anvilMissing }, async () => {
  const node = await anvilForTests(ID)
  await node.rpc('anvil_mine', '0xc8')
  const found = await run({ MY_CHAIN_RPC_URL: node.url }, 'chain', 'test', 'my-chain', '--json')
  const [{ abilities, faults }] = JSON.parse(found.output) as [{ abilities: Record<string, unknown>; faults: string[] }]
  assert.deepEqual([found.code, faults], [0, []])
  assert.deepEqual(
    [
      abilities.chainId,
      abilities.logsByHash,
      abilities.logRange,
      abilities.batch,
      abilities.overrides,
      abilities.archiveDepth,
    ],
    [ID, true, 10_000, 100, true, 200],
  )
  const [wrong, unset, unknown] = await Promise.all([
    run({}, 'chain', 'test', 'gnosis', '--rpc', node.url),
    run({}, 'chain', 'test', 'gnosis'),
    run({}, 'chain', 'test', 'nowhere'),
  ])
  assert.equal(wrong.code, 1)
  assert.match(wrong.output, /FAILS {2}It is an endpoint of chain 31337\./)
  assert.match(unset.output, /set GNOSIS_RPC_URL/)
  assert.match(unknown.output, /Unknown chain "nowhere"/)
})

test('an endpoint that cannot be tested is reported with the reason', async () => {
  const basic = `Basic ${Buffer.from('user:password').toString('base64')}`
  const [refusing, limited] = await Promise.all([
    serve((_, response) => response.writeHead(401).end('Must be authenticated!')),
    serve(({ headers: { authorization } }, response) => {
      const message = authorization === basic ? 'daily request count exceeded' : 'no credentials'
      response.end(JSON.stringify({ error: { code: -32005, message } }))
    }),
  ])
  const host = `127.0.0.1:${await freePort()}`
  const [dead, refused, exceeded, ...invalid] = await Promise.all([
    run({}, 'chain', 'test', 'gnosis', '--rpc', `http://${host}/secret-key`),
    run({}, 'chain', 'test', 'gnosis', '--rpc', refusing),
    run({}, 'chain', 'test', 'gnosis', '--rpc', limited.replace('//', '//user:password@')),
    run({}, 'chain', 'test', 'gnosis', '--rpc', 'localhost'),
    run({}, 'chain', 'test', 'gnosis', '--rpc', 'wss://node.example'),
  ])
  assert.equal(dead.code, 1)
  assert.equal(dead.output.trim(), `${host} cannot be tested: connect ECONNREFUSED ${host}.`)
  assert.match(refused.output, /cannot be tested: HTTP 401: Must be authenticated!/)
  assert.match(exceeded.output, /cannot be tested: eth_chainId is refused: daily request count exceeded\./)
  for (const { code, output } of invalid)
    assert.deepEqual([code, output.trim()], [64, 'Invalid URL in --rpc. Use http or https.'])
})

test('a chain of the file is watched up to its finalized block, and routes take its slug and id', {
  skip: anvilMissing,
}, async () => {
  const [store, node] = [await createTestDatabase(), await anvilForTests(ID)]
  await node.rpc('anvil_mine', '0xc8')
  const env = { CHAINS_FILE: file, MY_CHAIN_RPC_URL: node.url, ROLES: 'serve,watch' }
  const { url } = await startService(store, { env })
  const { key } = await makeTestKey(store.database, await makeTestAccount(store.database, { plan: 'team' }), 'v1')
  const block = (await node.rpc('eth_getBlockByNumber', 'finalized', false)) as { readonly number: string }
  const finalized = Number(block.number)
  await eventually(async () => {
    const { control } = (await (await fetch(`${url}/public/status`)).json()) as { control: Record<string, unknown>[] }
    return control.find(({ chain: slug, head }) => slug === 'my-chain' && head === finalized)
  })
  for (const named of ['my-chain', ID]) {
    const response = await fetch(`${url}/v1/events?chain=${named}`, { headers: { authorization: `Bearer ${key}` } })
    assert.equal(response.status, 200)
  }
  const { chains } = (await (await fetch(`${url}/public/about`)).json()) as {
    chains: { slug: string; enabled: boolean }[]
  }
  assert.equal(chains.find(({ slug }) => slug === 'my-chain')?.enabled, true)
})
