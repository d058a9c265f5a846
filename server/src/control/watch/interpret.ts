/**
 * Logs → the events that are stored: what they mean, whether they are setup, when they happened.
 */

import type { Hex } from '../../lib/hex.ts'
import type { Catalog, DecodedEvent } from '../catalog/catalog.ts'
import type { EventRecord } from '../catalog/event-record.ts'
import { isInit, isSetUpBy } from '../catalog/init.ts'
import { judge } from '../catalog/severity.ts'
import type { Log } from '../rpc/parse.ts'
import type { RequestOptions } from '../rpc/pool.ts'
import { type Decoded, readEventContexts, setUpBefore } from './event-context.ts'
import { type CreationDeps, resolveCreations } from './resolve-creations.ts'
import type { Found } from './watch-store.ts'

export type InterpretDeps = CreationDeps & { readonly catalog: Pick<Catalog, 'decode'> }

/** What is known about a block beside its logs. */
export type BlockContext = { readonly time: number; readonly parentHash: Hex | undefined }

export type Context = RequestOptions & {
  readonly kindOf: (address: Hex) => string | undefined
  readonly blockOf: (log: Log) => BlockContext
  /** Whether a contract that an announcement aims at is under watch. */
  readonly isWatched?: (address: Hex) => boolean
}

export async function interpret(deps: InterpretDeps, logs: readonly Log[], context: Context): Promise<Found> {
  const { kindOf, blockOf, isWatched, ...ask } = context
  const births = await resolveCreations(deps, logs, { ...ask, parentOf: (log) => blockOf(log).parentHash })
  const decoded: Decoded[] = []
  for (const log of logs) {
    const event = deps.catalog.decode(log, kindOf(log.address))
    if (event !== undefined) decoded.push({ log, event, isInit: births.isCreation(log) && isInit(event, MADE_HERE) })
  }
  const { setUp, upgraded } = companionsOf(decoded)
  const around = {
    ...ask,
    parentOf: (log: Log) => blockOf(log).parentHash,
    timeOf: (log: Log) => blockOf(log).time,
  }
  // Of a contract made in this transaction nothing stood before.
  const doubtful = decoded.flatMap(({ event, isInit, log }) => (event.key === 'safe.setup' && !isInit ? log : []))
  const again = new Set([...(await setUpBefore(deps, doubtful, around))].map(placeOf))
  for (const entry of decoded) {
    const place = setUp.size > 0 ? placeOf(entry.log) : ''
    const facts = again.has(place) ? SET_UP_AGAIN : setUp.has(place) ? SET_UP_HERE : NOT_KNOWN
    entry.isInit ||= isInit(entry.event, facts)
  }
  const circumstances = await readEventContexts(deps, decoded, around)
  const events = decoded.map((entry) => {
    const { log, event, isInit } = entry
    const isUpgradedHere = upgraded.size > 0 && upgraded.has(placeOf(log))
    const blockTime = Math.floor(blockOf(log).time / 1_000)
    const plain = { emitter: log.address, isInit, isUpgradedHere, blockTime }
    const known =
      isWatched === undefined ? plain : { emitter: log.address, isInit, isUpgradedHere, blockTime, isWatched }
    const more = circumstances.get(entry)
    const wasSetUpBefore = again.size > 0 && event.key === 'safe.setup' && again.has(placeOf(log))
    const { severity } = judge(
      event,
      more === undefined && !wasSetUpBefore ? known : { ...known, ...more, wasSetUpBefore },
    )
    return toRecord(log, event, blockOf(log).time, isInit, severity)
  })
  return { events, facts: births.facts }
}

const MADE_HERE = { isCreatedHere: true } as const
const SET_UP_HERE = { isSetUpHere: true } as const
const SET_UP_AGAIN = { wasSetUpBefore: true } as const
const NOT_KNOWN = {} as const

/** One contract in one transaction. */
const placeOf = ({ txHash, address }: Pick<Log, 'txHash' | 'address'>): string => `${txHash}${address}`

/** What else the same contract did in the same transaction: the events of a transaction are always read together. */
function companionsOf(decoded: readonly Pick<Decoded, 'log' | 'event'>[]): {
  readonly setUp: ReadonlySet<string>
  readonly upgraded: ReadonlySet<string>
} {
  const setUp = new Set<string>()
  const upgraded = new Set<string>()
  for (const { log, event } of decoded) {
    const made = event.subject ?? log.address
    if (isSetUpBy(made, log.address, event)) setUp.add(placeOf({ txHash: log.txHash, address: made }))
    if (event.category === 'upgrade' && event.key !== 'proxy.initialized') upgraded.add(placeOf(log))
  }
  return { setUp, upgraded }
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
