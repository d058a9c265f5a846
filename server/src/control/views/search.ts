/** Searches contracts by address and name, protocols by name, and events by transaction. */
import type { z } from 'zod'

import type { Hex } from '../../lib/hex.ts'
import { toBytes, toHex } from '../../lib/hex.ts'
import type { Queryable, ReadDatabase } from '../../platform/database.ts'
import { literal, sql } from '../../platform/sql.ts'
import { findChain, parseAddress } from '../chains/chains.ts'
import { labelOf } from './profile-view.ts'
import type { knownName, searchResults } from './schemas.ts'

const MAX_RESULTS = 12
/** Pages label accounts with these names. Without a name they show the address. */
const MAX_NAMES = 5_000

const slugOf = (chainId: number): string => findChain(chainId)?.slug ?? String(chainId)

export async function search(
  { database }: { readonly database: ReadDatabase },
  text: string,
): Promise<z.input<typeof searchResults>> {
  const none = { contracts: [], protocols: [], transactions: [], isComplete: true }
  if (/^0x[0-9a-f]{64}$/i.test(text)) {
    const found = await findEventsOfTransaction(database, text.toLowerCase() as Hex)
    const transactions = (found ?? []).map(({ blockTime, ...event }) => ({
      ...event,
      chainSlug: slugOf(event.chainId),
      blockTime: blockTime.toISOString(),
    }))
    return { ...none, transactions, isComplete: found !== undefined }
  }
  const parsed = parseAddress(text)
  if ('address' in parsed) return { ...none, contracts: await contractsAt(database, parsed.address) }
  const [contracts, protocols] = await Promise.all([
    findContractsByName(database, text, MAX_RESULTS),
    findProtocolsByName(database, text, MAX_RESULTS),
  ])
  return { ...none, contracts: contracts.map(foundContractView), protocols: [...protocols] }
}

/** Includes chains on which the address is not registered but has emitted events. */
async function contractsAt(database: Queryable, address: Hex) {
  const [registered, chains] = await Promise.all([
    findContractsByAddress(database, address),
    findChainsOfEmitter(database, address),
  ])
  const registeredChains = new Set(registered.map(({ chainId }) => chainId))
  const unnamed = { address, name: null, protocol: null, kind: 'unknown', label: null }
  const seen = chains.filter((chainId) => !registeredChains.has(chainId)).map((chainId) => ({ ...unnamed, chainId }))
  return [...registered, ...seen].map(foundContractView)
}

const foundContractView = ({ label, ...contract }: FoundContract) => ({
  ...contract,
  chainSlug: slugOf(contract.chainId),
  label: labelOf(label),
})

export async function getNames({ database }: { readonly database: Queryable }): Promise<z.input<typeof knownName>[]> {
  const names = await getKnownNames(database, MAX_NAMES)
  return names.map(({ chainId, ...known }) => ({ ...known, chainSlug: slugOf(chainId) }))
}

type FoundContract = {
  readonly chainId: number
  readonly address: Hex
  readonly name: string | null
  readonly protocol: string | null
  readonly kind: string
  readonly label: string | null
}
type FoundProtocol = { readonly protocol: string; readonly slug: string; readonly contracts: number }

type ContractRow = Omit<FoundContract, 'address'> & { address: Buffer }

const CONTRACT = sql`
  select c.chain_id as "chainId", c.address, c.name, c.kind, p.label as protocol, f.label
  from contract c left join protocol p on p.id = c.protocol_id left join control_profile f using (chain_id, address)`

const contractOf = ({ address, ...row }: ContractRow): FoundContract => ({ ...row, address: toHex(address) })

async function findContractsByAddress(database: Queryable, address: Hex): Promise<readonly FoundContract[]> {
  const { rows } = await database.query<ContractRow>(sql`${CONTRACT} where c.address = $1 order by c.chain_id`, [
    toBytes(address),
  ])
  return rows.map(contractOf)
}

type KnownName = { readonly chainId: number; readonly address: Hex; readonly name: string }

/** Returns registered names only: a contract can return any name for itself. */
async function getKnownNames(database: Queryable, limit: number): Promise<readonly KnownName[]> {
  const { rows } = await database.query<Omit<KnownName, 'address'> & { address: Buffer }>(
    sql`select chain_id as "chainId", address, name from contract
     where name is not null and source in ('seed', 'manual') order by id limit $1`,
    [limit],
  )
  return rows.map(({ address, ...row }) => ({ ...row, address: toHex(address) }))
}

/** Returns the chains on which an address has emitted events. */
async function findChainsOfEmitter(database: Queryable, address: Hex): Promise<readonly number[]> {
  const { rows } = await database.query<{ chain_id: number }>(
    sql`select distinct chain_id from (select chain_id from control_event where address = $1 limit 1000) as e order by 1`,
    [toBytes(address)],
  )
  return rows.map(({ chain_id: chainId }) => chainId)
}

/** Names that start with the text come first. */
async function findContractsByName(
  database: Queryable,
  text: string,
  limit: number,
): Promise<readonly FoundContract[]> {
  const { rows } = await database.query<ContractRow>(
    sql`${CONTRACT} where c.name ilike $1 order by c.name ilike $2 desc, length(c.name), c.name, c.chain_id limit $3`,
    [`%${escapeLike(text)}%`, `${escapeLike(text)}%`, limit],
  )
  return rows.map(contractOf)
}

async function findProtocolsByName(
  database: Queryable,
  text: string,
  limit: number,
): Promise<readonly FoundProtocol[]> {
  const { rows } = await database.query<FoundProtocol>(
    sql`select p.label as protocol, p.slug, count(c.id) as contracts from protocol p left join contract c on c.protocol_id = p.id
     where p.label ilike $1 or p.slug ilike $1 group by p.id order by p.label ilike $2 desc, length(p.label), p.label limit $3`,
    [`%${escapeLike(text)}%`, `${escapeLike(text)}%`, limit],
  )
  return rows
}

/** `tx_hash` has no index, so the scan is limited. */
const SCAN_TIMEOUT_MS = 1_500

type FoundTransaction = {
  readonly chainId: number
  readonly address: Hex
  readonly eventKey: string
  readonly blockTime: Date
}

/** Returns the events of a transaction, or undefined if the scan timed out. */
export async function findEventsOfTransaction(
  database: ReadDatabase,
  txHash: Hex,
): Promise<readonly FoundTransaction[] | undefined> {
  const client = await database.connect()
  try {
    await client.query(sql`begin read only; set local statement_timeout = ${literal(SCAN_TIMEOUT_MS)}`)
    const { rows } = await client.query<Omit<FoundTransaction, 'address'> & { address: Buffer }>(
      sql`select chain_id as "chainId", address, k.key as "eventKey", block_time as "blockTime"
       from control_event e join event_kind k on k.id = e.kind_id where tx_hash = $1 order by log_index limit 50`,
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

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)
