/** The shape of one row of the event catalog. The rows are in `events/`; `layout.ts` decodes a log with a row. */
import type { Category } from '../../../../vocabulary/categories.ts'
import type { Severity } from '../../../../vocabulary/severities.ts'

/** A row as written in `events/`; the file it stands in names its category. */
export type EventEntry = {
  /** Dotted and public: the feed filters by it. Several layouts may share one key, never several categories. */
  readonly key: string
  /**
   * The declaration, names and indexing included, user-defined types resolved to ABI types. With `note` the
   * signature of the function that a Maker `note` modifier logs instead.
   */
  readonly event: string
  /** Before anything is known about the circumstances; `severity.ts` adjusts it at run time. */
  readonly severity: Severity
  /** Who emits it. */
  readonly emitter: string
  /** Where the declaration was read. */
  readonly source: string
  /** Written by `LogNote`, the anonymous event of Maker's `note` modifiers: topic 0 is the padded selector. */
  readonly note?: true
  /** The argument that names the contract this event is about, where that is not the emitter. */
  readonly subject?: string
  /** Only emitted while something is being deployed. */
  readonly setup?: true
  /**
   * Logs of this layout look exactly like those of another row; contracts of these kinds mean this one. The row
   * without `kinds` is what everything else means.
   */
  readonly kinds?: readonly string[]
  /** What a reader of the catalog should know: the reason for the severity, the meaning of a number. */
  readonly remark?: string
}

export type EventRow = EventEntry & { readonly category: Category }
