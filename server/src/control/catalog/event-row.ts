/** The shape of one row of the event catalog. The rows are in `events/`; `layout.ts` decodes a log with a row. */
import type { Category } from '../../../../vocabulary/categories.ts'
import type { Severity } from '../../../../vocabulary/severities.ts'

/** A row as written in `events/`. The file determines its category. */
export type EventEntry = {
  /** The public key that the feed filters by. Several layouts may share a key, but not several categories. */
  readonly key: string
  /**
   * The declaration, names and indexing included, user-defined types resolved to ABI types. With `note` the
   * signature of the function that a Maker `note` modifier logs instead.
   */
  readonly event: string
  /** The default. `severity.ts` adjusts it to the event context. */
  readonly severity: Severity
  /** The contracts that emit it. */
  readonly emitter: string
  /** The source of the declaration. */
  readonly source: string
  /** Emitted as `LogNote`, the anonymous event of Maker's `note` modifiers: topic 0 is the padded selector. */
  readonly note?: true
  /** The argument with the contract this event is about, if it is not the emitter. */
  readonly subject?: string
  /** Only emitted during a deployment. */
  readonly setup?: true
  /**
   * Another row has the same layout: logs of contracts of these kinds match this row, all others the row without
   * `kinds`.
   */
  readonly kinds?: readonly string[]
  /** Only contracts of this kind emit it: what else they emit in the same blocks is named by it. */
  readonly proves?: string
  /** A note for readers of the catalog: the reason for the severity, the meaning of a number. */
  readonly remark?: string
}

export type EventRow = EventEntry & { readonly category: Category }
