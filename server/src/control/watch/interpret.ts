/** Turns logs into the events that are stored: decoded, with severity, time, and whether they are setup. */

import type { PowerClass } from '../../../../vocabulary/powers.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Catalog, DecodedEvent, EventRecord } from '../catalog/catalog.ts'
import { isInit, isSetUpBy } from '../catalog/init.ts'
import { assessSeverity, grantedRole } from '../catalog/severity.ts'
import { indexOf } from '../catalog/transaction-events.ts'
import type { Header, Log } from '../rpc/parse.ts'
import type { RequestOptions, RpcPool } from '../rpc/pool.ts'
import { getBlockHeader } from '../rpc/requests.ts'
import { BlockMissingError } from '../rpc/rpc-error.ts'
import { type CreationDeps, resolveCreations } from './creation.ts'
import { type Decoded, type EventContext, readEventContexts, setUpBefore } from './event-context.ts'
import { findSignerChanges } from './safe-signers.ts'
import {
  type BlockFacts,
  type FoundInTransaction,
  findInTransactions,
  type TransactionContext,
} from './transaction-events.ts'
import { addressesOfRepeated, collapse, confirmedSeverity } from './unverified-events.ts'
import type { Found, StoredBlock, WatchStore } from './watch-store.ts'

export type InterpretDeps = CreationDeps & { readonly catalog: Pick<Catalog, 'decode' | 'kindProvenBy'> }

/** The time and parent of a log's block. */
export type BlockContext = { readonly time: number; readonly parentHash: Hex | undefined }

export type Context = RequestOptions & {
  readonly kindOf: (address: Hex) => string | undefined
  readonly blockOf: (log: Log) => BlockContext
  /** Whether the target of a scheduled call is watched. */
  readonly isWatched?: (address: Hex) => boolean
  /** The contracts that the registry, a protocol or a subscription refers to. Without it, all are. */
  readonly getReferenced?: (addresses: readonly Hex[]) => Promise<ReadonlySet<Hex>>
  /** How harmful roles are, by the last polls. */
  readonly roleClasses?: WatchStore['getRoleClasses'] | undefined
  /** Reads the transactions of the logs too. Without it, no events of transactions are found. */
  readonly reading?: Reading | undefined
}

export type Reading = Pick<TransactionContext, 'transactions' | 'getControllers' | 'getControlledSafes'> & {
  readonly getOwnerChanges: WatchStore['getOwnerChanges']
  /** The blocks of the transactions. */
  readonly headers: readonly Header[]
}

/** For logs whose blocks are not read as a whole: only the transactions of the logs are read. */
export const readingOf = ({
  getControllers,
  getControlledSafes,
  getOwnerChanges,
}: Pick<WatchStore, 'getControllers' | 'getControlledSafes' | 'getOwnerChanges'>): Reading => ({
  headers: [],
  transactions: [],
  getControllers,
  getControlledSafes,
  getOwnerChanges,
})

