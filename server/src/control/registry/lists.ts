/**
 * Reads lists of contracts that other projects publish, as rows of the registry.
 *
 * Such lists contain many chains. Rows of chains that this installation does not have, and addresses of other kinds of
 * chains, are counted and left out. In a list of our own they are errors, because its author meant this installation.
 */
import { findChain, parseAddress } from '../chains/chains.ts'

export const LIST_FORMATS = [
  'gatewatch',
  'token-list',
  'safe-deployments',
  'sourcify',
  'defillama',
  'defender',
] as const
export type ListFormat = (typeof LIST_FORMATS)[number]

export type ReadList = {
  readonly format: ListFormat
  /** To be validated by `parseRegistry`. */
  readonly rows: unknown
  /** Rows that were left out, by reason. */
  readonly skipped: Readonly<Record<'unknown chain' | 'not an EVM address' | 'listed twice', number>>
}

type Candidate = {
  readonly chain: string | number | undefined
  readonly address: unknown
  readonly name?: unknown
  readonly protocol?: unknown
  readonly symbol?: unknown
  readonly decimals?: unknown
  readonly verified?: boolean
}

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])

/** Names of chains in DefiLlama and Defender that differ from ours. */
const CHAIN_NAMES: ReadonlyMap<string, number> = new Map([
  ['mainnet', 1],
  ['eth', 1],
  ['bsc', 56],
  ['bnb', 56],
  ['binance', 56],
  ['matic', 137],
  ['arbitrum-one', 42161],
  ['arbitrumone', 42161],
  ['op', 10],
  ['avax', 43114],
  ['xdai', 100],
  ['era', 324],
  ['zksync', 324],
  ['wc', 480],
])

const chainNamed = (name: unknown): string | number | undefined => {
  if (typeof name === 'number') return name
  if (typeof name !== 'string') return undefined
  const key = name.trim().toLowerCase()
  return findChain(key)?.id ?? CHAIN_NAMES.get(key)
}

/** Finds the format of a list; undefined if it is none of them. */
export function formatOf(list: unknown): ListFormat | undefined {
  if (isFields(list)) {
    if (Array.isArray(list.tokens)) return 'token-list'
    if (isFields(list.networkAddresses)) return 'safe-deployments'
    if (Array.isArray(list.results) || Array.isArray(list.full) || Array.isArray(list.partial)) return 'sourcify'
    if (Array.isArray(list.protocols)) return 'defillama'
    if (Array.isArray(list.items) || Array.isArray(list.contracts)) return 'defender'
    return undefined
  }
  const [first] = listOf(list)
  if (first === undefined) return Array.isArray(list) ? 'gatewatch' : undefined
  if (isFields(first.networkAddresses)) return 'safe-deployments'
  if ('network' in first) return 'defender'
  return 'slug' in first || 'tvl' in first || 'category' in first ? 'defillama' : 'gatewatch'
}

export class UnknownListError extends Error {}

/** `chain`: that of a list which does not name one. */
export function readList(
  list: unknown,
  { format = formatOf(list), chain }: { format?: ListFormat | undefined; chain?: number | undefined } = {},
): ReadList {
  if (format === undefined)
    throw new UnknownListError(`The list has none of the known formats: ${LIST_FORMATS.join(', ')}.`)
  const none = { 'unknown chain': 0, 'not an EVM address': 0, 'listed twice': 0 }
  if (format === 'gatewatch') return { format, rows: list, skipped: none }
  if (typeof list !== 'object' || list === null)
    throw new UnknownListError(`The list is neither a JSON object nor an array, so it is no ${format}.`)
  return { format, ...rowsOf(READERS[format](list, chain), none) }
}

const READERS: Readonly<
  Record<Exclude<ListFormat, 'gatewatch'>, (list: unknown, chain?: number) => Iterable<Candidate>>
> = {
  'token-list': function* (list) {
    for (const { chainId, address, name, symbol, decimals } of listOf((list as Fields).tokens))
      yield { chain: chainNamed(chainId), address, name, symbol, decimals }
  },
  'safe-deployments': function* (list) {
    for (const { contractName, version, networkAddresses, deployments } of Array.isArray(list)
      ? listOf(list)
      : [list as Fields]) {
      if (!isFields(networkAddresses)) continue
      const name = [contractName, version].filter((part) => typeof part === 'string').join(' ')
      for (const [id, given] of Object.entries(networkAddresses))
        for (const kind of [given].flat()) {
          // Newer files name the kind of a deployment, whose address is listed once.
          const named = isFields(deployments) && typeof kind === 'string' ? deployments[kind] : undefined
          yield {
            chain: chainNamed(id),
            address: isFields(named) ? named.address : kind,
            name,
            protocol: 'Safe',
            verified: true,
          }
        }
    }
  },
  sourcify: function* (list, chain) {
    const { results, full, partial } = list as Fields
    for (const { chainId, address, name } of listOf(results))
      yield { chain: chainNamed(chainId), address, name, verified: true }
    for (const address of [full, partial].flatMap((part) => (Array.isArray(part) ? part : [])))
      yield { chain, address, verified: true }
  },
  defillama: function* (list) {
    for (const { address, name, chain: first } of listOf(isFields(list) ? list.protocols : list)) {
      if (typeof address !== 'string') continue
      const [prefix, rest] = address.includes(':') ? address.split(':', 2) : [undefined, address]
      // Without a prefix the address is on Ethereum, unless the protocol is on one other chain only.
      const only = typeof first === 'string' && first !== 'Multi-Chain' ? first : 'ethereum'
      yield { chain: chainNamed(prefix ?? only), address: rest, name, protocol: name }
    }
  },
  defender: function* (list) {
    const rows = isFields(list) ? (list.items ?? list.contracts) : list
    for (const { network, address, name } of listOf(rows)) yield { chain: chainNamed(network), address, name }
  },
}

/** Names with invisible characters are left out: they can look like another name. */
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 200 && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(value)

function rowsOf(
  candidates: Iterable<Candidate>,
  skipped: Record<keyof ReadList['skipped'], number>,
): Pick<ReadList, 'rows' | 'skipped'> {
  const rows = new Map<string, object>()
  for (const { chain, address, name, protocol, symbol, decimals, verified } of candidates) {
    const known = chain === undefined ? undefined : findChain(chain)
    const parsed = typeof address === 'string' ? parseAddress(address.trim()) : undefined
    if (parsed === undefined || 'refusal' in parsed || /^0x0+$/.test(parsed.address)) skipped['not an EVM address'] += 1
    else if (known === undefined) skipped['unknown chain'] += 1
    else if (rows.has(`${known.id}:${parsed.address}`)) skipped['listed twice'] += 1
    else
      rows.set(`${known.id}:${parsed.address}`, {
        chain: known.id,
        address: parsed.address,
        ...(isText(name) && { name }),
        ...(isText(protocol) && /[\p{L}\p{N}]/u.test(protocol) && { protocol }),
        ...(isText(symbol) && { symbol }),
        ...(Number.isInteger(decimals) && Number(decimals) >= 0 && Number(decimals) <= 255 && { decimals }),
        ...(verified === true && { verified }),
      })
  }
  return { rows: [...rows.values()], skipped }
}
