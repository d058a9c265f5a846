/**
 * Events of contracts that nothing refers to: any contract can log anything, and a transaction can contain thousands of
 * forged logs.
 *
 * Of events that one contract repeats in one block, the first few are kept, with the number of the others. A critical one
 * stays critical only if the state shows the change.
 */
import type { Severity } from '../../../../vocabulary/severities.ts'
import type { Hex } from '../../lib/hex.ts'
import type { DecodedEvent } from '../catalog/catalog.ts'
import { SLOTS } from '../profile/slots.ts'
import type { Log } from '../rpc/parse.ts'
import type { RequestOptions, RpcPool } from '../rpc/pool.ts'
import { getStorageAt } from '../rpc/requests.ts'
import { NoEndpointError } from '../rpc/rpc-error.ts'
import type { Decoded } from './event-context.ts'

/** Of one contract in one block: events with one key, and events in all. */
const KEPT_OF_KEY = 3
const KEPT_IN_ALL = 10

export type Collapsed = {
  readonly kept: readonly Decoded[]
  /** How many events like it were left out, for the last one that is kept. */
  readonly more: ReadonlyMap<Decoded, number>
}

/** The contracts with more than a few events in a block, and the contracts that these events are about. */
export function addressesOfRepeated(decoded: readonly Decoded[]): ReadonlySet<Hex> {
  const found = new Set<Hex>()
  if (decoded.length <= KEPT_OF_KEY) return found
  for (const entries of Map.groupBy(decoded, ({ log }) => `${log.blockHash}${log.address}`).values())
    if (entries.length > KEPT_OF_KEY)
      for (const { log, event } of entries) {
        found.add(log.address)
        if (event.subject !== undefined) found.add(event.subject)
      }
  return found
}

/** Leaves out the repeated events of contracts that nothing refers to. `referenced` is of `addressesOfRepeated`. */
export function collapse(decoded: readonly Decoded[], referenced: ReadonlySet<Hex>): Collapsed {
  const more = new Map<Decoded, number>()
  const kept: Decoded[] = []
  type Seen = { readonly ofKey: Map<string, number>; count: number; last?: Decoded }
  const seen = new Map<string, Seen>()
  for (const entry of decoded) {
    const { log, event } = entry
    if (referenced.has(log.address)) {
      kept.push(entry)
      continue
    }
    // A factory may change many contracts that are referred to, and those are no more than there are references.
    const about = event.subject !== undefined && referenced.has(event.subject) ? event.subject : ''
    const key = `${log.blockHash}${log.address}${about}`
    const of = seen.get(key) ?? { ofKey: new Map<string, number>(), count: 0 }
    seen.set(key, of)
    const alike = of.ofKey.get(event.key) ?? 0
    if (alike < KEPT_OF_KEY && of.count < KEPT_IN_ALL) {
      of.ofKey.set(event.key, alike + 1)
      of.count += 1
      of.last = entry
      kept.push(entry)
    } else if (of.last !== undefined) more.set(of.last, (more.get(of.last) ?? 0) + 1)
  }
  return { kept, more }
}

const PLAIN: readonly Hex[] = [SLOTS.slot0, SLOTS.slot1, SLOTS.slot2, SLOTS.slot3, SLOTS.slot4]
const LOGIC: readonly Hex[] = [
  SLOTS.implementation,
  SLOTS.zosImplementation,
  SLOTS.proxiable,
  SLOTS.polygonImplementation,
  SLOTS.starkwareImplementation,
  SLOTS.secondaryImplementation,
  ...PLAIN,
]
const ADMIN: readonly Hex[] = [SLOTS.admin, SLOTS.zosAdmin, SLOTS.polygonOwner, ...PLAIN]

/** The slots that hold the new value after an event, by its key. */
const SLOTS_OF: Readonly<Record<string, readonly Hex[]>> = {
  'proxy.upgraded': LOGIC,
  'beacon.upgraded': LOGIC,
  'proxy.secondary_upgraded': LOGIC,
  'proxy.implementation_changed': LOGIC,
  'proxy.polygon_updated': LOGIC,
  'proxy.target_updated': LOGIC,
  'proxy.starkware_upgraded': LOGIC,
  'factory.proxy_upgraded': LOGIC,
  'safe.master_copy': PLAIN,
  'proxy.admin_changed': ADMIN,
  'factory.proxy_admin_changed': ADMIN,
  'proxy.polygon_owner': ADMIN,
  'timelock.min_delay_changed': PLAIN,
  'timelock.min_delay_set': PLAIN,
  'timelock.new_delay': PLAIN,
  'safe.changed_guard': [SLOTS.safeGuard],
  'safe.changed_module_guard': [SLOTS.safeModuleGuard],
}

type ReadOptions = RequestOptions & { readonly parentOf: (log: Log) => Hex | undefined }

/**
 * The severity of a critical event of a contract that nothing refers to: critical if a slot got the value that the event
 * names, info if none has it, high if the state cannot show it.
 */
export async function confirmedSeverity(
  pool: RpcPool,
  { log, event }: Pick<Decoded, 'log' | 'event'>,
  { parentOf, ...options }: ReadOptions,
): Promise<Severity> {
  const slots = SLOTS_OF[event.key]
  const values = valuesIn(event)
  if (slots === undefined || values.size === 0) return 'high'
  const address = event.subject ?? log.address
  const here = { number: log.blockNumber, hash: log.blockHash }
  const parentHash = parentOf(log)
  const before = { number: log.blockNumber - 1, ...(parentHash === undefined ? {} : { hash: parentHash }) }
  const read = async (slot: Hex, block: typeof before): Promise<bigint> =>
    BigInt((await pool.request(getStorageAt(address, slot, block), options)).value)
  const holds = (word: bigint): boolean => values.has(word) || values.has(word & ADDRESS_MASK)
  try {
    const after = await Promise.all(slots.map((slot) => read(slot, here)))
    for (const [at, word] of after.entries())
      if (holds(word) && word !== (await read(slots[at] as Hex, before))) return 'critical'
    return 'info'
  } catch (error) {
    if (error instanceof NoEndpointError && error.isUnanimous('pruned', 'unsupported')) return 'high'
    throw error
  }
}

const ADDRESS_MASK = (1n << 160n) - 1n

/** The addresses and numbers among the arguments, other than zero. */
function valuesIn({ args }: DecodedEvent): ReadonlySet<bigint> {
  const values = new Set<bigint>()
  for (const value of Object.values(args))
    if (typeof value === 'string' && /^(0x[0-9a-f]{40}|\d{1,78})$/.test(value)) values.add(BigInt(value))
    else if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) values.add(BigInt(value))
  values.delete(0n)
  return values
}