export async function interpret(deps: InterpretDeps, logs: readonly Log[], context: Context): Promise<Found> {
  const { kindOf, blockOf, isWatched, getReferenced, roleClasses, reading, ...options } = context
  const referencedAmong = async (addresses: ReadonlySet<Hex>): Promise<ReadonlySet<Hex>> =>
    addresses.size === 0 || getReferenced === undefined ? addresses : await getReferenced([...addresses])
  const creations = await resolveCreations(deps, logs, { ...options, parentOf: (log) => blockOf(log).parentHash })
  const proven = provenKinds(deps.catalog, logs)
  const decoded: Decoded[] = []
  for (const log of logs) {
    const event = deps.catalog.decode(log, proven.get(log.address) ?? kindOf(log.address))
    if (event !== undefined)
      decoded.push({ log, event, isInit: creations.isCreation(log) && isInit(event, CREATED_HERE) })
  }
  const { setUp, upgraded } = transactionFactsOf(decoded)
  const readOptions = {
    ...options,
    parentOf: (log: Log) => blockOf(log).parentHash,
    timeOf: (log: Log) => blockOf(log).time,
  }
  // A contract created in this transaction cannot have been set up before.
  const setups = decoded.flatMap(({ event, isInit, log }) => (event.key === 'safe.setup' && !isInit ? log : []))
  const again = new Set([...(await setUpBefore(deps, setups, readOptions))].map(emissionKeyOf))
  for (const entry of decoded) {
    const key = setUp.size > 0 ? emissionKeyOf(entry.log) : ''
    const facts = again.has(key) ? SET_UP_AGAIN : setUp.has(key) ? SET_UP_HERE : NOT_KNOWN
    entry.isInit ||= isInit(entry.event, facts)
  }
  const { kept, more: others } = collapse(decoded, await referencedAmong(addressesOfRepeated(decoded)))
  const contexts = await readEventContexts(deps, kept, readOptions)
  const classOfRole = await grantedClasses(kept, roleClasses)
  const assessed = kept.map((entry) => {
    const { log, event, isInit } = entry
    const isUpgradedHere = upgraded.size > 0 && upgraded.has(emissionKeyOf(log))
    const blockTime = Math.floor(blockOf(log).time / 1_000)
    const plain = { emitter: log.address, isInit, isUpgradedHere, blockTime }
    const known =
      isWatched === undefined ? plain : { emitter: log.address, isInit, isUpgradedHere, blockTime, isWatched }
    const more = contexts.get(entry)
    const wasSetUpBefore = again.size > 0 && event.key === 'safe.setup' && again.has(emissionKeyOf(log))
    const roleClass = classOfRole(entry)
    const { severity } = assessSeverity(
      event,
      more === undefined && !wasSetUpBefore && roleClass === undefined
        ? known
        : { ...known, ...more, wasSetUpBefore, ...(roleClass === undefined ? {} : { roleClass }) },
    )
    return [entry, severity] as const
  })
  const isCritical = ([, severity]: (typeof assessed)[number]): boolean => severity === 'critical'
  const referenced = await referencedAmong(new Set(assessed.filter(isCritical).map(([{ log }]) => log.address)))
  const events = await Promise.all(
    assessed.map(async ([entry, assumed]) => {
      const { log, event, isInit } = entry
      const severity =
        assumed !== 'critical' || referenced.has(log.address)
          ? assumed
          : await confirmedSeverity(deps.pool, entry, { ...options, parentOf: readOptions.parentOf })
      const record = toRecord(log, withPrevious(event, contexts.get(entry)), blockOf(log).time, isInit, severity)
      const left = others.get(entry)
      return left === undefined ? record : { ...record, args: { ...record.args, moreLikeThis: String(left) } }
    }),
  )
  if (reading === undefined) return { events, facts: creations.facts }
  const { headers, getOwnerChanges, ...ofTransactions } = reading
  const blocks = new Map<Hex, BlockFacts>(headers.map((header) => [header.hash, header]))
  for (const log of logs)
    if (!blocks.has(log.blockHash)) blocks.set(log.blockHash, { number: log.blockNumber, ...blockOf(log) })
  const findingContext = {
    ...options,
    isWatched: isWatched ?? (() => true),
    blockOf: (hash: Hex) => blocks.get(hash) as BlockFacts,
  }
  const [inTransactions, ofSigners] = await Promise.all([
    findInTransactions(deps, kept, { ...findingContext, ...ofTransactions }),
    findSignerChanges(deps, kept, { ...findingContext, getOwnerChanges }),
  ])
  const annotated = events.map((record, at) => {
    const calls = inTransactions.calls.get(kept[at] as Decoded)
    return calls === undefined ? record : { ...record, args: { ...record.args, ...calls } }
  })
  const more = [...inTransactions.events, ...ofSigners].map((event) => transactionRecord(event, findingContext.blockOf))
  return { events: [...annotated, ...more], facts: creations.facts }
}

function transactionRecord(found: FoundInTransaction, blockOf: (hash: Hex) => BlockFacts): EventRecord {
  const { key, category, severity, transaction, address, position, subject, args } = found
  const { number, time } = blockOf(transaction.blockHash)
  return {
    blockNumber: number,
    blockHash: transaction.blockHash,
    blockTime: time,
    txHash: transaction.hash,
    logIndex: indexOf(transaction.hash, key, address, position),
    address,
    key,
    category,
    severity,
    args,
    isInit: false,
    subject,
  }
}

