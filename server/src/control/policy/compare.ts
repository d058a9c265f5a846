/** Compares what a policy expects of a contract with what was read. */
import { LABELS, type Label } from '../../../../vocabulary/labels.ts'
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
import type { FieldPath } from '../../lib/yaml-file.ts'
import { findChain } from '../chains/chains.ts'
import { refKey } from '../profile/state.ts'
import type { ContractRef } from '../registry/contracts.ts'
import type { Observed, ObservedPower } from './observe.ts'
import { ADDRESS_FIELDS, type ExpectedContract } from './policy.ts'

/** One expectation, and whether it holds. `unread`: the chain could not be read. */
export type Check = {
  readonly path: FieldPath
  readonly status: 'ok' | 'differs' | 'unread'
  readonly expected: string
  readonly actual: string
}

type Bound<T> = T | { readonly atLeast: T }
type ExpectedPower = NonNullable<NonNullable<ExpectedContract['powers']>[PowerEffect]>

const NONE = 'none'
const UNREAD = 'could not be read'
const NOT_LISTED = 'not listed'
const OTHERS = ', and others that are not known'
const LIST_FIELDS = ['facets', 'modules'] as const

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
    add(path, actual !== null && isMet(wanted, actual) ? 'ok' : 'differs', boundText(wanted), textOf(actual))
  }
  /** The least delay of the known holders. Others can have a shorter one, and none can make it longer. */
  const delay = (
    path: FieldPath,
    wanted: Bound<number> | undefined,
    actual: Pick<ObservedPower, 'delay' | 'isComplete'> | null,
  ): void => {
    if (wanted === undefined) return
    if (actual === null || actual.isComplete) return number(path, wanted, actual?.delay ?? null)
    const least = isBound(wanted) ? wanted.atLeast : wanted
    const status = actual.delay < least ? 'differs' : 'unread'
    add(path, status, boundText(wanted), `${actual.delay} of the known holders${OTHERS}`)
  }
  const label = (path: FieldPath, wanted: Bound<Label> | undefined, actual: Label): void => {
    if (wanted === undefined) return
    const holds = isBound(wanted) ? LABELS.indexOf(actual) <= LABELS.indexOf(wanted.atLeast) : actual === wanted
    add(path, holds ? 'ok' : 'differs', boundText(wanted), actual)
  }
  const list = (path: FieldPath, wanted: readonly string[] | undefined, actual: readonly string[] | null): void => {
    if (wanted !== undefined) same(path, listText(wanted), actual === null ? NONE : listText(actual))
  }
  const holders = (path: FieldPath, wanted: ExpectedPower['holders'], actual: ObservedPower): void => {
    if (wanted === undefined) return
    const names = wanted.map(({ chain, address }) =>
      holderText({ chainId: chainIdOf(chain, chainId), address }, chainId),
    )
    const found = [...actual.holders.map((each) => holderText(each, chainId)), ...(actual.isOpen ? ['anyone'] : [])]
    if (actual.isComplete || found.some((each) => !names.includes(each))) return list(path, names, found)
    add(path, 'unread', listText(names), `${listText(found)}${OTHERS}`)
  }

  label(['label'], expected.label, observed.label)
  if (expected.kind !== undefined) same(['kind'], expected.kind, observed.kind)
  for (const field of ['codeHash', ...ADDRESS_FIELDS] as const) {
    const [wanted, actual] = [expected[field], observed.fields[field]]
    if (wanted === undefined) continue
    if (actual === undefined) add([field], 'unread', wanted ?? NONE, UNREAD)
    else same([field], wanted ?? NONE, actual ?? NONE)
  }
  for (const field of LIST_FIELDS) {
    const [wanted, actual] = [expected[field], observed.fields[field]]
    if (wanted === undefined) continue
    if (actual === undefined) add([field], 'unread', listText(wanted), UNREAD)
    else list([field], wanted, actual === null || actual === '' ? [] : actual.split(','))
  }
  number(['threshold'], expected.threshold, observed.threshold)
  list(['signers'], expected.signers, observed.signers)
  delay(['delay'], expected.delay, observed.delay)

  if (expected.controllers !== undefined) {
    const found = new Map(observed.controllers.map((each) => [refKey(each), each]))
    for (const [at, wanted] of expected.controllers.entries()) {
      const path = ['controllers', at]
      const key = refKey({ chainId: chainIdOf(wanted.chain, chainId), address: wanted.address })
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
    if (!observed.hasAllControllers) add(['controllers'], 'unread', 'all controllers', 'not every controller is known')
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
      delay([...path, 'delay'], wanted.delay, actual)
      holders([...path, 'holders'], wanted.holders, actual)
    }
    for (const [effect, { label: held, holders: by }] of found) {
      const names = by.length === 0 ? '' : `: ${listText(by.map((each) => holderText(each, chainId)))}`
      add(['powers'], 'differs', NOT_LISTED, `${effect} (${held})${names}`)
    }
  }
  // An entry whose state was never recorded must not look like one that holds.
  if (checks.length === 0) add(['address'], 'unread', 'an expectation', 'none is recorded; use --write')
  if (!observed.isStale) return checks
  // What differs may only be what could not be read.
  return [
    ...checks.map((check) => (check.status === 'differs' ? { ...check, status: 'unread' as const } : check)),
    { path: ['address'], status: 'unread', expected: 'a complete read', actual: 'a read of the chain failed' },
  ]
}

const isMet = (wanted: Bound<number>, actual: number): boolean =>
  isBound(wanted) ? actual >= wanted.atLeast : actual === wanted
const textOf = (actual: number | null): string => (actual === null ? NONE : String(actual))
const listText = (items: readonly string[]): string => (items.length === 0 ? NONE : [...items].sort().join(', '))
const boundText = (bound: Bound<string | number>): string =>
  isBound(bound) ? `at least ${bound.atLeast}` : String(bound)

/** A chain that is not known has no account that was read. */
const chainIdOf = (chain: string | number | undefined, home: number): number =>
  chain === undefined ? home : (findChain(chain)?.id ?? -1)

/** The address, with its chain if that is not the contract's: the same address can be another account there. */
export const holderText = ({ chainId, address }: ContractRef, home: number): string =>
  chainId === home ? address : `${findChain(chainId)?.slug ?? chainId}:${address}`
