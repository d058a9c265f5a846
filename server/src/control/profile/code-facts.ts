/**
 * Facts that follow from bytecode alone: clone, EIP-7702 delegation, selectors, behavior.
 *
 * Analysis threads load this module and what it imports, so it does without viem, which takes a second to load.
 */

import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { ExceededLimit } from '../../../../vocabulary/reasons.ts'
import type { Hex } from '../../lib/hex.ts'
import { type Dataflow, followCode } from '../code/dataflow.ts'
import { type CodeEffects, type Condition, type Effect, effectsOf } from '../code/effects.ts'
import { instructions, isPush, OP, pushSize, STACK_EFFECTS } from '../code/instructions.ts'
import { type CodePowers, NO_POWERS, POWERS_NOT_FOLLOWED, powersOfCode } from '../powers/code-powers.ts'
import type { OpenStore } from '../powers/open-stores.ts'
import { behaviorOf, type CodeBehavior, NO_BEHAVIOR } from './code-behavior.ts'
import { type Release, releaseOf } from './releases.ts'

export type CodeFacts = CodeBehavior & {
  readonly hash: Hex
  /** What the code can change, and what must hold for it. */
  readonly effects: CodeEffects
  /** What privileged callers can do. */
  readonly powers: CodePowers
  /** EIP-7702: the account runs the code of another address; its key still controls it. */
  readonly delegatedTo?: Hex
  /** The target of a minimal proxy. */
  readonly cloneOf?: Hex
  /** Four-byte constants: selectors of functions the code may have. */
  readonly selectors: ReadonlySet<Hex>
  /** The code contains DELEGATECALL or CALLCODE, reachable or not. */
  readonly delegating: boolean
  /** The published contract that the code is an instance of. */
  readonly release?: Release
}

/** https://eips.ethereum.org/EIPS/eip-7702: exactly 23 bytes. */
const DELEGATED = /^0xef0100([0-9a-f]{40})$/

/**
 * Minimal proxies: EIP-1167 with PUSH1 to PUSH20 for its address (vanity addresses) and appended arguments, two of
 * Solady, and Vyper's forwarder before 0.2.9.
 */
const CLONES: readonly RegExp[] = [
  /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/,
  /^0x3d3d3d3d363d3d37363d73([0-9a-f]{40})5af43d3d93803e602a57fd5bf3/,
  /^0x5f5f365f5f37365f73([0-9a-f]{40})5af43d5f5f3e6029573d5ffd5b3d5ff3/,
  /^0x366000600037611000600036600073([0-9a-f]{40})5af4602c57600080fd5b6110006000f3/,
]

function cloneTarget(code: Hex): Hex | undefined {
  const short = shortClone(code)
  if (short !== undefined) return short
  for (const pattern of CLONES) {
    const [, target] = pattern.exec(code) ?? []
    if (target !== undefined) return `0x${target}`
  }
  return undefined
}

/** EIP-1167 with fewer address bytes: the jump target is lower by the number of missing bytes. */
function shortClone(code: Hex): Hex | undefined {
  const [, push = '', rest = ''] = /^0x363d3d373d3d3d363d(6[0-9a-f]|7[0-2])([0-9a-f]*)/.exec(code) ?? []
  if (push === '') return undefined
  const size = pushSize(Number.parseInt(push, 16))
  const jump = (0x2b - (20 - size)).toString(16).padStart(2, '0')
  return rest.startsWith(`5af43d82803e903d9160${jump}57fd5bf3`, size * 2)
    ? `0x${rest.slice(0, size * 2).padStart(40, '0')}`
    : undefined
}

const NONE: ReadonlySet<Hex> = new Set()
const NO_EFFECTS: CodeEffects = { effects: [], asks: [], answers: [], settled: true }
const NOT_FOLLOWED: CodeEffects = { effects: [], asks: [], answers: [], settled: false, unsettledAt: 0 }

/** Analyzes runtime bytecode. `code` is not empty. `follow`: where the paths of the code are used for more than its facts. */
export function analyzeCode(code: Hex, follow: (code: Uint8Array) => Dataflow = followCode): CodeFacts {
  const bytes = hexToBytes(code.slice(2))
  const hash: Hex = `0x${bytesToHex(keccak_256(bytes))}`
  const [, delegate] = DELEGATED.exec(code) ?? []
  if (delegate !== undefined)
    return {
      ...NO_BEHAVIOR,
      hash,
      effects: NOT_FOLLOWED,
      powers: POWERS_NOT_FOLLOWED,
      delegatedTo: `0x${delegate}`,
      selectors: NONE,
      delegating: false,
    }
  const cloneOf = cloneTarget(code)
  if (cloneOf !== undefined)
    return {
      ...NO_BEHAVIOR,
      hash,
      effects: NO_EFFECTS,
      powers: NO_POWERS,
      cloneOf,
      selectors: NONE,
      delegating: true,
    }
  if (isForeign(bytes))
    return {
      ...NO_BEHAVIOR,
      settled: false,
      hash,
      effects: NOT_FOLLOWED,
      powers: POWERS_NOT_FOLLOWED,
      selectors: NONE,
      delegating: true,
    }
  const delegating = [...instructions(bytes)].some(({ op }) => op === OP.DELEGATECALL || op === OP.CALLCODE)
  const flow = follow(bytes)
  const effects = effectsOf(flow)
  return {
    ...behaviorOf(effects),
    hash,
    effects,
    powers: powersOfCode(flow),
    selectors: selectorsOf(bytes),
    delegating,
    ...releaseField(bytes),
  }
}

