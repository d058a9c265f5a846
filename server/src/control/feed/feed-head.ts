/** Compares two reads of the newest events of a feed. Pure. */
import type { ControlEvent } from '../registry/control-event.ts'

export type HeadChange = { readonly published: readonly ControlEvent[]; readonly retracted: readonly ControlEvent[] }

/**
 * Both reads are newest first and hold at most `limit` events. Events at or below the oldest event of a full read are
 * ignored: they may be missing because newer events pushed them out, or new because they were never read before.
 */
export function changeOfHead(
  before: readonly ControlEvent[],
  after: readonly ControlEvent[],
  limit: number,
): HeadChange {
  const isInRange = (event: ControlEvent, read: readonly ControlEvent[]): boolean => {
    const oldest = read.at(-1)
    return read.length < limit || oldest === undefined || isNewer(event, oldest)
  }
  const idsBefore = new Set(before.map(({ id }) => id))
  const idsAfter = new Set(after.map(({ id }) => id))
  return {
    published: after.filter((event) => !idsBefore.has(event.id) && isInRange(event, before)),
    retracted: before.filter((event) => !idsAfter.has(event.id) && isInRange(event, after)),
  }
}

const isNewer = (a: ControlEvent, b: ControlEvent): boolean =>
  a.blockTime.getTime() - b.blockTime.getTime() > 0 || (a.blockTime.getTime() === b.blockTime.getTime() && a.id > b.id)
