/** The routes under /me/operator. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { eventually } from '../../../testing/support/receivers.ts'
import {
  makeTestAccount,
  makeTestKey,
  signIn,
  startService,
  type TestAccount,
} from '../../../testing/support/service.ts'
import { sql } from '../platform/sql.ts'

const store = await createTestDatabase()
const service = await startService(store, { env: { ETHEREUM_RPC_URL: 'http://127.0.0.1:9/secret-path' } })
const { url } = service
const [operator, account] = [
  await makeTestAccount(store.database, { operator: true }),
  await makeTestAccount(store.database),
]
const ADDRESS = `0x${'5a'.repeat(20)}`

const ROUTES = [
  ['GET', '/me/operator/accounts', undefined],
  ['PATCH', `/me/operator/accounts/${account.id}`, { plan: 'team' }],
  ['GET', '/me/operator/chains', undefined],
  ['GET', '/me/operator/contracts', undefined],
  ['GET', '/me/operator/changes', undefined],
  ['PUT', `/me/operator/contracts/base/${ADDRESS}`, { name: 'Vault' }],
] as const

async function send(method: string, path: string, body: unknown, headers: Readonly<Record<string, string>>) {
  const answer = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const json = (await answer.json()) as Record<string, never> & { error?: { code: string } }
  return { json, outcome: `${answer.status} ${json.error?.code ?? ''}`.trim() }
}
const as = async (who: TestAccount) => ({ cookie: await signIn(service, who), origin: url })

test('operator routes require an operator and our own origin', async () => {
  const [theirs, ours] = [await as(account), await as(operator)]
  for (const [method, path, body] of ROUTES) {
    assert.equal((await send(method, path, body, {})).outcome, '401 unauthorized', path)
    assert.equal((await send(method, path, body, theirs)).outcome, '403 operator_required', path)
    const foreign = { ...ours, origin: 'https://evil.example' }
    assert.equal((await send(method, path, body, foreign)).outcome, method === 'GET' ? '200' : '403 cross_origin', path)
  }
  const { rows } = await store.database.query<{ plan: string }>(sql`select plan from user_account where id = $1`, [
    account.id,
  ])
  assert.equal(rows[0]?.plan, 'free')
})

test('accounts are found, and plan changes apply at once', async () => {
  const headers = await as(operator)
  const { json } = await send('GET', `/me/operator/accounts?search=${account.email.toUpperCase()}`, undefined, headers)
  const { items, total } = json as unknown as { items: { id: string; plan: string }[]; total: number }
  assert.equal(total, 2)
  assert.deepEqual(
    items.map(({ id, plan }) => [id, plan]),
    [[account.id, 'free']],
  )
  const { key } = await makeTestKey(store.database, account, 'v2')
  const usage = async () => {
    const answer = await fetch(`${url}/api/v2/usage`, { headers: { 'x-api-key': key } })
    return ((await answer.json()) as { data: { plan: string } }).data.plan
  }
  assert.equal(await usage(), 'basic')
  const changed = await send('PATCH', `/me/operator/accounts/${account.id}`, { utxoPlan: 'pro' }, headers)
  assert.equal(changed.outcome, '200')
  while ((await usage()) !== 'pro'); // as soon as the notice has come
  assert.equal(
    (await send('PATCH', '/me/operator/accounts/nobody', { plan: 'team' }, headers)).outcome,
    '404 account_not_found',
  )
  assert.equal(
    (await send('PATCH', `/me/operator/accounts/${account.id}`, { operator: true }, headers)).outcome,
    '400 invalid_request',
  )
})

test('a contract is added, named, found and renamed', async () => {
  const headers = await as(operator)
  const put = (body: unknown) => send('PUT', `/me/operator/contracts/base/${ADDRESS}`, body, headers)
  const first = (await put({ name: 'Vault', protocol: 'Meadow' })).json as unknown as Record<string, unknown>
  assert.equal(first['isNew'], true)
  const second = (await put({ name: 'Meadow Vault' })).json as unknown as {
    isNew: boolean
    contract: Record<string, unknown>
  }
  assert.equal(second.isNew, false)
  const found = { name: 'Meadow Vault', protocol: 'Meadow', chainSlug: 'base', source: 'manual', address: ADDRESS }
  assert.deepEqual({ ...second.contract, ...found }, second.contract)
  for (const search of ['meadow v', 'MEADOW', ADDRESS]) {
    const { json } = await send('GET', `/me/operator/contracts?search=${search}`, undefined, headers)
    const { items } = json as unknown as { items: { address: string }[] }
    assert.deepEqual(
      items.map(({ address }) => address),
      [ADDRESS],
      search,
    )
  }
  assert.equal((await send('PUT', `/me/operator/contracts/base/0x12`, {}, headers)).outcome, '400 invalid_address')
})

test('every change of an operator is recorded, listed and exported, and no record can be changed', async () => {
  const headers = await as(operator)
  const managed = await makeTestAccount(store.database)
  await send('PATCH', `/me/operator/accounts/${managed.id}`, { plan: 'team' }, headers)
  await send('PUT', `/me/operator/contracts/base/0x${'5b'.repeat(20)}`, { name: '=1+1,"x"' }, headers)
  const { json } = await send('GET', '/me/operator/changes?limit=2', undefined, headers)
  const { items } = json as unknown as { items: Record<string, unknown>[] }
  assert.deepEqual(
    items.map(({ actor, action, subject, before, after }) => [actor, action, subject, before, after]),
    [
      [operator.email, 'contract.save', `base 0x${'5b'.repeat(20)}`, null, { name: '=1+1,"x"', protocol: null }],
      [
        operator.email,
        'account.plan',
        managed.email,
        { plan: 'free', utxoPlan: 'basic' },
        { plan: 'team', utxoPlan: 'basic' },
      ],
    ],
  )
  const refused = await fetch(`${url}/me/operator/changes.csv`, { headers: await as(account) })
  assert.equal(refused.status, 403)
  const exported = await fetch(`${url}/me/operator/changes.csv`, { headers })
  assert.match(exported.headers.get('content-type') ?? '', /^text\/csv/)
  const [head, first = ''] = (await exported.text()).split('\r\n')
  assert.equal(head, 'id,at,actor,action,subject,before,after')
  assert.match(first, /,contract\.save,base 0x[5b]+,,"\{""name"":""=1\+1,/)
  for (const statement of [sql`delete from operator_change`, sql`update operator_change set actor = 'x'`])
    await assert.rejects(store.database.query(statement), /only added to/)
})

test('chains report their last error', async () => {
  const headers = await as(operator)
  const chain = await eventually(async () => {
    const { json } = await send('GET', '/me/operator/chains', undefined, headers)
    const { chains } = json as unknown as { chains: { chain: string; lastError: string | null }[] }
    assert.equal(chains.length, 1)
    return chains.find(({ lastError }) => lastError !== null)
  })
  assert.equal(chain.chain, 'ethereum')
  assert.match(chain.lastError ?? '', /no endpoint responded/)
})
