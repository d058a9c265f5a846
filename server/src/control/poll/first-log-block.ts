/**
 * The block from which a log may have announced a change of a field.
 *
 * Pure. It is the block after the last poll, unless that poll could not read or confirm the field: then the log may be
 * older than the poll, and the change would wrongly count as silent.
 */
import type { SlotField } from '../catalog/slot-events.ts'

export type LastPoll = {
  readonly polledBlock: number
  /** For fields that the poll did not settle. */
  readonly firstLogBlocks: Readonly<Partial<Record<string, number>>>
}

export function firstLogBlock({ polledBlock, firstLogBlocks: older }: LastPoll, field: SlotField): number {
  // A rollback may have moved the last poll to before the last read of the field.
  return Math.min(older[field] ?? polledBlock + 1, polledBlock + 1)
}

/**
 * The start blocks of fields that this poll did not settle. A start before `oldest` is dropped, because endpoints may
 * have pruned those logs and the change could never be judged.
 */
export function nextFirstLogBlocks(
  last: LastPoll,
  unsettled: readonly SlotField[],
  oldest: number,
): Readonly<Record<string, number>> {
  const pending = unsettled.filter(
    (field) => last.firstLogBlocks[field] === undefined || firstLogBlock(last, field) >= oldest,
  )
  return Object.fromEntries(pending.map((field) => [field, firstLogBlock(last, field)]))
}
