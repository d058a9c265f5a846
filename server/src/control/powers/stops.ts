/** What transfers of a token require of the storage: an account that changes it stops them, for all accounts or for one. */
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
import type { Fact } from '../code/conditions.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { mayHit } from '../code/hits.ts'
import { OP } from '../code/instructions.ts'
import { type Position, positionOf } from '../code/positions.ts'
import type { Term } from '../code/terms.ts'
import { type CodeFunction, isCleared } from './functions.ts'
import { mentions } from './guards.ts'
import { TRANSFERS } from './names.ts'

/** A position that a condition of every transfer reads. */
export type Stop = {
  readonly position: Position
  /** The position must not be zero; undefined where it is compared in another form. */
  readonly isSet?: boolean
}

export function stopsOf(functions: readonly CodeFunction[]): readonly Stop[] {
  return functions
    .filter(({ selector, access }) => TRANSFERS.has(selector) && access.type !== 'guarded')
    .flatMap(({ effects }) => {
      const [first, ...others] = effects.filter(({ kind }) => kind === 'exit').map(({ facts }) => facts)
      const isIn = ({ term, holds }: Fact, facts: readonly Fact[]): boolean =>
        facts.some((other) => other.term === term && other.holds === holds)
      const required = first?.filter((fact) => others.every((facts) => isIn(fact, facts))) ?? []
      // What transfers change themselves are amounts and locks.
      const written = effects.flatMap(({ kind, subject, facts }) =>
        kind === 'store' ? [positionOf(subject, facts)] : [],
      )
      return required
        .flatMap((fact) => stopsIn(fact, first ?? []))
        .filter(({ position }) => position.type !== 'anywhere' && !written.some((each) => isSame(each, position)))
    })
}

/** Whether both are slots, or elements of tables. An element under a constant key is a slot that every table may reach. */
const isSame = (written: Position, read: Position): boolean => written.type === read.type && mayHit(written, read)

function stopsIn({ term, holds }: Fact, facts: readonly Fact[]): readonly Stop[] {
  const read = new Set<Term>()
  mentions(term, ({ kind, args: [position] }) => {
    if (kind === 'stored' && position !== undefined) read.add(position)
    return false
  })
  return [...read].map((each) => ({ position: positionOf(each, facts), ...(isTest(term) && { isSet: holds }) }))
}

/** Whether a condition asks whether what is stored, or a part of it, is zero. */
const isTest = ({ kind, op, args: [left, right] }: Term): boolean =>
  kind === 'stored' ||
  ((op === OP.AND || op === OP.SHR) && left?.kind === 'constant' && right !== undefined && isTest(right))

/** Whether a store may stop transfers: of all accounts, or of some. */
export function stopping({ subject, value, facts }: RawEffect, stops: readonly Stop[]): readonly PowerEffect[] {
  if (value === undefined) return []
  const position = positionOf(subject, facts)
  if (position.type === 'anywhere') return []
  const isRemoval = isCleared(value, subject)
  const found = stops.filter((stop) => mayHit(position, stop.position) && !(isRemoval && stop.isSet === false))
  if (found.length === 0) return []
  return [found.some((stop) => stop.position.type === 'slot') ? 'pause' : 'freeze']
}
