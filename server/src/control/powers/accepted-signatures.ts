/**
 * Signatures that a contract accepts as its own (ERC-1271): an account that can give one moves what the contract lets others
 * take by its signature, such as tokens that it has approved to Permit2.
 */
import type { Hex } from '../../lib/hex.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { OP } from '../code/instructions.ts'
import type { Position } from '../code/positions.ts'
import type { CodeFunction } from './functions.ts'
import type { Access } from './guards.ts'
import { selectorOf } from './names.ts'

const LATER = selectorOf('isValidSignature(bytes32,bytes)')
const EARLIER = selectorOf('isValidSignature(bytes,bytes)')
/** By function, what it returns for a signature that it accepts: the function itself, at the start of a word. */
const ACCEPTING: ReadonlyMap<Hex, bigint> = new Map([LATER, EARLIER].map((each) => [each, BigInt(each) << 224n]))

const accepted = ({ selector, isView, effects }: CodeFunction): readonly RawEffect[] => {
  const answer = isView ? ACCEPTING.get(selector) : undefined
  if (answer === undefined) return []
  return effects.filter(
    ({ kind, op, subject }) =>
      kind === 'exit' && op === OP.RETURN && (subject.kind !== 'constant' || subject.value === answer),
  )
}

/** Who can give such a signature; undefined where the function accepts none. No signature is meant to be every account's. */
export function acceptedFrom(each: CodeFunction): Access | undefined {
  const places = accepted(each)
  if (places.length === 0) return undefined
  const access = each.accessAtAny(places)
  return access.type === 'open' ? { type: 'unknown', why: 'condition' } : access
}

/** Tables from which the function accepts signatures: to list one is to give it. */
export const listsOfAccepted = (each: CodeFunction): readonly Position[] =>
  accepted(each).length === 0 ? [] : each.reads.filter(({ type }) => type === 'table')
