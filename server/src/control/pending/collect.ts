/**
 * Collects the steps of queued operations from published and retracted events.
 *
 * Reads in publication order and stores the position in the same transaction, so that every step counts once, whichever
 * process reads and whenever it is killed. Events of a backfill and those stored before this stage existed come the same way.
 */
import type { Hex } from '../../lib/hex.ts'
import { type Database, inTransaction, type Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { EventArgs } from '../catalog/layout.ts'
import { getPublications, type PublicationPosition, type PublishedEvent } from '../feed/publications.ts'
import { forgetWarnings } from './inspections.ts'
import { deleteSteps, insertSteps, type NewStep, refreshOperations } from './operations.ts'
import { closeExecuted, type Execution } from './safe/safe-operations.ts'
import { stepOf } from './steps.ts'

/** Events that one transaction reads. */
const PAGE = 500

/** Reads one page of publications. Returns whether more may follow. */
export async function collectSteps(database: Database): Promise<boolean> {
  return await inTransaction(database, async (client) => {
    const { rows } = await client.query<{ position: number; entry: number | null }>(
      sql`select position, entry from pending_reader where id = 1 for update`,
    )
    const row = rows[0]
    if (row === undefined) throw new Error('pending_reader has no row')
    const after: PublicationPosition = { position: row.position, entry: row.entry ?? undefined }
    const { events, next } = await getPublications(client, { includeInit: true }, { after, limit: PAGE })
    if (next.position === after.position && next.entry === after.entry) return false
    const changed = new Set<number>()
    // In order: an event can be published again after its retraction, with the same id.
    for (const run of runsOf(events)) {
      const ids =
        run[0]?.isRetracted === true ? await retract(client, run) : await insertSteps(client, run.flatMap(newStepOf))
      for (const id of ids) changed.add(id)
    }
    await refreshOperations(client, [...changed])
    await closeExecuted(client, events.flatMap(executionOf))
    await client.query(sql`update pending_reader set position = $1, entry = $2 where id = 1`, [
      next.position,
      next.entry ?? null,
    ])
    return true
  })
}

async function retract(client: Queryable, events: readonly PublishedEvent[]): Promise<readonly number[]> {
  const ids = events.map(({ id }) => id)
  await forgetWarnings(client, ids)
  return await deleteSteps(client, ids)
}

/** Adjacent events that are all stored, or all retracted. */
function runsOf(events: readonly PublishedEvent[]): readonly PublishedEvent[][] {
  const runs: PublishedEvent[][] = []
  for (const event of events) {
    const last = runs.at(-1)
    if (last?.[0]?.isRetracted === event.isRetracted) last.push(event)
    else runs.push([event])
  }
  return runs
}

function newStepOf(event: PublishedEvent): readonly NewStep[] {
  const { id: eventId, chainId, address, eventKey: key, severity, blockNumber, logIndex, txHash } = event
  const args = event.args as EventArgs
  const blockTime = event.blockTime.getTime()
  const found = stepOf({ key, args, address, severity, blockNumber, blockTime, logIndex, txHash })
  return found === undefined ? [] : [{ chainId, address, eventId, ...found }]
}

const EXECUTIONS: Readonly<Record<string, Execution['state']>> = {
  'safe.exec_ok': 'executed',
  'safe.exec_fail': 'failed',
}

/** The Safe transaction that an event of its Safe ends. */
function executionOf({
  eventKey,
  args,
  chainId,
  address,
  txHash,
  blockTime,
  isRetracted,
}: PublishedEvent): readonly Execution[] {
  const state = EXECUTIONS[eventKey]
  const { txHash: hash } = args as { readonly txHash?: unknown }
  if (state === undefined || typeof hash !== 'string') return []
  return [{ chainId, address, hash: hash as Hex, state, txHash, time: blockTime, isRetracted }]
}
