/** A control event as the watcher decodes it and the feed stores it. */
import type { Category } from '../../../../vocabulary/categories.ts'
import type { Severity } from '../../../../vocabulary/severities.ts'
import type { Hex } from '../../lib/hex.ts'
import type { EventArgs } from './layout.ts'

export type EventRecord = {
  readonly blockNumber: number
  readonly blockHash: Hex
  /** Milliseconds since the epoch. */
  readonly blockTime: number
  readonly txHash: Hex
  readonly logIndex: number
  readonly address: Hex
  readonly key: string
  readonly category: Category
  readonly severity: Severity
  readonly args: EventArgs
  readonly isInit: boolean
  /** The contract the event is about, if it is not the emitter. */
  readonly subject: Hex | undefined
}