/** The class of the role that an event grants. */
async function grantedClasses(
  decoded: readonly Decoded[],
  read: Context['roleClasses'],
): Promise<(entry: Decoded) => PowerClass | undefined> {
  const grants = decoded.flatMap(({ log, event, isInit }) => {
    const role = isInit ? undefined : grantedRole(event)
    return role === undefined ? [] : [{ book: log.address, role }]
  })
  if (grants.length === 0 || read === undefined) return () => undefined
  const classes = await read(grants)
  return ({ log, event }) => classes.get(`${log.address} ${grantedRole(event)}`)
}

/**
 * The kinds that the logs themselves prove. They come before the stored kind, which can be older than the contract's code
 * or come from a list: a Safe that enables a module also logs the execution.
 */
function provenKinds(catalog: Pick<Catalog, 'kindProvenBy'>, logs: readonly Log[]): ReadonlyMap<Hex, string> {
  const proven = new Map<Hex, string>()
  for (const { address, topics } of logs) {
    const kind = catalog.kindProvenBy(topics[0])
    if (kind !== undefined) proven.set(address, kind)
  }
  return proven
}

const CREATED_HERE = { isCreatedHere: true } as const
const SET_UP_HERE = { isSetUpHere: true } as const
const SET_UP_AGAIN = { wasSetUpBefore: true } as const
const NOT_KNOWN = {} as const

/** One contract in one transaction. */
const emissionKeyOf = ({ txHash, address }: Pick<Log, 'txHash' | 'address'>): string => `${txHash}${address}`

/** The contracts that a transaction sets up or upgrades. The events of a transaction are always read together. */
function transactionFactsOf(decoded: readonly Pick<Decoded, 'log' | 'event'>[]): {
  readonly setUp: ReadonlySet<string>
  readonly upgraded: ReadonlySet<string>
} {
  const setUp = new Set<string>()
  const upgraded = new Set<string>()
  for (const { log, event } of decoded) {
    const target = event.subject ?? log.address
    if (isSetUpBy(target, log.address, event)) setUp.add(emissionKeyOf({ txHash: log.txHash, address: target }))
    if (event.category === 'upgrade' && event.key !== 'proxy.initialized') upgraded.add(emissionKeyOf(log))
  }
  return { setUp, upgraded }
}

/** Adds the threshold or delay before the event to its arguments, where it was read. */
function withPrevious(event: DecodedEvent, context: EventContext | undefined): DecodedEvent {
  const { previousThreshold, previousDelay } = context ?? {}
  if (previousThreshold === undefined && previousDelay === undefined) return event
  const previous = {
    ...(previousThreshold === undefined ? {} : { previousThreshold: String(previousThreshold) }),
    ...(previousDelay === undefined ? {} : { previousDelay: String(previousDelay) }),
  }
  return { ...event, args: { ...event.args, ...previous } }
}

function toRecord(
  log: Log,
  event: DecodedEvent,
  blockTime: number,
  isInit: boolean,
  severity: EventRecord['severity'],
): EventRecord {
  return {
    blockNumber: log.blockNumber,
    blockHash: log.blockHash,
    blockTime,
    txHash: log.txHash,
    logIndex: log.logIndex,
    address: log.address,
    key: event.key,
    category: event.category,
    severity,
    args: event.args,
    isInit,
    subject: event.subject,
  }
}

/** Reads the times of blocks that neither the window nor the logs provide, one header per block. */
export async function readBlockTimes(
  { pool }: { readonly pool: RpcPool },
  logs: readonly Log[],
  blocks: ReadonlyMap<number, StoredBlock>,
): Promise<(log: Log) => BlockContext> {
  const withoutTime = logs.filter((log) => log.blockTime === undefined && !blocks.has(log.blockNumber))
  const times = new Map<number, number>()
  await Promise.all(
    [...new Set(withoutTime.map((log) => log.blockNumber))].map(async (number) => {
      const { value } = await pool.request(getBlockHeader(number), { priority: 'bulk' })
      if (value === undefined) throw new BlockMissingError(pool.chain, number)
      times.set(number, value.time)
    }),
  )
  const parentOf = (log: Log): Hex | undefined => blocks.get(log.blockNumber - 1)?.hash
  return (log) => ({
    time: blocks.get(log.blockNumber)?.time ?? times.get(log.blockNumber) ?? log.blockTime ?? 0,
    parentHash: parentOf(log),
  })
}
