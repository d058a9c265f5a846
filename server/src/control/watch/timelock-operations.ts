/**
 * Was a timelock's execution announced, and was it time? Asked of the timelock itself, as it stood one block before.
 *
 * An announcement of the same block is not in that state; it is found among the block's own events.
 */
import type { Hex } from '../../lib/hex.ts'
import type { DecodedEvent } from '../catalog/catalog.ts'
import { textOf } from '../catalog/control-arguments.ts'
import type { Facts } from '../catalog/severity.ts'
import type { Log } from '../rpc/parse.ts'

/** A log and what the catalog decoded from it. */
export type DecodedLog = { readonly log: Log; readonly event: DecodedEvent }

type Operation = Facts['operation']
type Announced = { readonly readyAt: bigint }

type Family = {
  readonly scheduled: string
  /** The argument that names the operation, in both events. */
  readonly id: string
  /** Takes the operation's id. */
  readonly getter: Hex
  /** What the getter's word says; undefined: nothing that can be relied on. */
  readonly read: (word: bigint, executed: DecodedEvent) => Operation
  readonly readyAt: (scheduled: DecodedEvent, time: bigint) => bigint | undefined
}

const integer = (event: DecodedEvent, name: string): bigint | undefined => {
  const text = textOf(event, name)
  return text === undefined ? undefined : BigInt(text)
}

/** The instant from which it may run; 0 means that it was never scheduled, 1 that it has run. */
const readTimestamp = (word: bigint): Operation =>
  word === 0n ? 'unseen' : word === 1n ? undefined : { readyAt: Number(word) }

/** Key of the execution → how its timelock remembers. */
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

const BY_ANNOUNCEMENT = new Map(Object.values(FAMILIES).map((family) => [family.scheduled, family]))

export const isExecution = ({ key, decode }: DecodedEvent): boolean => key in FAMILIES && decode === 'ok'

/** Announcements among these events, by block, timelock and operation. */
export type AnnouncedHere = ReadonlyMap<string, Announced>

export function announcedIn(decoded: readonly DecodedLog[], timeOf: (log: Log) => number): AnnouncedHere {
  const found = new Map<string, Announced>()
  for (const { log, event } of decoded) {
    const family = BY_ANNOUNCEMENT.get(event.key)
    const readyAt = family?.readyAt(event, BigInt(Math.floor(timeOf(log) / 1_000)))
    if (family !== undefined && readyAt !== undefined) found.set(placeOf(log, textOf(event, family.id)), { readyAt })
  }
  return found
}

const placeOf = ({ blockHash, address }: Log, id: string | undefined): string => `${blockHash}${address}${id}`

/** `ask` answers with the word a getter returned, or undefined where nobody can tell. */
export async function operationOf(
  { log, event }: DecodedLog,
  announced: AnnouncedHere,
  ask: (data: Hex) => Promise<string | undefined>,
): Promise<Operation> {
  const family = FAMILIES[event.key]
  const id = family === undefined ? undefined : textOf(event, family.id)
  if (family === undefined || id === undefined) return undefined
  const here = announced.get(placeOf(log, id))
  if (here !== undefined) return { readyAt: Number(here.readyAt) }
  const word = await ask(`${family.getter}${id.slice(2)}`)
  return word === undefined ? undefined : family.read(BigInt(word), event)
}
