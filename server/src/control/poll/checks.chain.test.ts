/** Checks that visitors request: a whole service on a real node. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { controlContracts, eoa, FREE } from '../../../../testing/evm/control.ts'
import { evmOf } from '../../../../testing/evm/evm.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { startService } from '../../../../testing/support/service.ts'
import { type Hex, toBytes } from '../../lib/hex.ts'
import { sql } from '../../platform/sql.ts'
import { CHECKS_PER_WINDOW } from '../http/public-routes.ts'
import { deleteOldChecks, findCheck, requestCheck, startChecks } from './checks.ts'
import { createCodeAnalyzer } from './code-analyzer.ts'

type Answer = { readonly data: { readonly state: string; readonly control: { profile: { label: string } } | null } }

test('a visitor checks a contract that is not watched', { skip: anvilMissing }, async () => {
  const node = await anvilForTests(1, FREE)
  const evm = await evmOf(node)
  const store = await createTestDatabase()
  const [key] = evm.accounts
  assert.ok(key)
  const { address: proxy } = await controlContracts(node, evm).transparent5(key)
  const { url } = await startService(store, {
    env: { ROLES: 'serve,poll', ETHEREUM_RPC_URL: node.url, ETHEREUM_CONFIRMATIONS: '0', TRUST_PROXY: '1' },
  })
  const ask = async (method: string, path: string, from = '203.0.113.1') => {
    const response = await fetch(`${url}/public/control/checks/${path}`, {
      method,
      headers: { 'x-forwarded-for': from },
    })
    return { status: response.status, body: (await response.json()) as Answer }
  }
  const checked = async (address: Hex): Promise<Answer['data']> => {
    const path = `ethereum/${address}`
    assert.partialDeepStrictEqual(await ask('POST', path), { status: 200, body: { data: { address } } })
    await eventually(async () => (await findCheck(store.database, { chainId: 1, address }))?.checkedAt ?? undefined)
    const { body } = await ask('GET', path)
    assert.equal(body.data.state, 'done')
    return body.data
  }
  assert.equal((await ask('GET', `ethereum/${proxy}`)).status, 404)
  assert.equal((await checked(proxy)).control?.profile.label, 'single_key')
  assert.equal((await checked(eoa(7))).control, null, 'there is no contract')

  const { rows } = await store.database.query<{ contracts: number; events: number; profiles: number }>(
    sql`select (select count(*) from contract where address = $1)::int as contracts,
      (select count(*) from control_event)::int as events,
      (select count(*) from control_profile where address = $1)::int as profiles`,
    [toBytes(proxy)],
  )
  assert.deepEqual(rows, [{ contracts: 0, events: 0, profiles: 0 }], 'a check watches and publishes nothing')

  assert.partialDeepStrictEqual(await ask('POST', `base/${proxy}`), {
    status: 409,
    body: { error: { code: 'chain_not_watched' } },
  })
  const other = '203.0.113.200'
  for (let n = 0; n < CHECKS_PER_WINDOW; n += 1) await ask('POST', `ethereum/${proxy}`, other)
  assert.equal((await ask('POST', `ethereum/${proxy}`, other)).status, 429)
})

test('a check is kept for a day, refused if many wait, and left to others by a process that ends', async () => {
  const { database } = await createTestDatabase()
  const ref = { chainId: 1, address: `0x${'11'.repeat(20)}` } as const
  const isStarted = async () =>
    (
      await database.query(sql`select from contract_check where address = $1 and started_at is not null`, [
        toBytes(ref.address),
      ])
    ).rowCount === 1
  assert.ok(await requestCheck(database, ref))
  const codes = createCodeAnalyzer()
  // An endpoint that never responds.
  const pool = { request: () => new Promise<never>(() => {}) } as never
  const checks = startChecks({ database, log: testLog, codes, poolOf: () => pool }, [1])
  await eventually(async () => (await isStarted()) || undefined)
  await checks.stop()
  assert.equal(await isStarted(), false)
  await codes.close()

  await database.query(
    sql`insert into contract_check (chain_id, address) select 1, decode(lpad(to_hex(n), 40, '0'), 'hex') from generate_series(1, 99) as n`,
  )
  const another = { chainId: 1, address: `0x${'22'.repeat(20)}` } as const
  assert.equal(await requestCheck(database, another), undefined)

  await database.query(sql`update contract_check set requested_at = now() - interval '25 hours' where address = $1`, [
    toBytes(ref.address),
  ])
  await deleteOldChecks(database)
  assert.equal(await findCheck(database, ref), undefined)
  assert.ok(await requestCheck(database, another))
})
