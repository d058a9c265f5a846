/**
 * From which block on a change of a field may have been announced.
 *
 * Pure. The block after the last look, unless that look could not read the field or did not believe what it read: then
 * the announcement may be older than the look, and the change would pass for a silent one.
 */
import type { SlotField } from '../catalog/slot-events.ts'

export type LastLook = {
  readonly seenBlock: number
  /** Of fields that the look did not settle. */
  readonly logsFrom: Readonly<Partial<Record<string, number>>>
}

export function logsFrom({ seenBlock, logsFrom: older }: LastLook, field: SlotField): number {
  // Undone blocks may have taken the last look back to before the field was last read.
  return Math.min(older[field] ?? seenBlock + 1, seenBlock + 1)
}

/**
 * What the next look has to know of fields that this one did not settle. Those that stay unsettled for long are not
 * awaited for ever: of blocks before `oldest` nobody may have the logs, and a change that cannot be judged is never told.
 */
export function nextLogsFrom(
  last: LastLook,
  unsettled: readonly SlotField[],
  oldest: number,
): Readonly<Record<string, number>> {
  const awaited = unsettled.filter((field) => last.logsFrom[field] === undefined || logsFrom(last, field) >= oldest)
  return Object.fromEntries(awaited.map((field) => [field, logsFrom(last, field)]))
}
