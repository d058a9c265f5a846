/**
 * Runs the service for tests: in this process with the test's clock, or as real processes.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { after } from 'node:test'
import { createAccount, insertAccount } from '../../server/src/accounts/accounts.ts'
import { insertKey, makeKey } from '../../server/src/accounts/api-keys.ts'
import { type Api, KEYS_PER_ACCOUNT, type MonitorPlan, type UtxoPlan } from '../../server/src/accounts/plans.ts'
import { parseConfig, ROLES } from '../../server/src/config/config.ts'
import type { Clock } from '../../server/src/lib/clock.ts'
import type { Database } from '../../server/src/platform/database.ts'
import { PROGRAM } from '../program.ts'
import { AUTH_SECRET } from './auth-secret.ts'
import type { TestDatabase } from './database.ts'
import { keepLog, keepSecretOfTest, testLog } from './log.ts'
import { freePort } from './port.ts'
import { temporaryFolder } from './temporary-folder.ts'

export const REPOSITORY = join(import.meta.dirname, '..', '..')
/** The command. A whole run starts it from fewer files (`testing/program.ts`). */
export const GATEWATCH = process.env[PROGRAM] ?? join(REPOSITORY, 'server', 'bin', 'gatewatch.mjs')

export { AUTH_SECRET }

export type Service = { readonly url: string; readonly stop: () => Promise<void> }
export type Environment = Readonly<Record<string, string>>

/** Starts the service in this process, on a real port, with the given clock. */
export async function startService(
  { url: databaseUrl }: TestDatabase,
  { clock, env = {} }: { clock?: Clock; env?: Environment } = {},
): Promise<Service> {
  // Loaded here, because the other functions of this module do not need the whole service.
  const { start } = await import('../../server/src/main.ts')
  const port = await freePort()
  const config = parseConfig(
    { PORT: String(port), DATABASE_URL: databaseUrl, AUTH_SECRET, DATA_DIR: temporaryFolder(), ...env },
    '/',
  )
  const running = await start({ config, log: testLog, ...(clock !== undefined && { clock }) })
  let stopped = false
  const stop = async () => {
    if (!stopped) await running.stop()
    stopped = true
  }
  after(stop)
  return { url: running.url, stop }
}

export type ServiceProcess = Service & {
  readonly child: ChildProcess
  readonly output: () => string
  readonly exit: Promise<{ code: number | null; signal: string | null }>
}

/** Starts `gatewatch …` as a process. Its output is kept for the search for secrets. */
export function spawnGatewatch(
  args: readonly string[],
  { env = {}, cwd, input }: { env?: Environment; cwd: string; input?: string },
): Omit<ServiceProcess, 'url' | 'stop'> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [GATEWATCH, ...args], {
    cwd,
    // With ROLES set it is the service and never the demo.
    env: { PATH, HOME, NODE_COMPILE_CACHE, ROLES: ROLES.join(','), ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  child.stdin?.end(input)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      keepLog(chunk)
    })
  }
  const exit = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  )
  return { child, output: () => text, exit }
}

/** Whether the process has exited or was ended by a signal. */
export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** Starts a server process and waits until it is ready. */
export async function spawnService(env: Environment, cwd: string = temporaryFolder()): Promise<ServiceProcess> {
  const port = env.PORT ?? String(await freePort())
  const spawned = spawnGatewatch(['start'], { env: { PORT: port, LOG_LEVEL: 'debug', ...env }, cwd })
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    spawned.child.kill('SIGTERM')
    await spawned.exit
  }
  after(stop)
  await untilReady(url, () => hasEnded(spawned.child) && `it ended: ${spawned.output()}`)
  return { ...spawned, url, stop }
}

/** Requests /readyz until it returns 200. `hasFailed` returns a reason to give up. */
export async function untilReady(url: string, hasFailed: () => string | false = () => false): Promise<void> {
  for (;;) {
    const reason = hasFailed()
    if (reason !== false) throw new Error(`not ready, ${reason}`)
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export type TestAccount = { readonly id: string; readonly email: string; readonly password: string }

export async function makeTestAccount(
  database: Database,
  plans: { plan?: MonitorPlan; utxoPlan?: UtxoPlan; operator?: boolean } = {},
): Promise<TestAccount> {
  const email = `${randomBytes(6).toString('hex')}@example.org`
  const password = keepSecretOfTest(randomBytes(12).toString('base64url'))
  const { id } = await createAccount(database, { email, password, ...plans })
  return { id, email, password }
}

export type TestKey = { readonly id: string; readonly key: string }

export async function makeTestKey(database: Database, account: Pick<TestAccount, 'id'>, api: Api): Promise<TestKey> {
  const made = makeKey(api)
  const record = await insertKey(database, account.id, api, 'test', made)
  if (record === undefined) throw new Error('the account has all its keys')
  return { id: record.id, key: keepSecretOfTest(made.key) }
}

/** Creates keys of accounts on the highest plans, without passwords. */
export async function makeTestKeys(database: Database, api: Api, count: number): Promise<readonly TestKey[]> {
  const keys: TestKey[] = []
  while (keys.length < count) {
    const email = `${randomBytes(6).toString('hex')}@example.org`
    const account = await insertAccount(database, { email, passwordHash: '', plan: 'team', utxoPlan: 'enterprise' })
    if (account === undefined) throw new Error('no account')
    for (let n = 0; n < KEYS_PER_ACCOUNT && keys.length < count; n++)
      keys.push(await makeTestKey(database, account, api))
  }
  return keys
}

/** Signs in over HTTP and returns the session cookie. */
export async function signIn({ url }: Service, { email, password }: TestAccount): Promise<string> {
  const answer = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password }),
  })
  if (answer.status !== 200) throw new Error(`sign-in returned ${answer.status}: ${await answer.text()}`)
  return cookieOf(answer)
}

export function cookieOf(answer: Response): string {
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  for (const cookie of cookies)
    keepSecretOfTest(decodeURIComponent(cookie.slice(cookie.indexOf('=') + 1)).split('.')[0] ?? '')
  return cookies.join('; ')
}
