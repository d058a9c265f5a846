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

export type InterpretDeps = BirthDeps & { readonly catalog: Pick<Catalog, 'decode'> }

/** What is known about a block beside its logs. */
export type BlockFacts = { readonly time: number; readonly parentHash: Hex | undefined }

export type Context = AskOptions & {
  readonly kindOf: (address: Hex) => string | undefined
  readonly blockOf: (log: Log) => BlockFacts
}

export async function interpret(deps: InterpretDeps, logs: readonly Log[], context: Context): Promise<Found> {
  const { kindOf, blockOf, ...ask } = context
  const births = await resolveBirths(deps, logs, { ...ask, parentOf: (log) => blockOf(log).parentHash })
  const decoded = logs.flatMap((log) => {
    const event = deps.catalog.decode(log, kindOf(log.address))
    return event === undefined ? [] : { log, event }
  })
  const companions = companionsOf(decoded)
  const events = decoded.map(({ log, event }) => {
    const isSetup = isInit(event, {
      emitter: births.isCreation(log) ? 'this_transaction' : 'unknown',
      isSetUpHere: companions.setUp.has(placeOf(log)),
    })
    const { severity } = judge(event, {
      emitter: log.address,
      isInit: isSetup,
      isUpgradedHere: companions.upgraded.has(placeOf(log)),
    })
    return toRecord(log, event, blockOf(log).time, isSetup, severity)
  })
  return { events, facts: births.facts }
}

type Decoded = { readonly log: Log; readonly event: DecodedEvent }

/** One contract in one transaction. */
const placeOf = ({ txHash, address }: Log): string => `${txHash}${address}`

/** What else the same contract did in the same transaction: the events of a transaction are always read together. */
function companionsOf(decoded: readonly Decoded[]): {
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
