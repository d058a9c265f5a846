/** PostgreSQL, Redis and mail over TLS: a certificate of a known authority is accepted, any other is refused. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { SMTPServer } from 'smtp-server'
import { startExternalPostgres } from '../support/external-postgres.ts'
import { redisMissing, startTestRedis } from '../support/redis.ts'
import { CA_CERTIFICATE, SERVER_CERTIFICATE, SERVER_KEY } from '../support/tls.ts'

/** A mail server that offers STARTTLS, or none that does. */
async function mailServer(offersTls: boolean): Promise<number> {
  const server = new SMTPServer({
    key: readFileSync(SERVER_KEY),
    cert: readFileSync(SERVER_CERTIFICATE),
    authOptional: true,
    disabledCommands: offersTls ? [] : ['STARTTLS'],
    logger: false,
  })
  server.on('error', () => undefined) // a client that does not trust the certificate
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => new Promise<void>((resolve) => server.close(resolve)))
  return (server.server.address() as AddressInfo).port
}

test('connections to PostgreSQL, Redis and the mail server verify certificates', { skip: redisMissing }, async () => {
  const [postgres, redis] = [await startExternalPostgres({ tls: true }), await startTestRedis({ tls: true })]
  const [encrypted, plain] = [await mailServer(true), await mailServer(false)]
  const connect = async (smtpPort: number, env: Readonly<Record<string, string>>) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        join(import.meta.dirname, 'tls-client.ts'),
        `${postgres.url}?sslmode=verify-full`,
        redis.url,
        `smtp://127.0.0.1:${smtpPort}/?requireTLS=true`,
      ],
      { env: { PATH: process.env.PATH ?? '', ...env }, timeout: 240_000 },
    )
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Readonly<Record<string, string>>
  }
  const trusted = await connect(encrypted, { NODE_EXTRA_CA_CERTS: CA_CERTIFICATE })
  assert.deepEqual(trusted, { postgres: 'TLSv1.3', redis: 'connected', smtp: 'connected' })
  const untrusted = await connect(encrypted, {})
  for (const [part, outcome] of Object.entries(untrusted)) assert.match(outcome, /^refused: /, part)
  assert.match(untrusted.postgres ?? '', /certificate/)
  assert.match(untrusted.smtp ?? '', /certificate/)
  const downgraded = await connect(plain, { NODE_EXTRA_CA_CERTS: CA_CERTIFICATE })
  assert.match(downgraded.smtp ?? '', /^refused: .*STARTTLS/, 'a server that offers no encryption')
})
