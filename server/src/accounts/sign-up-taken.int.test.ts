/** If addresses must be confirmed, a sign-up does not reveal whether an address has an account. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { keepSecretOfTest } from '../../../testing/support/log.ts'
import { eventually, mailSink } from '../../../testing/support/receivers.ts'
import { makeTestAccount, startService } from '../../../testing/support/service.ts'
import { sql } from '../platform/sql.ts'

const [store, sink] = await Promise.all([createTestDatabase(), mailSink()])

async function signUp(url: string, email: string) {
  const answer = await fetch(`${url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password: keepSecretOfTest(randomBytes(12).toString('base64url')), name: 'Eve' }),
  })
  return {
    status: answer.status,
    body: (await answer.json()) as { error?: { code: string }; user?: Record<string, unknown> },
  }
}

test('with mail, a sign-up with a taken address gets the usual response and changes nothing', async () => {
  const { url } = await startService(store, { env: { SMTP_URL: sink.url, MAIL_FROM: 'gw@example.org' } })
  const { email } = await makeTestAccount(store.database)
  const [taken, free] = [await signUp(url, email), await signUp(url, 'new@example.org')]
  const shapeOf = ({ status, body: { user = {}, ...rest } }: typeof taken) => ({
    status,
    ...rest,
    user: { ...user, id: typeof user.id, email: typeof user.email, createdAt: '', updatedAt: '' },
  })
  assert.deepEqual(shapeOf(taken), shapeOf(free))
  const { rows } = await store.database.query(sql`select name from user_account where email = $1`, [email])
  assert.notEqual(rows[0]?.name, 'Eve')
  await eventually(() => sink.mails[0])
  assert.deepEqual(
    sink.mails.map(({ to }) => (to !== undefined && 'text' in to ? to.text : '')),
    ['new@example.org'],
  )
})

test('without mail, a sign-up with a taken address is rejected', async () => {
  const { url } = await startService(store)
  const { email } = await makeTestAccount(store.database)
  const { status, body } = await signUp(url, email)
  assert.deepEqual([status, body.error?.code], [422, 'user_already_exists_use_another_email'])
})
