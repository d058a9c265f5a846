/**
 * Hashes passwords with a limit on how many hashes run at the same time.
 *
 * A hash occupies a thread of Node's pool for tens of milliseconds. Name resolution, file access and the authentication
 * of new database connections use the same few threads, so hashes may take at most half of them, and never the last
 * processor. More requests wait in a queue; those that do not fit get 503 with Retry-After.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { availableParallelism } from 'node:os'
import { ApiError } from '../lib/http/api-error.ts'

export type PasswordHashing = {
  readonly hash: (password: string) => Promise<string>
  readonly verify: (given: { readonly hash: string; readonly password: string }) => Promise<boolean>
  /**
   * Runs `work`, whose hashes count as those of one client. A `password` is hashed before, and `work` gets this hash
   * without a wait: better-auth hashes the password of a sign-up inside a transaction, which would hold a database
   * connection for that time.
   */
  readonly runFor: <T>(
    request: { readonly client: string; readonly password?: string | undefined },
    work: () => Promise<T>,
  ) => Promise<T>
}

export type HashingLimits = {
  readonly concurrent: number
  /** How many hashes may wait, in total and of one client. */
  readonly waiting: number
  readonly waitingPerClient: number
}

const THREADS = Number(process.env.UV_THREADPOOL_SIZE) || 4

export const DEFAULT_LIMITS: HashingLimits = {
  concurrent: Math.max(1, Math.min(Math.floor(THREADS / 2), availableParallelism() - 1)),
  // A few seconds of work. A longer queue would only delay the refusal.
  waiting: 32,
  // One client cannot fill the queue.
  waitingPerClient: 4,
}

const RETRY_AFTER_SECONDS = 5

const overloaded = (): ApiError =>
  new ApiError({
    status: 503,
    code: 'unavailable',
    message: `Too many sign-ins at the same time. Try again in ${RETRY_AFTER_SECONDS} seconds.`,
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  })

type Waiter = { readonly client: string | undefined; readonly start: () => void }
type Request = { readonly client: string; readonly prepared?: { readonly password: string; readonly hash: string } }

export function createPasswordHashing(limits: HashingLimits = DEFAULT_LIMITS): PasswordHashing {
  let running = 0
  const queue: Waiter[] = []
  const current = new AsyncLocalStorage<Request>()
  const limited = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= limits.concurrent) {
      const client = current.getStore()?.client
      const own = client === undefined ? 0 : queue.filter((waiter) => waiter.client === client).length
      if (queue.length >= limits.waiting || own >= limits.waitingPerClient) throw overloaded()
      await new Promise<void>((start) => queue.push({ client, start })) // a finished hash passes its slot on
    } else running += 1
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next === undefined) running -= 1
      else next.start()
    }
  }
  // Slow to load, and few commands need it.
  const library = () => import('better-auth/crypto')
  const hash = (password: string) => limited(async () => (await library()).hashPassword(password))
  return {
    hash: async (password) => {
      const prepared = current.getStore()?.prepared
      return prepared?.password === password ? prepared.hash : hash(password)
    },
    verify: (given) => limited(async () => (await library()).verifyPassword(given)),
    runFor: ({ client, password }, work) =>
      current.run({ client }, async () => {
        if (password === undefined) return await work()
        return await current.run({ client, prepared: { password, hash: await hash(password) } }, work)
      }),
  }
}
