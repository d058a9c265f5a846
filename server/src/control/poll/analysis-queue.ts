/**
 * Analyses that wait for a process: owners take turns, so that an account that subscribes to many contracts delays its
 * own analyses, not those of others.
 *
 * The owner of an analysis travels with the asynchronous work that asks for it: what a poll reads is shared and has no
 * parameter for it.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** The owner of what the registry lists. Every other owner is an account, or all contracts that events discovered. */
export const REGISTRY = 'registry'
export const DISCOVERED = 'discovered'

export type AnalysisContext = {
  /** In whose name an analysis waits. */
  readonly owner: string
  /** When its caller stops waiting for it (`CodeAnalysisPendingError`), in milliseconds since the epoch. */
  readonly waitUntil?: number | undefined
}

const context = new AsyncLocalStorage<AnalysisContext>()

/** Runs work whose analyses belong to an owner. Without it they belong to the registry, and the caller waits. */
export const inAnalysisContext = <T>(given: AnalysisContext, work: () => Promise<T>): Promise<T> =>
  context.run(given, work)

export const analysisContext = (): AnalysisContext => context.getStore() ?? { owner: REGISTRY }

export type AnalysisQueue<T> = {
  /** False if the queue of the owner is full. */
  readonly push: (owner: string, item: T) => boolean
  readonly shift: () => T | undefined
  /** Removes and returns everything. */
  readonly clear: () => readonly T[]
}

/** Every entry holds up to 48 kB of code. */
const LIMITS = { perOwner: 100, accounts: 1_000, registry: 2_000 }

/** Owners whose last turn is remembered. */
const MAX_TURNS = 10_000

export function createAnalysisQueue<T>(limits: Partial<typeof LIMITS> = {}): AnalysisQueue<T> {
  const { perOwner, accounts, registry } = { ...LIMITS, ...limits }
  const ofRegistry: T[] = []
  const ofAccounts = new Map<string, T[]>()
  /** The last turn of each owner. */
  const turns = new Map<string, number>()
  let turn = 0
  let waiting = 0
  let wasRegistry = false

  const ofNextAccount = (): T | undefined => {
    const lastTurn = (of: string): number => turns.get(of) ?? 0
    let owner: string | undefined
    for (const each of ofAccounts.keys()) if (owner === undefined || lastTurn(each) < lastTurn(owner)) owner = each
    const items = owner === undefined ? undefined : ofAccounts.get(owner)
    if (owner === undefined || items === undefined) return undefined
    const item = items.shift()
    waiting -= 1
    if (items.length === 0) ofAccounts.delete(owner)
    if (turns.size >= MAX_TURNS) turns.clear()
    turn += 1
    turns.set(owner, turn)
    return item
  }

  return {
    push: (owner, item) => {
      if (owner === REGISTRY) {
        if (ofRegistry.length < registry) return ofRegistry.push(item) > 0
        return false
      }
      const items = ofAccounts.get(owner) ?? []
      if (items.length >= perOwner || waiting >= accounts) return false
      items.push(item)
      ofAccounts.set(owner, items)
      waiting += 1
      return true
    },
    shift: () => {
      wasRegistry = ofRegistry.length > 0 && (!wasRegistry || waiting === 0)
      return wasRegistry ? ofRegistry.shift() : ofNextAccount()
    },
    clear: () => {
      const all = [...ofRegistry.splice(0), ...[...ofAccounts.values()].flat()]
      ofAccounts.clear()
      waiting = 0
      return all
    },
  }
}
