/** The overview of all watched contracts, and the list of protocols. */
import type { z } from 'zod'
import { LABEL_TONES, type Label, type Tone } from '../../../../vocabulary/labels.ts'
import { SEVERITIES } from '../../../../vocabulary/severities.ts'
import type { Clock } from '../../lib/clock.ts'

import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { labelOf, summaryOf } from './profile-view.ts'
import type { listedProtocol, overview } from './schemas.ts'

const DAY_MS = 86_400_000

export async function getOverview({
  database,
  clock,
}: {
  readonly database: Queryable
  readonly clock: Clock
}): Promise<z.input<typeof overview>> {
  const [profiles, events] = await Promise.all([
    getProfiles(database),
    countEventsSince(database, new Date(clock.now() - DAY_MS)),
  ])
  const ofSeverity = (severity: (typeof SEVERITIES)[number]) => events.get(SEVERITIES.indexOf(severity)) ?? 0
  return {
    contracts: profiles.reduce((sum, { count }) => sum + count, 0),
    ...countsOf(profiles),
    events24h: { info: ofSeverity('info'), high: ofSeverity('high'), critical: ofSeverity('critical') },
  }
}

export async function getProtocolList({
  database,
}: {
  readonly database: Queryable
}): Promise<z.input<typeof listedProtocol>[]> {
  const protocols = await getProtocols(database)
  return protocols.map(({ labels, tones, lastEventAt, ...protocol }) => ({
    ...protocol,
    lastEventAt: lastEventAt?.toISOString() ?? null,
    ...countsOf(labels.map((label, index) => ({ label, tone: tones[index] ?? null, count: 1 }))),
  }))
}

type ListedProtocol = {
  readonly protocol: string
  readonly slug: string
  readonly contracts: number
  readonly chains: number
  /** The label of each contract; null before its first poll. */
  readonly labels: readonly Profiles['label'][]
  /** The tone of each contract, in the order of the labels. */
  readonly tones: readonly Profiles['tone'][]
  readonly lastEventAt: Date | null
}

async function getProtocols(database: Queryable): Promise<readonly ListedProtocol[]> {
  const { rows } = await database.query<ListedProtocol>(
    sql`select p.label as protocol, p.slug, count(*) as contracts, count(distinct c.chain_id) as chains,
       array_agg(f.label) as labels, array_agg(f.tone) as tones, max(l.block_time) as "lastEventAt"
     from protocol p join contract c on c.protocol_id = p.id
     left join control_profile f using (chain_id, address)
     left join last_event l using (chain_id, address)
     group by p.id order by lower(p.label)`,
  )
  return rows
}

/** A number of contracts with the same label and tone. A contract without a profile has neither. */
type Profiles = { readonly label: string | null; readonly tone: Tone | null; readonly count: number }

async function getProfiles(database: Queryable): Promise<readonly Profiles[]> {
  const { rows } = await database.query<Profiles>(
    sql`select f.label, f.tone, count(*) as count
     from contract c left join control_profile f using (chain_id, address) group by 1, 2`,
  )
  return rows
}

/** Counts contracts by label and by tone. */
function countsOf(profiles: readonly Profiles[]): Pick<z.input<typeof overview>, 'summary' | 'tones'> {
  const labels = new Map<Label, number>()
  const tones = { green: 0, grey: 0, amber: 0, red: 0 }
  for (const { label: text, tone, count } of profiles) {
    const label = labelOf(text)
    labels.set(label, (labels.get(label) ?? 0) + count)
    tones[tone ?? LABEL_TONES[label]] += count
  }
  return { summary: summaryOf(labels), tones }
}

/** Counts events by severity rank, without setup events. */
async function countEventsSince(database: Queryable, since: Date): Promise<ReadonlyMap<number, number>> {
  const { rows } = await database.query<{ severity: number; count: number }>(
    sql`select severity, count(*) as count from control_event where not is_init and block_time >= $1 group by 1`,
    [since],
  )
  return new Map(rows.map(({ severity, count }) => [severity, count]))
}
