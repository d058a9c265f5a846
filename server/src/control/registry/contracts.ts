/** SQL of contracts and protocols: the import of the registry, and the edits of operators. */

import { type Hex, toBytes, toDigits, toHex } from '../../lib/hex.ts'
import { type Database, inTransaction, type Queryable } from '../../platform/database.ts'
import { type Sql, sql } from '../../platform/sql.ts'
import type { RegistryContract } from './registry.ts'

export type ContractRef = { readonly chainId: number; readonly address: Hex }

/** What an import changed. A repeated import changes nothing. */
export type ImportResult = { readonly added: number; readonly updated: number; readonly total: number }

/**
 * Imports the registry's rows. Edits of an operator stay, and so does what a row does not contain. A contract that was
 * added by hand or discovered keeps its history, and gets the registry's name if it has none.
 */
export async function importRegistry(
  database: Database,
  contracts: readonly RegistryContract[],
): Promise<ImportResult> {
  return await inTransaction(database, async (client) => {
    await importProtocols(client, [...new Set(contracts.flatMap((contract) => contract.protocol ?? []))])
    // A concurrent subscription to a protocol waits for the import, or each would miss what the other adds.
    await client.query(sql`select from protocol order by id for update`)
    const { rows } = await client.query<{ inserted: boolean }>(
      sql`insert into contract as known (chain_id, address, kind, name, protocol_id, verified, source, metadata)
       select r.chain_id, decode(r.address, 'hex'), coalesce(r.kind, 'unknown'), r.name, p.id, r.verified, 'seed', r.metadata::jsonb
       from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::text[])
         as r (chain_id, address, kind, name, protocol, slug, verified, metadata)
       -- By the registry's label, or by slug if an operator renamed the protocol to it.
       left join protocol p on p.id = coalesce((select id from protocol where seed_label = r.protocol),
                                          (select id from protocol where slug = r.slug))
       order by r.chain_id, r.address
       on conflict (chain_id, address) do update set
         kind = case when 'kind' = any(known.edited) or known.last_checked_at is not null or excluded.kind = 'unknown'
           then known.kind else excluded.kind end,
         name = case when 'name' = any(known.edited) then known.name else coalesce(excluded.name, known.name) end,
         protocol_id = case when 'protocol' = any(known.edited) then known.protocol_id
           else coalesce(excluded.protocol_id, known.protocol_id) end,
         verified = known.verified or excluded.verified,
         source = case when known.source = 'discovered' then 'seed' else known.source end,
         metadata = known.metadata || excluded.metadata
       where (known.name, known.protocol_id) is distinct from (
           case when 'name' = any(known.edited) then known.name else coalesce(excluded.name, known.name) end,
           case when 'protocol' = any(known.edited) then known.protocol_id
             else coalesce(excluded.protocol_id, known.protocol_id) end)
         or (known.kind <> excluded.kind and excluded.kind <> 'unknown' and not 'kind' = any(known.edited)
           and known.last_checked_at is null)
         or (excluded.verified and not known.verified)
         or known.source = 'discovered'
         or not known.metadata @> excluded.metadata
       returning xmax = 0 as inserted`,
      [
        contracts.map((contract) => contract.chainId),
        contracts.map((contract) => toDigits(contract.address)),
        contracts.map((contract) => contract.kind ?? null),
        contracts.map((contract) => contract.name ?? null),
        contracts.map((contract) => contract.protocol ?? null),
        contracts.map((contract) => (contract.protocol === undefined ? null : protocolSlug(contract.protocol))),
        contracts.map((contract) => contract.verified ?? false),
        contracts.map((contract) => JSON.stringify(metadataOf(contract))),
      ],
    )
    const added = rows.filter((row) => row.inserted).length
    return { added, updated: rows.length - added, total: contracts.length }
  })
}

function metadataOf({ symbol, decimals, deployBlock, notes, source }: RegistryContract): Record<string, unknown> {
  const known = Object.entries({ symbol, decimals, deployBlock, notes }).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(known), ...(source === undefined ? {} : { sources: [source] }) }
}

/** A protocol that an operator renamed keeps its label. The registry finds it by `seed_label`. */
async function importProtocols(client: Queryable, labels: readonly string[]): Promise<void> {
  await client.query(
    sql`insert into protocol (label, slug, seed_label)
     select p.label, p.slug, p.label from unnest($1::text[], $2::text[]) as p (label, slug)
     where not exists (select from protocol renamed where renamed.seed_label = p.label) order by p.slug
     on conflict (slug) do update set seed_label = excluded.seed_label where protocol.seed_label is null`,
    [labels, labels.map(protocolSlug)],
  )
}

export type ContractEdit = { readonly name?: string; readonly protocol?: string; readonly kind?: string }

