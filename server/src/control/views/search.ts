/** Searches contracts, protocols, accounts that control contracts, ENS names, kinds of events, and the events of a transaction. */
import type { z } from 'zod'
import { LABEL_TONES, type Leader, labelText, type Tone } from '../../../../vocabulary/labels.ts'
import { editDistance } from '../../lib/edit-distance.ts'
import type { Hex } from '../../lib/hex.ts'
import { toBytes, toHex } from '../../lib/hex.ts'
import type { Queryable, ReadDatabase } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { findChain } from '../chains/chains.ts'
import { chainIdsOf, getEventsOfTransaction } from '../feed/feed.ts'
import type { NameResolver } from '../rpc/ens.ts'
import { labelOf } from './profile-view.ts'
import type { knownName, searchResults } from './search-schemas.ts'
import { readSearchText } from './search-text.ts'

const MAX_RESULTS = 12
/** Pages label accounts with these names. Without a name they show the address. */
const MAX_NAMES = 5_000

const slugOf = (chainId: number): string => findChain(chainId)?.slug ?? String(chainId)

type SearchResults = z.input<typeof searchResults>

const NOTHING: SearchResults = {
  contracts: [],
  protocols: [],
  accounts: [],
  names: [],
  eventKinds: [],
  transactions: [],
  isComplete: true,
}

type SearchDeps = { readonly database: ReadDatabase; readonly names?: Pick<NameResolver, 'resolve'> | undefined }

export async function search({ database, names }: SearchDeps, text: string): Promise<SearchResults> {
  const searched = readSearchText(text)
  if (searched.kind === 'transaction') return { ...NOTHING, ...(await transactionAt(database, searched.hash)) }
  if (searched.kind === 'address') return { ...NOTHING, ...(await accountAt(database, searched.address)) }
  const [found, lookup] = await Promise.all([
    named(database, searched.words, searched.digits),
    names?.resolve(searched.words),
  ])
  return {
    ...NOTHING,
    ...found,
    names: (lookup?.names ?? []).map((each) => ({ ...each, chainSlug: slugOf(each.chainId) })),
    isComplete: lookup?.isComplete ?? true,
  }
}

async function transactionAt(database: ReadDatabase, hash: Hex): Promise<Partial<SearchResults>> {
  const found = await getEventsOfTransaction(database, hash)
  const byChain = Map.groupBy(found ?? [], ({ chainId }) => chainId)
  const transactions = [...byChain].map(([chainId, events]) => ({
    chainId,
    chainSlug: slugOf(chainId),
    hash,
    events: events.length,
    blockTime: events[0]?.blockTime.toISOString() ?? '',
  }))
  return { transactions, isComplete: found !== undefined }
}

/** Includes chains on which the address is not registered but has emitted events, or controls a contract. */
async function accountAt(database: Queryable, address: Hex): Promise<Partial<SearchResults>> {
  const [registered, chains, controlled] = await Promise.all([
    findContractsByAddress(database, address),
    findChainsOfEmitter(database, address),
    countControlled(database, address),
  ])
  const registeredChains = new Set(registered.map(({ chainId }) => chainId))
  const unnamed = { address, name: null, protocol: null, kind: 'unknown', label: null, tone: null, leader: null }
  const seen = chains.filter((chainId) => !registeredChains.has(chainId)).map((chainId) => ({ ...unnamed, chainId }))
  const contracts = [...registered, ...seen]
  const accounts = controlled
    .filter(({ chainId }) => contracts.every((contract) => contract.chainId !== chainId))
    .map(({ chainId, controls }) => ({ chainId, chainSlug: slugOf(chainId), address, controls }))
  return { contracts: contracts.map(foundContractView), accounts }
}

async function named(database: Queryable, words: string, digits: string | undefined): Promise<Partial<SearchResults>> {
  const [byName, byDigits, protocols, eventKinds] = await Promise.all([
    findContractsByName(database, words, MAX_RESULTS),
    digits === undefined ? [] : findContractsByDigits(database, digits, MAX_RESULTS),
    findProtocolsByName(database, words, MAX_RESULTS),
    findEventKinds(database, words, MAX_RESULTS),
  ])
  const contracts = [...byDigits, ...byName].slice(0, MAX_RESULTS).map(foundContractView)
  const hasResults = contracts.length + protocols.length + eventKinds.length > 0
  return { contracts, protocols: hasResults ? [...protocols] : await similarProtocols(database, words), eventKinds }
}

