/** SQL of the search: contracts by address and name, protocols by name, events by transaction. */

import type { Hex } from '../../lib/hex.ts'
import { toBytes, toHex } from '../../lib/hex.ts'
import type { Queryable, ReadDatabase } from '../../platform/database.ts'
import { literal, sql } from '../../platform/sql.ts'

export type FoundContract = {
  readonly chainId: number
  readonly address: Hex
  readonly name: string | null
  readonly protocol: string | null
  readonly kind: string
  readonly label: string | null
}
export type FoundProtocol = { readonly protocol: string; readonly slug: string; readonly contracts: number }

type ContractRow = Omit<FoundContract, 'address'> & { address: Buffer }

const CONTRACT = sql`
  select c.chain_id as "chainId", c.address, c.name, c.kind, p.label as protocol, f.label
  from contract c left join protocol p on p.id = c.protocol_id left join control_profile f using (chain_id, address)`

const contractOf = ({ address, ...row }: ContractRow): FoundContract => ({ ...row, address: toHex(address) })

export async function findContractsByAddress(database: Queryable, address: Hex): Promise<readonly FoundContract[]> {
  const { rows } = await database.query<ContractRow>(sql`${CONTRACT} where c.address = $1 order by c.chain_id`, [
    toBytes(address),
  ])
  return rows.map(contractOf)
}

export type KnownName = { readonly chainId: number; readonly address: Hex; readonly name: string }

/** Names that people gave; what a contract calls itself is its own word only. */
export async function getKnownNames(database: Queryable, limit: number): Promise<readonly KnownName[]> {
  const { rows } = await database.query<Omit<KnownName, 'address'> & { address: Buffer }>(
    sql`select chain_id as "chainId", address, name from contract
     where name is not null and source in ('seed', 'manual') order by id limit $1`,
    [limit],
  )
  return rows.map(({ address, ...row }) => ({ ...row, address: toHex(address) }))
}

/** Chains on which an address nobody entered has emitted events. */
export async function findChainsOfEmitter(database: Queryable, address: Hex): Promise<readonly number[]> {
  const { rows } = await database.query<{ chain_id: number }>(
    sql`select distinct chain_id from (select chain_id from control_event where address = $1 limit 1000) as e order by 1`,
    [toBytes(address)],
  )
  return rows.map(({ chain_id: chainId }) => chainId)
}

/** Names that begin with the text come first. */
export async function findContractsByName(
  database: Queryable,
  text: string,
  limit: number,
): Promise<readonly FoundContract[]> {
  const { rows } = await database.query<ContractRow>(
    sql`${CONTRACT} where c.name ilike $1 order by c.name ilike $2 desc, length(c.name), c.name, c.chain_id limit $3`,
    [`%${escaped(text)}%`, `${escaped(text)}%`, limit],
  )
  return rows.map(contractOf)
}

export async function findProtocolsByName(
  database: Queryable,
  text: string,
  limit: number,
): Promise<readonly FoundProtocol[]> {
  const { rows } = await database.query<FoundProtocol>(
    sql`select p.label as protocol, p.slug, count(c.id) as contracts from protocol p left join contract c on c.protocol_id = p.id
     where p.label ilike $1 or p.slug ilike $1 group by p.id order by p.label ilike $2 desc, length(p.label), p.label limit $3`,
    [`%${escaped(text)}%`, `${escaped(text)}%`, limit],
  )
  return rows
}

/** A search must not take what a page needs: history is looked through for this long. */
const PATIENCE_MS = 1_500

export type FoundTransaction = {
  readonly chainId: number
  readonly address: Hex
  readonly eventKey: string
  readonly blockTime: Date
}

/** The events of a transaction; undefined where looking through all events took too long. */
export async function findEventsOfTransaction(
  database: ReadDatabase,
  txHash: Hex,
): Promise<readonly FoundTransaction[] | undefined> {
  const client = await database.connect()
  try {
    await client.query(sql`begin read only; set local statement_timeout = ${literal(PATIENCE_MS)}`)
    const { rows } = await client.query<Omit<FoundTransaction, 'address'> & { address: Buffer }>(
      sql`select chain_id as "chainId", address, event_key as "eventKey", block_time as "blockTime"
       from control_event where tx_hash = $1 order by log_index limit 50`,
      [toBytes(txHash)],
    )
    return rows.map(({ address, ...row }) => ({ ...row, address: toHex(address) }))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '57014') return undefined
    throw error
  } finally {
    await client.query(sql`rollback`).catch(() => {})
    client.release()
  }
}

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)