/** Adds or edits a contract. Imports do not change the fields set here. True if the contract is new. */
export async function saveContract(database: Database, ref: ContractRef, edit: ContractEdit = {}): Promise<boolean> {
  return await inTransaction(database, async (client) => {
    const protocolId = edit.protocol === undefined ? null : await ensureProtocol(client, edit.protocol)
    const edited = Object.entries(edit).flatMap(([column, value]) => (value === undefined ? [] : column))
    const { rows } = await client.query<{ inserted: boolean }>(
      sql`insert into contract as known (chain_id, address, name, protocol_id, kind, source, edited)
       values ($1, $2, $3, $4, coalesce($5, 'unknown'), 'manual', $6)
       on conflict (chain_id, address) do update set
         name = coalesce($3, known.name),
         protocol_id = coalesce($4, known.protocol_id),
         kind = coalesce($5, known.kind),
         source = case when known.source = 'discovered' then 'manual' else known.source end,
         edited = array(select distinct unnest(known.edited || excluded.edited) order by 1)
       returning xmax = 0 as inserted`,
      [ref.chainId, toBytes(ref.address), edit.name ?? null, protocolId, edit.kind ?? null, edited],
    )
    return rows[0]?.inserted === true
  })
}

const EXPIRES_AFTER_DAYS = 7

/**
 * Stops watching and polling discovered contracts that no subscription, protocol, registry or operator has referred to for
 * a week, neither directly nor as controllers of others. Their events stay. Returns their number.
 */
export async function expireContracts(database: Database, days: number = EXPIRES_AFTER_DAYS): Promise<number> {
  const { rows } = await inTransaction(database, (client) =>
    client.query<{ expired: number }>(sql`select expire_contracts(now() - $1 * interval '1 day') as expired`, [days]),
  )
  return rows[0]?.expired ?? 0
}

async function ensureProtocol(client: Queryable, label: string): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    sql`insert into protocol (label, slug) values ($1, $2)
     on conflict (slug) do update set slug = excluded.slug returning id`,
    [label, protocolSlug(label)],
  )
  const id = rows[0]?.id
  if (id === undefined) throw new Error('an insert returned no row')
  return id
}

/** Renames a protocol and its slug. */
export async function renameProtocol(database: Queryable, slug: string, label: string): Promise<boolean> {
  const { rowCount } = await database.query(sql`update protocol set label = $2, slug = $3 where slug = $1`, [
    slug,
    label,
    protocolSlug(label),
  ])
  return rowCount === 1
}

/**
 * Joins name, kind and protocol of the contract of each row, looked up by key.
 *
 * `offset 0` keeps the planner from flattening the subquery: for many rows it would read every contract.
 */
export const joinContractName = (row: Sql): Sql => sql`
  left join lateral (
    select c.name, c.kind, p.label as protocol from contract c left join protocol p on p.id = c.protocol_id
    where c.chain_id = ${row}.chain_id and c.address = ${row}.address offset 0) as c on true`

/** The label in kebab case. Words are not split: `EigenLayer` is one word, `ether.fi` are two. */
export function protocolSlug(label: string): string {
  return label
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '') // accents, which NFKD has split off
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
}

export type Protocol = { readonly id: number; readonly label: string; readonly slug: string }

/**
 * Finds a protocol by slug or label, in any case. A slug identifies one protocol, so it comes before a label, which can
 * be the slug of another protocol.
 */
export async function findProtocol(database: Queryable, text: string): Promise<Protocol | undefined> {
  const { rows } = await database.query<Protocol>({
    name: 'find_protocol',
    text: sql`select id, label, slug from (${findProtocolId(sql`$1`)}) as found join protocol using (id)`,
    values: [text.trim().toLowerCase()],
  })
  return rows[0]
}

/** Selects the id of the protocol with a slug or label, in lower case. */
export const findProtocolId = (text: Sql): Sql => sql`
  select id from protocol where slug = ${text} or lower(label) = lower(${text}) order by slug = ${text} desc, id limit 1`

export type RegisteredContract = {
  readonly chainId: number
  readonly address: Hex
  readonly name: string | null
  readonly protocol: string | null
  readonly kind: string
  readonly source: 'seed' | 'manual' | 'discovered'
  readonly lastCheckedAt: Date | null
}

type Row = Omit<RegisteredContract, 'address'> & { readonly address: Buffer }

const CONTRACT = sql`
  select c.chain_id as "chainId", c.address, c.name, p.label as protocol, c.kind, c.source, c.last_checked_at as "lastCheckedAt"
  from contract c left join protocol p on p.id = c.protocol_id`

const contractOf = ({ address, ...row }: Row): RegisteredContract => ({ ...row, address: toHex(address) })

/** Contracts whose name or protocol contains the text, or with this address. Contracts added by operators come first. */
export async function searchRegistered(
  database: Queryable,
  text: string,
  limit: number,
): Promise<readonly RegisteredContract[]> {
  const { rows } = await database.query<Row>(
    sql`${CONTRACT}
     where $1 = '' or strpos(lower(c.name), lower($1)) > 0 or strpos(lower(p.label), lower($1)) > 0
       or '0x' || encode(c.address, 'hex') = lower($1)
     order by array_position(array['manual', 'seed', 'discovered'], c.source), p.label nulls last, c.name nulls last, c.chain_id, c.address limit $2`,
    [text, limit],
  )
  return rows.map(contractOf)
}

export async function countRegistered(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ count: number }>(sql`select count(*)::int as count from contract`)
  return rows[0]?.count ?? 0
}

export async function findRegistered(
  database: Queryable,
  { chainId, address }: ContractRef,
): Promise<RegisteredContract | undefined> {
  const { rows } = await database.query<Row>(sql`${CONTRACT} where c.chain_id = $1 and c.address = $2`, [
    chainId,
    toBytes(address),
  ])
  return rows.map(contractOf)[0]
}
