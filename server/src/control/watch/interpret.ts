/**
 * Logs → the events that are stored: what they mean, whether they are setup, when they happened.
 */
import type { Catalog, DecodedEvent } from '../catalog/catalog.ts'
import { isInit, isSetUpBy } from '../catalog/init.ts'
import { judge } from '../catalog/severity.ts'
import type { Hex, Log } from '../node/parse.ts'
import type { AskOptions } from '../node/pool.ts'
import type { EventRecord, Found } from '../store/watch-store.ts'
import { type BirthDeps, resolveBirths } from './birth.ts'
import { type Decoded, readCircumstances } from './circumstances.ts'

export type InterpretDeps = BirthDeps & { readonly catalog: Pick<Catalog, 'decode'> }

/** What is known about a block beside its logs. */
export type BlockFacts = { readonly time: number; readonly parentHash: Hex | undefined }

export type Context = AskOptions & {
  readonly kindOf: (address: Hex) => string | undefined
  readonly blockOf: (log: Log) => BlockFacts
  /** Whether a contract that an announcement aims at is under watch. */
  readonly isWatched?: (address: Hex) => boolean
}

export async function interpret(deps: InterpretDeps, logs: readonly Log[], context: Context): Promise<Found> {
  const { kindOf, blockOf, isWatched: _, ...ask } = context
  const births = await resolveBirths(deps, logs, { ...ask, parentOf: (log) => blockOf(log).parentHash })
  const decoded = logs.flatMap((log) => {
    const event = deps.catalog.decode(log, kindOf(log.address))
    return event === undefined ? [] : { log, event }
  })
  const companions = companionsOf(decoded)
  const judged = decoded.map(({ log, event }) => {
    const emitter = births.isCreation(log) ? 'this_transaction' : 'unknown'
    return { log, event, isInit: isInit(event, { emitter, isSetUpHere: companions.setUp.has(placeOf(log)) }) }
  })
  const parentOf = (log: Log): Hex | undefined => blockOf(log).parentHash
  const circumstances = await readCircumstances(deps, judged, { ...ask, parentOf })
  const events = judged.map(({ log, event, isInit }, at) => {
    const { severity } = judge(event, {
      emitter: log.address,
      isInit,
      isUpgradedHere: companions.upgraded.has(placeOf(log)),
      ...(context.isWatched === undefined ? {} : { isWatched: context.isWatched }),
      ...circumstances[at],
    })
    return toRecord(log, event, blockOf(log).time, isInit, severity)
  })
  return { events, facts: births.facts }
}

/** One contract in one transaction. */
const placeOf = ({ txHash, address }: Log): string => `${txHash}${address}`

/** What else the same contract did in the same transaction: the events of a transaction are always read together. */
function companionsOf(decoded: readonly Pick<Decoded, 'log' | 'event'>[]): {
  readonly setUp: ReadonlySet<string>
  readonly upgraded: ReadonlySet<string>
} {
  const setUp = new Set<string>()
  const upgraded = new Set<string>()
  for (const { log, event } of decoded) {
    if (isSetUpBy(log.address, log.address, event)) setUp.add(placeOf(log))
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