/**
 * Whether the code is of another machine than the EVM, or stands for what the chain itself does: code that starts with
 * 0xef (EIP-3541), that can only fail, or that stops at once and has the form of EraVM code, an odd number of words.
 */
function isForeign(code: Uint8Array): boolean {
  const [first = OP.STOP] = code
  if (first === OP.STOP) return code.length % 64 === 32
  if (isPush(first)) return false
  const effect = STACK_EFFECTS[first]
  return effect === undefined || effect[0] > 0 || first === OP.INVALID
}

function releaseField(code: Uint8Array): Pick<CodeFacts, 'release'> {
  const release = releaseOf(code)
  return release === undefined ? {} : { release }
}

/** Code whose analysis exceeded a limit: it may do anything. Constants are found without following it. */
export function unfollowedCode(code: Hex, exceeded: ExceededLimit): CodeFacts {
  const bytes = hexToBytes(code.slice(2))
  return {
    ...NO_BEHAVIOR,
    delegates: [{ from: 'anything' }],
    writesAnywhere: true,
    looksUpSender: true,
    callsOut: true,
    settled: false,
    hash: `0x${bytesToHex(keccak_256(bytes))}`,
    effects: { ...NOT_FOLLOWED, exceeded },
    powers: POWERS_NOT_FOLLOWED,
    selectors: selectorsOf(bytes),
    delegating: true,
    ...releaseField(bytes),
  }
}

/** What holds under conditions, with their numbers. */
type Numbered<T> = Omit<T, 'conditions'> & { readonly conditions: readonly number[] }

type FactsText = Omit<CodeFacts, 'selectors' | 'effects' | 'powers'> & {
  readonly selectors: readonly Hex[]
  /** Each condition once: most of them hold for many effects. */
  readonly conditions: readonly Condition[]
  readonly effects: Omit<CodeEffects, 'effects'> & { readonly effects: readonly Numbered<Effect>[] }
  readonly powers: Omit<CodePowers, 'openStores'> & { readonly openStores: readonly Numbered<OpenStore>[] }
}

/** The facts as text, to be stored or sent to another process. */
export function textOfFacts({ selectors, effects, powers, ...facts }: CodeFacts): string {
  const numbers = new Map<string, number>()
  const conditions: Condition[] = []
  const numberOf = (condition: Condition): number => {
    const key = JSON.stringify(condition)
    const number = numbers.get(key) ?? conditions.push(condition) - 1
    numbers.set(key, number)
    return number
  }
  const numbered = <T extends { readonly conditions: readonly Condition[] }>(all: readonly T[]): Numbered<T>[] =>
    all.map((each) => ({ ...each, conditions: each.conditions.map(numberOf) }))
  const text: FactsText = {
    ...facts,
    selectors: [...selectors],
    effects: { ...effects, effects: numbered(effects.effects) },
    powers: { ...powers, openStores: numbered(powers.openStores) },
    conditions,
  }
  return JSON.stringify(text)
}

export function factsOfText(text: string): CodeFacts {
  const { selectors, conditions, effects, powers, ...facts } = JSON.parse(text) as FactsText
  const named = <T extends Condition>(numbers: readonly number[]): T[] => numbers.map((each) => conditions[each] as T)
  return {
    ...facts,
    selectors: new Set(selectors),
    effects: {
      ...effects,
      effects: effects.effects.map((effect) => ({ ...effect, conditions: named(effect.conditions) })),
    },
    powers: {
      ...powers,
      openStores: powers.openStores.map((store) => ({ ...store, conditions: named(store.conditions) })),
    },
  }
}

function selectorsOf(code: Uint8Array): ReadonlySet<Hex> {
  const selectors = new Set<Hex>()
  const all = [...instructions(code)]
  for (const [at, { op, pushed }] of all.entries()) {
    if (op < OP.PUSH1 || op > OP.PUSH4) continue
    const number = BigInt(`0x${Buffer.from(pushed).toString('hex') || '0'}`)
    // A selector with leading zeros is pushed with fewer bytes.
    if (op >= OP.PUSH2) selectors.add(asSelector(number))
    // A selector compared as a whole word is shifted into position without trailing zeros; or its complement is added.
    const [shift, instruction] = [all[at + 1], all[at + 2]]
    if (shift?.op !== OP.PUSH1 || instruction?.op !== OP.SHL) continue
    const shifted = (number << BigInt(shift.pushed[0] ?? 0)) >> 224n
    if (shifted <= 0xffffn || shifted > 0xffffffffn) continue
    selectors.add(asSelector(shifted)).add(asSelector((1n << 32n) - shifted))
  }
  return selectors
}

const asSelector = (number: bigint): Hex => `0x${number.toString(16).padStart(8, '0')}`
