/**
 * Finds out whether a timelock operation was scheduled before its execution, and when it became ready.
 *
 * Reads the timelock's state one block before the execution. An operation scheduled in the same block is not in that
 * state and is found among the block's events.
 */
import type { Hex } from '../../lib/hex.ts'
import type { DecodedEvent } from '../catalog/catalog.ts'
import { textOf } from '../catalog/control-arguments.ts'
import type { SeverityFacts } from '../catalog/severity.ts'
import type { Log } from '../rpc/parse.ts'

/** A log and what the catalog decoded from it. */
export type DecodedLog = { readonly log: Log; readonly event: DecodedEvent }

type Operation = SeverityFacts['operation']
type Scheduled = { readonly readyAt: bigint }

type Family = {
  readonly scheduled: string
  /** The argument with the operation id, in both events. */
  readonly id: string
  /** Takes the operation's id. */
  readonly getter: Hex
  /** Interprets the word the getter returned. Undefined if it decides nothing. */
  readonly read: (word: bigint, executed: DecodedEvent) => Operation
  readonly readyAt: (scheduled: DecodedEvent, time: bigint) => bigint | undefined
}

const integer = (event: DecodedEvent, name: string): bigint | undefined => {
  const text = textOf(event, name)
  return text === undefined ? undefined : BigInt(text)
}

/** The time from which it may run. 0 means never scheduled, 1 means done. */
const readTimestamp = (word: bigint): Operation =>
  word === 0n ? 'unseen' : word === 1n ? undefined : { readyAt: Number(word) }

/** How each kind of timelock stores operations, by the key of its execution event. */
const FAMILIES: Readonly<Record<string, Family>> = {
  'timelock.executed': {
    scheduled: 'timelock.scheduled',
    id: 'id',
    getter: '0xd45c4435', // getTimestamp(bytes32)
    read: readTimestamp,
    readyAt: (event, time) => addTo(time, integer(event, 'delay')),
  },
  'timelock.executed_solady': {
    scheduled: 'timelock.proposed',
    id: 'id',
    getter: '0x7113e592', // readyTimestamp(bytes32)
    read: readTimestamp,
    readyAt: (event) => integer(event, 'readyTimestamp'),
  },
  'timelock.executed_tx': {
    scheduled: 'timelock.queued',
    id: 'txHash',
    getter: '0xf2b06537', // queuedTransactions(bytes32)
    read: (word, executed) => {
      const eta = integer(executed, 'eta')
      return word === 0n ? 'unseen' : eta === undefined ? undefined : { readyAt: Number(eta) }
    },
    readyAt: (event) => integer(event, 'eta'),
  },
}

function addTo(time: bigint, delay: bigint | undefined): bigint | undefined {
  return delay === undefined ? undefined : time + delay
}

const BY_SCHEDULE_EVENT = new Map(Object.values(FAMILIES).map((family) => [family.scheduled, family]))

export const isExecution = ({ key, decode }: DecodedEvent): boolean => key in FAMILIES && decode === 'ok'

/** Operations scheduled by these events, by block, timelock and operation id. */
export type ScheduledHere = ReadonlyMap<string, Scheduled>

export function scheduledIn(decoded: readonly DecodedLog[], timeOf: (log: Log) => number): ScheduledHere {
  const found = new Map<string, Scheduled>()
  for (const { log, event } of decoded) {
    const family = BY_SCHEDULE_EVENT.get(event.key)
    const readyAt = family?.readyAt(event, BigInt(Math.floor(timeOf(log) / 1_000)))
    if (family !== undefined && readyAt !== undefined)
      found.set(operationKeyOf(log, textOf(event, family.id)), { readyAt })
  }
  return found
}

const operationKeyOf = ({ blockHash, address }: Log, id: string | undefined): string => `${blockHash}${address}${id}`

/** `read` calls a getter and returns its word, or undefined if no endpoint can. */
export async function operationOf(
  { log, event }: DecodedLog,
  scheduled: ScheduledHere,
  read: (data: Hex) => Promise<string | undefined>,
): Promise<Operation> {
  const family = FAMILIES[event.key]
  const id = family === undefined ? undefined : textOf(event, family.id)
  if (family === undefined || id === undefined) return undefined
  const here = scheduled.get(operationKeyOf(log, id))
  if (here !== undefined) return { readyAt: Number(here.readyAt) }
  const word = await read(`${family.getter}${id.slice(2)}`)
  return word === undefined ? undefined : family.read(BigInt(word), event)
}
