/**
 * Looks at every known contract, at once or for as long as it runs.
 *
 * Contracts are looked at in groups that share a block and whatever they have in common. One that cannot be read is
 * passed over and comes again; none keeps another waiting for long.
 */
import { reasonOf } from '../../lib/errors.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Logger } from '../../lib/log.ts'
import type { Database } from '../../platform/database.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { findChain } from '../chains/chains.ts'
import type { Fault } from '../profile/control-path.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { getContractsToPoll, getPollRequests, postponePollRequests } from '../registry/poll-requests.ts'
import type { RpcPool } from '../rpc/pool.ts'
import { type CodeAnalyzer, createCodeAnalyzer } from './code-analyzer.ts'
import type { HistoryCache } from './contract-logs.ts'
import { type Looked, lookAt } from './poll-contract.ts'
import { getContractsByLook, getProfiles, getSnapshots } from './profile-store.ts'
import { openSession } from './session.ts'

export type PollerDeps = {
  readonly database: Database
  readonly catalog: Catalog
  readonly log: Logger
  /** Undefined for a chain that no node is configured for. */
  readonly poolOf: (chainId: number) => RpcPool | undefined
  /** How far below the head a chain is read, where that is not the chain's own. */
  readonly confirmationsOf?: ((chainId: number) => number | undefined) | undefined
  readonly nameOf?: ((ref: ContractRef) => string | undefined) | undefined
}

export type Round = { readonly looked: number; readonly failed: number; readonly silent: number }

export type Poller = {
  /** Contracts of a chain that an event asks to look at. */
  readonly answerDue: (chainId: number) => Promise<Round>
  /** Every contract of a chain that was not looked at since `lookedBefore`; or those named. */
  readonly round: (chainId: number, lookedBefore: Date, options?: RoundOptions) => Promise<Round>
  readonly look: (ref: ContractRef) => Promise<Looked>
}

export type RoundOptions = {
  readonly only?: readonly Hex[] | undefined
  /** Asked before every group: false ends the round there. */
  readonly mayGoOn?: (() => Promise<boolean>) | undefined
}

/** Contracts that share a block: many enough to fill batches, few enough that no node forgets the block meanwhile. */
const GROUP = 400
/** Looks that store what they found at the same time; others need the database too. */
const STORING = 4
/** A look that was asked for and could not be made, or did not see far enough, is tried again after this. */
const TRY_AGAIN_SECONDS = 2

export function createPoller({ database, catalog, log, poolOf, confirmationsOf, nameOf }: PollerDeps): Poller {
  const [codes, histories]: [CodeAnalyzer, HistoryCache] = [createCodeAnalyzer(), new Map()]

  type Outcome = { readonly looked: Looked } | { readonly error: unknown }

  /** All at one block, sharing what they read. */
  const lookTogether = async (chainId: number, addresses: readonly Hex[]): Promise<readonly Outcome[]> => {
    const [snapshots, profiles, due] = await Promise.all([
      getSnapshots(database, chainId, addresses),
      getProfiles(database, chainId, addresses),
      getPollRequests(database, chainId, addresses),
    ])
    const report = ({ ref, error }: Fault): void =>
      log.error(
        { chain: findChain(ref.chainId)?.slug, address: ref.address, err: error },
        'an account could not be judged, and counts as unknown',
      )
    const session = openSession({ poolOf, codes, histories, confirmationsOf, report })
    const inTurn = limited(STORING)
    return await Promise.all(
      addresses.map(async (address): Promise<Outcome> => {
        const known = { snapshot: snapshots.get(address), profile: profiles.get(address), due: due.get(address) ?? [] }
        try {
          const look = { database, catalog, poolOf, codes, session, nameOf, inTurn }
          return { looked: await lookAt(look, { chainId, address }, known) }
        } catch (error) {
          log.warn(
            { chain: findChain(chainId)?.slug, address, reason: reasonOf(error) },
            'a contract could not be looked at',
          )
          return { error }
        } finally {
          // Those answered are gone; the others wait a little.
          await postponePollRequests(
            database,
            known.due.map(({ id }) => id),
            TRY_AGAIN_SECONDS,
          )
        }
      }),
    )
  }

  const round: Poller['round'] = async (chainId, lookedBefore, { only, mayGoOn } = {}) => {
    const waiting = only ?? (await getContractsByLook(database, chainId, lookedBefore))
    let [looked, failed, silent] = [0, 0, 0]
    for (let at = 0; at < waiting.length; at += GROUP) {
      if (mayGoOn !== undefined && !(await mayGoOn())) break
      for (const outcome of await lookTogether(chainId, waiting.slice(at, at + GROUP))) {
        if ('error' in outcome) failed += 1
        else [looked, silent] = [looked + 1, silent + outcome.looked.silent.length]
      }
    }
    return { looked, failed, silent }
  }

  return {
    round,
    answerDue: async (chainId) =>
      await round(chainId, new Date(0), { only: await getContractsToPoll(database, chainId, GROUP) }),
    look: async ({ chainId, address }) => {
      const [outcome] = await lookTogether(chainId, [address])
      if (outcome === undefined || 'error' in outcome) throw outcome?.error
      return outcome.looked
    },
  }
}

/** Runs at most `most` at a time, the others in the order they came. */
function limited(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running === most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
