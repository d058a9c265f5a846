/**
 * Checks with Sourcify whether the source of running code is published, until it is stopped.
 *
 * Makes one request at a time and one per second. A failed request changes no stored result and delays the next one.
 * Watching and polling never wait for it: an upgrade to code without published source is a separate event, stored when
 * the response arrives. So is one to code whose variables lie where the code before kept others. Labels do not depend on it.
 */
import { backoffMs } from '../../lib/backoff.ts'
import { systemTiming, type Timing } from '../../lib/clock.ts'
import { reasonOf } from '../../lib/errors.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Logger } from '../../lib/log.ts'
import { type Database, inTransaction } from '../../platform/database.ts'
import { LAYOUT_CHANGED, UNPUBLISHED } from '../catalog/slot-events.ts'
import { type LayoutChange, layoutChanges, type StorageLayout } from '../profile/storage-layouts.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { derivedHash, insertDerived } from './derived-events.ts'
import type { Polling } from './poller.ts'
import {
  findUncheckedCode,
  getUpgradesTo,
  postponeSourceCheck,
  type RunningCode,
  saveSourceCheck,
  type Upgrade,
} from './source-checks.ts'
import { type Sourcify, SourcifyError } from './sourcify.ts'

export type SourceVerificationDeps = {
  readonly database: Database
  readonly sourcify: Sourcify
  readonly timing?: Timing
  readonly log: Logger
}

export type SourceVerificationOptions = {
  readonly chainIds: readonly number[]
  /** Called before every request, so that only one process makes requests. */
  readonly mayVerify: () => Promise<boolean>
}

const PACE_MS = 1_000
const BACKOFF = { firstMs: 5_000, longestMs: 3_600_000 }
/** After this many failures in a row, the contract itself may be the cause, so it is postponed. */
const MAX_FAILURES = 3
/** Versions from which contracts were upgraded to one code. */
const MAX_COMPARED = 8

export function startSourceVerification(
  { database, sourcify, timing = systemTiming, log }: SourceVerificationDeps,
  { chainIds, mayVerify }: SourceVerificationOptions,
): Pick<Polling, 'stop'> {
  const stop = new AbortController()
  let failures = 0

  const findLayout = async (ref: ContractRef): Promise<StorageLayout | undefined> => {
    await timing.sleep(PACE_MS, stop.signal)
    try {
      return await sourcify.findLayout(ref, stop.signal)
    } catch (error) {
      // Another request would have the same result.
      if (error instanceof SourcifyError && !error.isTemporary) return undefined
      throw error
    }
  }

  /** The upgrades to this code that change what lies where in storage, by the sources of both versions. */
  const layoutsChangedBy = async (code: RunningCode): Promise<readonly ChangedLayout[]> => {
    const upgrades = await getUpgradesTo(database, code)
    const before = [...new Set(upgrades.flatMap(({ previous }) => (isAddress(previous) ? [previous] : [])))]
    const after = before.length === 0 ? undefined : await findLayout(code)
    if (after === undefined) return []
    const changesFrom = new Map<Hex, readonly LayoutChange[]>()
    for (const address of before.slice(0, MAX_COMPARED)) {
      const layout = await findLayout({ chainId: code.chainId, address })
      if (layout !== undefined) changesFrom.set(address, layoutChanges(layout, after))
    }
    return upgrades.flatMap((upgrade) => {
      const changes = isAddress(upgrade.previous) ? (changesFrom.get(upgrade.previous) ?? []) : []
      return changes.length === 0 ? [] : [{ upgrade, changes }]
    })
  }

  /** Checks the next contract and returns the pause after it. */
  const checkNext = async (): Promise<number> => {
    const code = await findUncheckedCode(database, chainIds)
    if (code === undefined || !(await mayVerify())) return PACE_MS
    try {
      const published = await sourcify.isPublished(code, stop.signal)
      const changed = published ? await layoutsChangedBy(code) : []
      await storeResult(database, code, published, changed)
      failures = 0
      return PACE_MS
    } catch (error) {
      if (!(error instanceof SourcifyError) || stop.signal.aborted) throw error
      failures += 1
      if (!error.isTemporary || failures >= MAX_FAILURES) await postponeSourceCheck(database, code)
      const pause = Math.min(Math.max(backoffMs(BACKOFF, failures), error.retryAfterMs ?? 0), BACKOFF.longestMs)
      const facts = { host: sourcify.host, chainId: code.chainId, address: code.address, seconds: pause / 1_000 }
      log.warn({ ...facts, reason: error.message }, 'source check failed; retrying later')
      return pause
    }
  }

  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const pause = await checkNext().catch((error: unknown) => {
        if (!stop.signal.aborted) log.warn({ reason: reasonOf(error) }, 'result of a source check could not be stored')
        return BACKOFF.firstMs
      })
      await timing.sleep(pause, stop.signal)
    }
  }
  const running = run()
  return {
    stop: async () => {
      stop.abort()
      await running
    },
  }
}

/** Stores a result and the events for contracts that were upgraded to this code, in one transaction. */
async function storeResult(
  database: Database,
  code: RunningCode,
  published: boolean,
  changed: readonly ChangedLayout[],
): Promise<void> {
  await inTransaction(database, async (client) => {
    // First, because it locks the row: a poll that finds another upgrade to this code waits, and requests a new check.
    if (!(await saveSourceCheck(client, code, published))) return
    for (const each of changed) await insertDerived(client, layoutEvent(each, code))
    if (published) return
    for (const upgrade of await getUpgradesTo(client, code))
      await insertDerived(client, unpublishedEvent(upgrade, code))
  })
}

/** Another snapshot may have found no implementation. */
const isAddress = (text: string | null): text is Hex => text !== null && /^0x[0-9a-f]{40}$/.test(text)

type ChangedLayout = { readonly upgrade: Upgrade; readonly changes: readonly LayoutChange[] }

function layoutEvent(
  { upgrade: { chainId, address, field, previous, block }, changes }: ChangedLayout,
  code: RunningCode,
) {
  const txHash = derivedHash('layout', { chainId, address }, { field, block: block.number })
  const args = { field, previous, current: code.address, changes }
  return { chainId, address, block, events: [{ ...LAYOUT_CHANGED, txHash, logIndex: 0, args }] }
}

function unpublishedEvent({ chainId, address, field, previous, block }: Upgrade, code: RunningCode) {
  const txHash = derivedHash('source', { chainId, address }, { field, block: block.number })
  const args = { field, previous, current: code.address, reason: 'Sourcify has no source of the new code' }
  return { chainId, address, block, events: [{ ...UNPUBLISHED, txHash, logIndex: 0, args }] }
}
