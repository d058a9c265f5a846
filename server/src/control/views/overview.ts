/** The overview of all watched contracts, and the list of protocols. */
import type { z } from 'zod'
import type { Label } from '../../../../vocabulary/labels.ts'
import { SEVERITIES } from '../../../../vocabulary/severities.ts'
import type { Clock } from '../../lib/clock.ts'

import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { labelOf, summaryOf, summaryOfLabels } from './profile-view.ts'
import type { listedProtocol, overview } from './schemas.ts'

const DAY_MS = 86_400_000

export async function getOverview({
  database,
  clock,
}: {
  readonly database: Queryable
  readonly clock: Clock
}): Promise<z.input<typeof overview>> {
  const [labels, events] = await Promise.all([
    countLabels(database),
    countEventsSince(database, new Date(clock.now() - DAY_MS)),
  ])
  const ofSeverity = (severity: (typeof SEVERITIES)[number]) => events.get(SEVERITIES.indexOf(severity)) ?? 0
  const summary = summaryOf(labels)
  return {
    contracts: summary.total,
    summary,
    events24h: { info: ofSeverity('info'), high: ofSeverity('high'), critical: ofSeverity('critical') },
  }
}

export async function getProtocolList({
  database,
}: {
  readonly database: Queryable
}): Promise<z.input<typeof listedProtocol>[]> {
  const protocols = await getProtocols(database)
  return protocols.map(({ labels, lastEventAt, ...protocol }) => ({
    ...protocol,
    lastEventAt: lastEventAt?.toISOString() ?? null,
    summary: summaryOfLabels(labels),
  }))
}

type ListedProtocol = {
  readonly protocol: string
  readonly slug: string
  readonly contracts: number
  readonly chains: number
  /** The label of each contract; null before its first poll. */
  readonly labels: readonly (string | null)[]
  readonly lastEventAt: Date | null
}

async function getProtocols(database: Queryable): Promise<readonly ListedProtocol[]> {
  const { rows } = await database.query<ListedProtocol>(
    sql`select p.label as protocol, p.slug, count(*) as contracts, count(distinct c.chain_id) as chains,
       array_agg(f.label) as labels, max(l.block_time) as "lastEventAt"
     from protocol p join contract c on c.protocol_id = p.id
     left join control_profile f using (chain_id, address)
     left join last_event l using (chain_id, address)
     group by p.id order by lower(p.label)`,
  )
  return rows
}

/** Counts contracts by label. */
async function countLabels(database: Queryable): Promise<ReadonlyMap<Label, number>> {
  const { rows } = await database.query<{ label: string | null; count: number }>(
    sql`select f.label, count(*) as count from contract c left join control_profile f using (chain_id, address) group by 1`,
  )
  const counts = new Map<Label, number>()
  for (const { label, count } of rows) counts.set(labelOf(label), (counts.get(labelOf(label)) ?? 0) + count)
  return counts
}

/** Counts events by severity rank, without setup events. */
async function countEventsSince(database: Queryable, since: Date): Promise<ReadonlyMap<number, number>> {
  const { rows } = await database.query<{ severity: number; count: number }>(
    sql`select severity, count(*) as count from control_event where not is_init and block_time >= $1 group by 1`,
    [since],
  )
  return new Map(rows.map(({ severity, count }) => [severity, count]))
}
