/**
 * Reports outages of the database that better-auth hides.
 *
 * Where better-auth cannot read a session, some of its routes report that there is none. An outage must not look like a
 * sign-out, so the first failed statement of a call decides.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '../platform/database.ts'
import { isStoreOutage } from '../platform/errors.ts'

type Call = { outage?: unknown }

const calls = new AsyncLocalStorage<Call>()

const note = (error: unknown): never => {
  const call = calls.getStore()
  if (call !== undefined && isStoreOutage(error)) call.outage ??= error
  throw error
}

/** The pool for better-auth: outages are noted in the running call. */
export const noteOutages = (database: Database) => ({
  connect: async () => {
    const client = await database.connect().catch(note)
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
    return { query: (...args: unknown[]) => query(...args).catch(note), release: () => client.release() }
  },
  end: async () => {},
})

/** Runs a call of better-auth, and throws the outage that it met, whatever it returned. */
export async function revealOutage<Result>(call: () => Promise<Result>): Promise<Result> {
  const state: Call = {}
  const result = await calls.run(state, call).catch((error: unknown) => {
    throw state.outage ?? error
  })
  if (state.outage !== undefined) throw state.outage
  return result
}
