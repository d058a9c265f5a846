/**
 * Finds the names of events whose declaration several catalog rows share, once the kind of their emitter is known.
 *
 * The watcher names an event when it reads it. The kind of a contract may be found only later, by the first poll.
 */

import type { EventRow } from './event-row.ts'
import type { EventArgs } from './layout.ts'
import { eventLayout, parseEvent } from './layout.ts'

export type NamedEvent = { readonly key: string; readonly args: EventArgs }

export type EventNames = {
  /** The keys of events that a contract of this kind emits under another name. */
  readonly wrongKeysOf: (kind: string) => readonly string[]
  /** The event as a contract of this kind emits it. Undefined if its name is right. */
  readonly rename: (event: NamedEvent, kind: string) => (NamedEvent & Pick<EventRow, 'category'>) | undefined
}

export function createEventNames(rows: readonly EventRow[]): EventNames {
  const layouts = rows.filter((row) => row.note !== true).map(eventLayout)
  const shared = [...Map.groupBy(layouts, ({ topic0, topicCount }) => `${topic0} ${topicCount}`).values()]
    .map((siblings) => siblings.map(({ row }) => row))
    .filter((siblings) => siblings.some(({ kinds }) => kinds !== undefined))
  const pairsOf = (kind: string): readonly { readonly from: EventRow; readonly to: EventRow }[] =>
    shared.flatMap((siblings) => {
      const to =
        siblings.find(({ kinds }) => kinds?.includes(kind) === true) ??
        siblings.find(({ kinds }) => kinds === undefined)
      return to === undefined ? [] : siblings.filter(({ key }) => key !== to.key).map((from) => ({ from, to }))
    })
  return {
    wrongKeysOf: (kind) => [...new Set(pairsOf(kind).map(({ from }) => from.key))],
    rename: ({ key, args }, kind) => {
      for (const { from, to } of pairsOf(kind)) {
        const renamed = from.key === key ? renamedArgs(args, namesOf(from), namesOf(to)) : undefined
        if (renamed !== undefined) return { key: to.key, category: to.category, args: renamed }
      }
      return undefined
    },
  }
}

const namesOf = (row: EventRow): readonly string[] => parseEvent(row).inputs.map(({ name = '' }) => name)

/** Undefined if the arguments are not those of the declaration, such as those of a log that matches no layout. */
function renamedArgs(args: EventArgs, from: readonly string[], to: readonly string[]): EventArgs | undefined {
  const renamed = from.flatMap((name, at) => {
    const value = args[name]
    return value === undefined ? [] : [[to[at] ?? name, value] as const]
  })
  return renamed.length === from.length && Object.keys(args).length === from.length
    ? Object.fromEntries(renamed)
    : undefined
}
