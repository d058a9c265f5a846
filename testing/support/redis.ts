/**
 * Starts a Redis server for one test file.
 *
 * Debian's redis-tools contains the server under another name, and installing the tools starts no service.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { after } from 'node:test'
import { Redis } from 'ioredis'
import { freePort } from './port.ts'
import { hasEnded } from './service.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { CA_CERTIFICATE, SERVER_CERTIFICATE, SERVER_KEY } from './tls.ts'

const SERVER_UNDER_ANOTHER_NAME = '/usr/bin/redis-check-rdb'

function serverCommand(): { command: string; argv0: string } | undefined {
  for (const name of ['valkey-server', 'redis-server']) {
    if (spawnSync(name, ['--version']).status === 0) return { command: name, argv0: name }
  }
  return existsSync(SERVER_UNDER_ANOTHER_NAME)
    ? { command: SERVER_UNDER_ANOTHER_NAME, argv0: 'redis-server' }
    : undefined
}

/** The reason why there is no Redis, or false: the value of a test's `skip`. In CI a missing Redis is a failure. */
export const redisMissing: string | false =
  serverCommand() === undefined
    ? 'no redis-server or valkey-server on this machine (on Debian: apt-get install redis-tools)'
    : false
if (redisMissing !== false && process.env.CI !== undefined) throw new Error(redisMissing)

export type TestRedis = {
  readonly url: string
  /** Kills and restarts the server with the last saved snapshot, if any. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** `tls` makes it accept encrypted connections only, with the certificate of the tests. */
export async function startTestRedis({ tls = false } = {}): Promise<TestRedis> {
  const server = serverCommand()
  if (server === undefined) throw new Error('no Redis')
  const port = await freePort()
  const url = `${tls ? 'rediss' : 'redis'}://127.0.0.1:${port}`
  const certificates = ['--tls-cert-file', SERVER_CERTIFICATE, '--tls-key-file', SERVER_KEY]
  const listening = tls
    ? ['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'no', ...certificates].concat(
        '--tls-ca-cert-file',
        CA_CERTIFICATE,
      )
    : ['--port', String(port)]
  const folder = temporaryFolder()
  let child: ChildProcess
  const start = async () => {
    child = spawn(
      server.command,
      [...listening, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--daemonize', 'no'],
      { argv0: server.argv0, stdio: 'ignore', cwd: folder },
    )
    const probe = new Redis(url, {
      ...(tls && { tls: { rejectUnauthorized: false } }),
      maxRetriesPerRequest: null,
      retryStrategy: () => 10,
    })
    probe.on('error', () => {})
    await Promise.race([
      probe.ping(),
      once(child, 'exit').then(() => Promise.reject(new Error('Redis does not start'))),
    ])
    probe.disconnect()
  }
  const stop = () =>
    new Promise<void>((resolve) => {
      if (hasEnded(child)) return resolve()
      child.once('exit', () => resolve())
      child.kill('SIGKILL')
    })
  await start()
  after(stop)
  return {
    url,
    stop,
    restart: async () => {
      await stop()
      await start()
    },
  }
}
