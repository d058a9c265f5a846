/** SQL of snapshots and profiles. */

import { LABEL_TONES, type Label, type Leader, type Tone } from '../../../../vocabulary/labels.ts'
import { type Power, toneOf } from '../../../../vocabulary/powers.ts'
import { type Hex, toBytes, toDigits, toHex } from '../../lib/hex.ts'
import { type Database, inTransaction, type Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { saveControllers } from '../alerts/alert-matches.ts'
import { createEventNames } from '../catalog/event-names.ts'
import { catalogRows } from '../catalog/events/rows.ts'
import { renameEvents } from '../feed/events.ts'
import type { Profile } from '../profile/profile.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { deletePollRequests, requestDependentPolls, requestPoll, type TriggerEvent } from '../registry/poll-requests.ts'
import { REGISTRY } from './analysis-queue.ts'
import { saveCodeChange } from './code-changes.ts'
import { isWeaker, type LabelChange, savePowers, weakenedEvent } from './control-changes.ts'
import { type DerivedEvent, insertDerived } from './derived-events.ts'
import { savePowerHolders } from './power-holders.ts'
import { saveProfileVersion } from './profile-versions.ts'
import { saveRoleWeights } from './role-classes.ts'
import { saveRunningCode } from './source-checks.ts'
import type { Disagreements, SingleObservations } from './unsettled-fields.ts'

export type StoredSnapshot = {
  readonly polledBlock: number
  /** Undefined after a rollback, until the next poll. */
  readonly polledHash: Hex | undefined
  readonly fields: Readonly<Record<string, string | null>>
  /** For fields that the last poll did not settle: the first block whose logs may announce a change. */
  readonly firstLogBlocks: Readonly<Record<string, number>>
  /** Single observations: values that only one of several endpoints showed, and since when. */
  readonly singleObservations: SingleObservations
  /** Fields for which two endpoints return different values. */
  readonly disagreements: Disagreements
}

export async function findSnapshot(
  database: Queryable,
  { chainId, address }: ContractRef,
): Promise<StoredSnapshot | undefined> {
  return (await getSnapshots(database, chainId, [address])).get(address)
}

/** The newest snapshot of each contract. */
export async function getSnapshots(
  database: Queryable,
  chainId: number,
  addresses: readonly Hex[],
): Promise<ReadonlyMap<Hex, StoredSnapshot>> {
  const { rows } = await database.query<{
    address: Buffer
    polled_block: number
    polled_hash: Buffer | null
    fields: Record<string, string | null>
    first_log_blocks: Record<string, number> | null
    single_observations: SingleObservations | null
    disagreements: Disagreements | null
  }>(
    sql`select latest.* from unnest($2::bytea[]) as wanted (address) cross join lateral (
       select address, polled_block, polled_hash, fields, first_log_blocks, single_observations, disagreements from control_snapshot s
       where s.chain_id = $1 and s.address = wanted.address order by block_number desc, id desc limit 1) as latest`,
    [chainId, addresses.map(toBytes)],
  )
  return new Map(
    rows.map((row) => [
      toHex(row.address),
      {
        polledBlock: row.polled_block,
        polledHash: row.polled_hash === null ? undefined : toHex(row.polled_hash),
        fields: row.fields,
        firstLogBlocks: row.first_log_blocks ?? {},
        singleObservations: row.single_observations ?? {},
        disagreements: row.disagreements ?? {},
      },
    ]),
  )
}

/** A profile as it is stored. Its tone follows from its label and its powers. */
export type StoredProfile = Omit<Profile, 'tone' | 'leader' | 'powerPaths' | 'trials'> & {
  readonly leader?: Leader | null | undefined
  readonly trials?: Profile['trials'] | null
  readonly powerPaths?: Profile['powerPaths'] | null
  /** It could not be confirmed for an hour. */
  readonly isOverdue?: boolean | null
}

export async function findProfile(
  database: Queryable,
  { chainId, address }: ContractRef,
): Promise<(StoredProfile & { readonly name: string | null }) | undefined> {
  const { rows } = await database.query<StoredProfile & { name: string | null }>(
    sql`select p.label, p.kind, p.stale, p.reasons, p.tree, p.powers, p.power_paths as "powerPaths", p.led_by as leader, c.name
     from control_profile p left join contract c using (chain_id, address) where p.chain_id = $1 and p.address = $2`,
    [chainId, toBytes(address)],
  )
  return rows[0]
}

export async function getProfiles(
  database: Queryable,
  chainId: number,
  addresses: readonly Hex[],
): Promise<ReadonlyMap<Hex, StoredProfile>> {
  const { rows } = await database.query<StoredProfile & { address: Buffer }>(
    sql`select address, label, kind, stale, reasons, tree, powers, power_paths as "powerPaths", led_by as leader, trials,
       stale_since < now() - interval '1 hour' as "isOverdue" from control_profile where chain_id = $1 and address = any($2)`,
    [chainId, addresses.map(toBytes)],
  )
  return new Map(rows.map(({ address, ...profile }) => [toHex(address), profile]))
}

/** `power`: the power that makes the tone worse than that of the label. */
type ProtocolLabel = {
  readonly label: string
  readonly tone: Tone | null
  readonly leader: Leader | null
  readonly power: Power | null
}

/** The labels and tones of the contracts of a protocol. A contract that was never polled is unknown. */
export async function getProtocolLabels(database: Queryable, protocolId: number): Promise<readonly ProtocolLabel[]> {
  const { rows } = await database.query<ProtocolLabel>(
    sql`select coalesce(f.label, 'unknown') as label, f.tone, f.led_by as leader, f.reasons -> 0 -> 'power' as power from contract c left join control_profile f using (chain_id, address)
     where c.protocol_id = $1`,
    [protocolId],
  )
  return rows
}

export type PollRecord = ContractRef & {
  readonly block: { readonly number: number; readonly hash: Hex; readonly time: number }
  /** Undefined: the code could not be read. */
  readonly fields: Readonly<Record<string, string | null>> | undefined
  readonly firstLogBlocks?: StoredSnapshot['firstLogBlocks']
  readonly singleObservations?: SingleObservations
  readonly disagreements?: Disagreements
  /** The block of the poll it was compared with. */
  readonly since: number | undefined
  readonly events: readonly DerivedEvent[]
  readonly profile: StoredProfile
  /** The cause of a label change: changed fields, and the events that requested the poll. */
  readonly cause: readonly object[]
  /** Contracts that control this one. */
  readonly controllers: readonly (ContractRef & { readonly kind: string })[]
  /** Contracts to watch that control nothing: the beacon. */
  readonly others?: readonly (ContractRef & { readonly kind: string })[]
  /** Contracts whose state the profile depends on. */
  readonly sources?: readonly ContractRef[]
  /** The contract's own code and that of its logic. */
  readonly codes?: readonly { readonly address: Hex; readonly codeHash: Hex; readonly isNew: boolean }[]
  /** The contract was deployed since the last poll. */
  readonly isSetup?: boolean
  /** Ids of the poll requests that this poll served. */
  readonly served?: readonly number[]
}

const eventNames = createEventNames(catalogRows)

/** A new controller is watched some seconds later. A poll after this finds what it did in between. */
const POLL_AGAIN_SECONDS = 60

/** Stores one poll in a transaction. Returns false if another poll was stored since `since`, which reported the same. */
export async function savePoll(database: Database, poll: PollRecord): Promise<boolean> {
  return await inTransaction(database, async (client) => {
    // A silent change may cause label changes of other contracts, so it is stored while no other poll is.
    const lock = poll.events.length > 0 ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`
    await client.query(sql`select ${lock}($1, hashtext('polls'))`, [poll.chainId])
    // Two concurrent polls of one contract would report the same change twice.
    await client.query(sql`select pg_advisory_xact_lock($1, hashtext($2))`, [poll.chainId, poll.address])
    if ((await findSnapshot(client, poll))?.polledBlock !== poll.since) return false
    if (poll.fields !== undefined) await saveSnapshot(client, poll, poll.fields)
    await insertDerived(client, poll)
    if (poll.events.length > 0) await requestDependentPolls(client, poll, eventsOf(poll))
    const before = await findControl(client, poll)
    const change = await saveProfile(client, poll)
    await saveProfileVersion(client, poll)
    await savePowerHolders(client, poll, poll.profile)
    await insertDerived(client, { ...poll, events: await controlEvents(client, poll, change, before) })
    await saveSources(client, poll)
    if (await insertDiscovered(client, [...poll.controllers, ...(poll.others ?? [])]))
      await requestPoll(client, poll, POLL_AGAIN_SECONDS)
    const beacon = (poll.fields?.beacon ?? undefined) as Hex | undefined
    await saveControllers(client, poll, { controllers: poll.controllers, beacon, isComplete: !poll.profile.stale })
    await deletePollRequests(client, poll.served ?? [])
    await saveRunningCode(client, poll.chainId, poll.codes ?? [])
    await saveKind(client, poll)
    return true
  })
}

type ControlBefore = { readonly powers: readonly Power[] | null; readonly leader: Leader | null }

/** What the profile held before this poll. */
async function findControl(client: Queryable, { chainId, address }: ContractRef): Promise<ControlBefore | undefined> {
  const { rows } = await client.query<ControlBefore>(
    sql`select powers, led_by as leader from control_profile where chain_id = $1 and address = $2`,
    [chainId, toBytes(address)],
  )
  return rows[0]
}

/** Events for code that changed, changed powers, and a label or tone that got weaker. A deployment changes nothing. */
async function controlEvents(
  client: Queryable,
  poll: PollRecord,
  change: LabelChange | undefined,
  before: ControlBefore | undefined,
): Promise<readonly DerivedEvent[]> {
  const { profile, cause, isSetup = false } = poll
  const isWorse = change !== undefined && isWeaker(change.from, change.to)
  const leaders = { from: before?.leader ?? null, to: profile.leader ?? null }
  const weakened = isWorse ? [weakenedEvent(poll, change, leaders, cause)] : []
  const { powers, running, roles, stale } = profile
  if (stale || powers === null) return isSetup ? [] : weakened
  if (roles !== undefined) await saveRoleWeights(client, poll, roles)
  const upgrades =
    running === undefined
      ? []
      : await saveCodeChange(client, { ...poll, running, powers: [before?.powers ?? [], powers] })
  const changes = await savePowers(client, poll, powers)
  return isSetup ? [] : [...upgrades, ...changes, ...weakened]
}

/** Stores the time of the poll and the kind it found. Events that were stored before take the names of a new kind. */
async function saveKind(client: Queryable, poll: PollRecord): Promise<void> {
  const { rows } = await client.query<{ kind: string; is_changed: boolean }>(
    sql`update contract c set last_checked_at = now(),
       kind = case when $3 in ('unknown') or 'kind' = any(c.edited) then c.kind else $3 end
     from (select id, kind from contract where chain_id = $1 and address = $2 for update) as before
     where c.id = before.id returning c.kind, c.kind <> before.kind as is_changed`,
    [poll.chainId, toBytes(poll.address), poll.profile.kind],
  )
  const [contract] = rows
  if (contract?.is_changed === true) await renameEvents(client, poll, contract.kind, eventNames)
}

const eventsOf = ({ chainId, block, events }: PollRecord): readonly TriggerEvent[] =>
  events.map(({ txHash, logIndex, key }) => ({ chainId, blockNumber: block.number, txHash, logIndex, eventKey: key }))

async function saveSources(client: Queryable, { chainId, address, sources = [], profile }: PollRecord): Promise<void> {
  await client.query(
    sql`with wanted as (select s.chain_id, decode(s.source, 'hex') as source from unnest($3::int[], $4::text[]) as s (chain_id, source)),
     gone as (
       delete from profile_source p where p.chain_id = $1 and p.address = $2 and not $5
         and not exists (select from wanted w where w.chain_id = p.source_chain_id and w.source = p.source))
     insert into profile_source (source_chain_id, source, chain_id, address)
     select chain_id, source, $1, $2 from wanted on conflict do nothing`,
    [
      chainId,
      toBytes(address),
      sources.map((source) => source.chainId),
      sources.map((source) => toDigits(source.address)),
      profile.stale, // the profile that is kept still depends on contracts that could not be read now
    ],
  )
}

/** Returns true if one of them is new. */
async function insertDiscovered(client: Queryable, controllers: PollRecord['controllers']): Promise<boolean> {
  if (controllers.length === 0) return false
  const { rowCount } = await client.query(
    sql`insert into contract (chain_id, address, kind, source)
     select distinct on (d.chain_id, d.address) d.chain_id, decode(d.address, 'hex'), d.kind, 'discovered'
     from unnest($1::int[], $2::text[], $3::text[]) as d (chain_id, address, kind) order by d.chain_id, d.address
     on conflict (chain_id, address) do nothing`,
    [
      controllers.map((controller) => controller.chainId),
      controllers.map((controller) => toDigits(controller.address)),
      controllers.map((controller) => controller.kind),
    ],
  )
  const { rows } = await client.query<{ revived: number }>(
    sql`select revive_contracts($1::int[], array(select decode(digits, 'hex') from unnest($2::text[]) as digits)) as revived`,
    [
      controllers.map((controller) => controller.chainId),
      controllers.map((controller) => toDigits(controller.address)),
    ],
  )
  return (rowCount ?? 0) + (rows[0]?.revived ?? 0) > 0
}

async function saveSnapshot(
  client: Queryable,
  { chainId, address, block, firstLogBlocks = {}, singleObservations = {}, disagreements = {} }: PollRecord,
  fields: object,
): Promise<void> {
  const values = [
    chainId,
    toBytes(address),
    block.number,
    toBytes(block.hash),
    JSON.stringify(fields),
    unlessEmpty(firstLogBlocks),
    unlessEmpty(singleObservations),
    unlessEmpty(disagreements),
  ]
  const { rowCount } = await client.query(
    sql`update control_snapshot set polled_block = $3, polled_hash = $4, polled_at = now(), first_log_blocks = $6, single_observations = $7, disagreements = $8
     where id = (select id from control_snapshot where chain_id = $1 and address = $2 order by block_number desc, id desc limit 1)
       and fields = $5::jsonb`,
    values,
  )
  if (rowCount === 1) return
  await client.query(
    sql`insert into control_snapshot (chain_id, address, block_number, block_hash, block_time, polled_block, polled_hash, fields, first_log_blocks, single_observations, disagreements)
     values ($1, $2, $3, $4, timestamptz 'epoch' + $9 * interval '1 millisecond', $3, $4, $5, $6, $7, $8)`,
    [...values, block.time],
  )
}

const unlessEmpty = (record: object): string | null =>
  Object.keys(record).length === 0 ? null : JSON.stringify(record)

/** Stores the profile; returns the change of label or tone since the last one. */
async function saveProfile(
  client: Queryable,
  { chainId, address, block, since, profile, cause }: PollRecord,
): Promise<LabelChange | undefined> {
  const { label, kind, stale, reasons, tree, powers, leader, powerPaths, trials } = profile
  const tone = toneOf(LABEL_TONES[label], powers ?? [])
  const values = [chainId, toBytes(address), label, block.number]
  // Compared with the history, because after a rollback the profile is still the one of the reorganized blocks.
  // A silent change of another contract that was stored during this poll is a cause too.
  const { rows } = await client.query<{ from_label: Label | null; from_tone: Tone | null }>(
    sql`insert into control_profile_change (chain_id, address, block_number, from_label, from_tone, from_led_by, to_label, to_tone, to_led_by, cause, block_hash)
     select $1, $2, $4, last.to_label, last.to_tone, last.to_led_by, $3, $8, $9, ($5::jsonb || coalesce((
         select jsonb_agg(e.event order by e.id) from (
           select id, jsonb_build_object('chainId', event_chain_id, 'blockNumber', block_number, 'txHash',
             '0x' || encode(tx_hash, 'hex'), 'logIndex', log_index, 'eventKey', event_key) as event
           from poll_request where chain_id = $1 and address = $2 and event_chain_id = $1 and event_key like 'slot.%'
             and block_number between $7 and $4) as e
         where not $5::jsonb @> jsonb_build_array(e.event)), '[]'))::json, $6
     from (select) as one left join lateral (
       select to_label, to_tone, to_led_by from control_profile_change where chain_id = $1 and address = $2 order by id desc limit 1) as last on true
     where last.to_label is distinct from $3 or last.to_tone is distinct from $8
     returning from_label, from_tone`,
    [...values, JSON.stringify(cause), toBytes(block.hash), (since ?? -1) + 1, tone, leader ?? null],
  )
  await client.query(
    sql`insert into control_profile as known (chain_id, address, label, kind, stale, stale_since, reasons, tree, block_number, tone, powers, led_by, power_paths, trials)
     values ($1, $2, $3, $5, $6, case when $6 then now() end, $7, $8, $4, $9, $10, $11, $12, $13)
     on conflict (chain_id, address) do update set label = excluded.label, kind = excluded.kind, stale = excluded.stale,
       stale_since = case when excluded.stale then coalesce(known.stale_since, excluded.stale_since) end,
       reasons = excluded.reasons, tree = excluded.tree, block_number = excluded.block_number, tone = excluded.tone,
       powers = excluded.powers, led_by = excluded.led_by, power_paths = excluded.power_paths, trials = excluded.trials, updated_at = now()`,
    [
      ...values,
      kind,
      stale,
      JSON.stringify(reasons),
      JSON.stringify(tree),
      tone,
      powers === null ? null : JSON.stringify(powers),
      leader ?? null,
      powerPaths === undefined || powerPaths === null ? null : JSON.stringify(powerPaths),
      trials === undefined ? null : JSON.stringify(trials),
    ],
  )
  const [last] = rows
  if (last === undefined || last.from_label === null) return undefined
  const from = { label: last.from_label, tone: last.from_tone ?? LABEL_TONES[last.from_label] }
  return { from, to: { label, tone } }
}

/**
 * Contracts of a chain that were last polled before a time, those never polled first. A stale poll is repeated after a
 * minute, then at growing intervals, without waiting for the next round.
 */
export async function getContractsByLastPoll(
  database: Queryable,
  chainId: number,
  polledBefore: Date,
): Promise<readonly Hex[]> {
  const { rows } = await database.query<{ address: Buffer }>(
    sql`select c.address from contract c
     left join control_profile p on p.chain_id = c.chain_id and p.address = c.address and p.stale
     where c.chain_id = $1 and c.watch_state not in ('expiring', 'expired') and (c.last_checked_at is null or c.last_checked_at < $2
       or p.stale and c.last_checked_at + greatest(c.last_checked_at - p.stale_since, interval '1 minute') <= now())
     order by c.last_checked_at nulls first, c.id`,
    [chainId, polledBefore],
  )
  return rows.map(({ address }) => toHex(address))
}

/** In whose name the code of each contract is analyzed: the registry, or the account that subscribed to it first. */
export async function getAnalysisOwners(
  database: Queryable,
  chainId: number,
  addresses: readonly Hex[],
): Promise<ReadonlyMap<Hex, string>> {
  const { rows } = await database.query<{ address: Buffer; owner: string | null }>(
    sql`select c.address, case when c.source in ('seed', 'manual') then $3 else (
         select s.account_id from subscription s where s.chain_id = c.chain_id and s.address = c.address
         order by s.id limit 1) end as owner
     from contract c where c.chain_id = $1 and c.address = any($2)`,
    [chainId, addresses.map(toBytes), REGISTRY],
  )
  return new Map(rows.flatMap(({ address, owner }) => (owner === null ? [] : [[toHex(address), owner]])))
}
