/** Compares what a policy expects of a contract with what was read. */
import { LABELS, type Label } from '../../../../vocabulary/labels.ts'
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
import type { Hex } from '../../lib/hex.ts'
import type { FieldPath } from '../../lib/yaml-file.ts'
import { findChain } from '../chains/chains.ts'
import { refKey } from '../profile/state.ts'
import type { Observed } from './observe.ts'
import type { ExpectedContract } from './policy.ts'

/** One expectation, and whether it holds. `unread`: the chain could not be read. */
export type Check = {
  readonly path: FieldPath
  readonly status: 'ok' | 'differs' | 'unread'
  readonly expected: string
  readonly actual: string
}

type Bound<T> = T | { readonly atLeast: T }

const NONE = 'none'
const UNREAD = 'could not be read'
const NOT_LISTED = 'not listed'

const isBound = <T>(given: Bound<T>): given is { readonly atLeast: T } =>
  typeof given === 'object' && given !== null && 'atLeast' in given

export function compare(expected: ExpectedContract, observed: Observed, chainId: number): readonly Check[] {
  if (!observed.isContract)
    return [{ path: ['address'], status: 'differs', expected: 'a contract', actual: 'no contract at this address' }]
  const checks: Check[] = []
  const add = (path: FieldPath, status: Check['status'], wanted: string, actual: string): void => {
    checks.push({ path, status, expected: wanted, actual })
  }
  const same = (path: FieldPath, wanted: string, actual: string): void =>
    add(path, wanted === actual ? 'ok' : 'differs', wanted, actual)
  const number = (path: FieldPath, wanted: Bound<number> | undefined, actual: number | null): void => {
    if (wanted === undefined) return
    const holds = actual !== null && (isBound(wanted) ? actual >= wanted.atLeast : actual === wanted)
    add(path, holds ? 'ok' : 'differs', boundText(wanted), actual === null ? NONE : String(actual))
  }
  const label = (path: FieldPath, wanted: Bound<Label> | undefined, actual: Label): void => {
    if (wanted === undefined) return
    const holds = isBound(wanted) ? LABELS.indexOf(actual) <= LABELS.indexOf(wanted.atLeast) : actual === wanted
    add(path, holds ? 'ok' : 'differs', boundText(wanted), actual)
  }
  const list = (path: FieldPath, wanted: readonly Hex[] | undefined, actual: readonly Hex[] | null): void => {
    if (wanted !== undefined) same(path, listText(wanted), actual === null ? NONE : listText(actual))
  }

  label(['label'], expected.label, observed.label)
  if (expected.kind !== undefined) same(['kind'], expected.kind, observed.kind)
  for (const field of ['implementation', 'admin', 'owner', 'beacon'] as const) {
    const [wanted, actual] = [expected[field], observed.fields[field]]
    if (wanted === undefined) continue
    if (actual === undefined) add([field], 'unread', wanted ?? NONE, UNREAD)
    else same([field], wanted ?? NONE, actual ?? NONE)
  }
  number(['threshold'], expected.threshold, observed.threshold)
  list(['signers'], expected.signers, observed.signers)
  number(['delay'], expected.delay, observed.delay)

  if (expected.controllers !== undefined) {
    const found = new Map(observed.controllers.map((each) => [refKey(each), each]))
    for (const [at, wanted] of expected.controllers.entries()) {
      const path = ['controllers', at]
      const named = wanted.chain === undefined ? chainId : findChain(wanted.chain)?.id
      const key = named === undefined ? '' : refKey({ chainId: named, address: wanted.address })
      const actual = found.get(key)
      found.delete(key)
      if (actual === undefined) {
        add(path, 'differs', wanted.address, NONE)
        continue
      }
      add(path, 'ok', wanted.address, actual.address)
      if (wanted.kind !== undefined) same([...path, 'kind'], wanted.kind, actual.kind)
      number([...path, 'threshold'], wanted.threshold, actual.threshold)
      list([...path, 'signers'], wanted.signers, actual.signers)
      number([...path, 'delay'], wanted.delay, actual.delay)
    }
    for (const { address, kind } of found.values()) add(['controllers'], 'differs', NOT_LISTED, `${address} (${kind})`)
  }

  if (expected.powers !== undefined) {
    if (observed.powers === null) add(['powers'], 'unread', 'the listed powers', UNREAD)
    const found = new Map(observed.powers)
    for (const [effect, wanted] of Object.entries(expected.powers)) {
      const path = ['powers', effect]
      const actual = found.get(effect as PowerEffect)
      found.delete(effect as PowerEffect)
      if (actual === undefined) {
        if (observed.powers !== null) add(path, 'differs', 'held', NONE)
        continue
      }
      add(path, 'ok', 'held', 'held')
      label([...path, 'label'], wanted.label, actual.label)
      number([...path, 'delay'], wanted.delay, actual.delay)
      list([...path, 'holders'], wanted.holders, actual.holders)
    }
    for (const [effect, { label: held, holders }] of found)
      add(['powers'], 'differs', NOT_LISTED, `${effect} (${held})${holders.length > 0 ? `: ${listText(holders)}` : ''}`)
  }
  if (!observed.isStale) return checks
  // What differs may only be what could not be read.
  return [
    ...checks.map((check) => (check.status === 'differs' ? { ...check, status: 'unread' as const } : check)),
    { path: ['address'], status: 'unread', expected: 'a complete read', actual: 'a read of the chain failed' },
  ]
}

const listText = (items: readonly string[]): string => (items.length === 0 ? NONE : [...items].sort().join(', '))
const boundText = (bound: Bound<string | number>): string =>
  isBound(bound) ? `at least ${bound.atLeast}` : String(bound)