/** One typing error in four letters, so that short texts do not match everything. */
async function similarProtocols(database: Queryable, words: string): Promise<SearchResults['protocols']> {
  const text = words.toLowerCase()
  const allowed = Math.min(3, Math.floor(text.length / 4))
  if (allowed === 0 || text.length > 64) return []
  return (await findProtocolsByName(database, '', MAX_NAMES))
    .map((protocol) => ({ protocol, distance: distanceTo(text, protocol.protocol.toLowerCase()) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_RESULTS)
    .map(({ protocol }) => protocol)
}

/** To the whole name, or to as many words of it as the text has: `harbr` is near `Harbor Lending`. */
function distanceTo(text: string, name: string): number {
  const [count, words] = [text.split(' ').length, name.split(' ')]
  const parts = words.slice(0, words.length - count + 1).map((_, at) => words.slice(at, at + count).join(' '))
  return Math.min(...[name, ...parts].map((part) => editDistance(text, part)))
}

const foundContractView = ({ label, tone, leader, ...contract }: FoundContract) => ({
  ...contract,
  chainSlug: slugOf(contract.chainId),
  label: labelOf(label),
  labelText: labelText(labelOf(label), leader),
  tone: tone ?? LABEL_TONES[labelOf(label)],
})

export async function getNames({ database }: { readonly database: Queryable }): Promise<z.input<typeof knownName>[]> {
  const names = await getKnownNames(database, MAX_NAMES)
  return names.map(({ chainId, symbol, decimals, ...known }) => ({
    ...known,
    chainSlug: slugOf(chainId),
    ...(symbol !== null && decimals !== null && { token: { symbol, decimals } }),
  }))
}

type FoundContract = {
  readonly chainId: number
  readonly address: Hex
  readonly name: string | null
  readonly protocol: string | null
  readonly kind: string
  readonly label: string | null
  readonly tone: Tone | null
  readonly leader: Leader | null
}
type FoundProtocol = { readonly protocol: string; readonly slug: string; readonly contracts: number }

type ContractRow = Omit<FoundContract, 'address'> & { address: Buffer }

const CONTRACT = sql`
  select c.chain_id as "chainId", c.address, c.name, c.kind, p.label as protocol, f.label, f.tone, f.led_by as leader
  from contract c left join protocol p on p.id = c.protocol_id left join control_profile f using (chain_id, address)`

const contractOf = ({ address, ...row }: ContractRow): FoundContract => ({ ...row, address: toHex(address) })

async function findContractsByAddress(database: Queryable, address: Hex): Promise<readonly FoundContract[]> {
  const { rows } = await database.query<ContractRow>(sql`${CONTRACT} where c.address = $1 order by c.chain_id`, [
    toBytes(address),
  ])
  return rows.map(contractOf)
}

/** Contracts whose address begins with these digits. */
async function findContractsByDigits(
  database: Queryable,
  digits: string,
  limit: number,
): Promise<readonly FoundContract[]> {
  const [first, last] = ['0', 'f'].map((digit) => Buffer.from(digits.padEnd(40, digit), 'hex'))
  const { rows } = await database.query<ContractRow>(
    sql`${CONTRACT} where c.chain_id = any($1) and c.address between $2 and $3 order by c.address, c.chain_id limit $4`,
    [chainIdsOf({}), first, last, limit],
  )
  return rows.map(contractOf)
}

/** Counts the contracts that an account controls, by the chain of the account. */
async function countControlled(
  database: Queryable,
  address: Hex,
): Promise<readonly { readonly chainId: number; readonly controls: number }[]> {
  const { rows } = await database.query<{ chainId: number; controls: number }>(
    sql`select controller_chain_id as "chainId", count(*) as controls from contract_controller
     where controller_chain_id = any($1) and controller = $2 group by 1 order by 1`,
    [chainIdsOf({}), toBytes(address)],
  )
  return rows
}

async function findEventKinds(database: Queryable, text: string, limit: number): Promise<SearchResults['eventKinds']> {
  const { rows } = await database.query<SearchResults['eventKinds'][number]>(
    sql`select key, category from event_kind where key ilike $1 order by key ilike $2 desc, key limit $3`,
    [`%${escapeLike(text)}%`, `${escapeLike(text)}%`, limit],
  )
  return rows
}

type KnownName = {
  readonly chainId: number
  readonly address: Hex
  readonly name: string
  readonly symbol: string | null
  readonly decimals: number | null
}

/** Returns registered names only: a contract can return any name for itself. */
async function getKnownNames(database: Queryable, limit: number): Promise<readonly KnownName[]> {
  const { rows } = await database.query<Omit<KnownName, 'address'> & { address: Buffer }>(
    sql`select chain_id as "chainId", address, name, metadata ->> 'symbol' as symbol, metadata -> 'decimals' as decimals from contract
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

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)
