/**
 * Tries what an unprivileged caller can make a module execute for its Safe.
 *
 * The module runs with its own code and storage. The Safe stores what it is asked to execute and executes nothing (`poll/state-batch.ts`).
 * A trial only adds: a module may require arguments that are not tried, and whether it is closed is for the proof to show.
 */
import type { Hex } from 'viem'
import type { ModuleReach } from '../../../../vocabulary/reasons.ts'
import { addressOf, toWord } from './abi-values.ts'
import type { CodeFacts } from './code-facts.ts'
import type { Facts } from './facts.ts'

/** A selector and twelve words. */
const WORDS = 12
/** The last word, which is zero: an empty string of bytes. */
const EMPTY = toWord((WORDS - 1) * 32)
const ONE = toWord(1)
const ZERO = toWord(0)
/** An unused address: a module that executes a call to it lets its caller choose the target. */
const TARGET: Hex = '0x6a7e3a7c40000000000000000000000000007a67'

/** Functions by which a module executes. Undefined: the analysis does not show which function a call names. */
const EXECUTIONS: ReadonlySet<Hex | undefined> = new Set<Hex | undefined>(['0x468721a7', '0x5229073f', undefined])
/** Functions that are tried: each takes a call for every form of its arguments. */
const MAX_TRIED = 8

/** What any account can make the module execute for the Safe; undefined where no trial had an effect. */
export function reachOf(module: Facts, safe: Hex): ModuleReach | undefined {
  const code = runningCode(module)
  const calls = (code === undefined ? [] : triedSelectors(code)).flatMap((selector) => callsOf(selector, safe))
  if (calls.length === 0) return undefined
  const mark = BigInt(module.drives(safe, calls) ?? 0)
  if (mark >> 168n !== 1n) return undefined
  if ((mark >> 160n) % 256n === 1n) return 'any_code'
  return addressOf(toWord(mark & ((1n << 160n) - 1n))) === TARGET ? 'any_call' : 'some_calls'
}

/** The code of the module, or of what its fixed clone or its proxy runs. */
function runningCode(module: Facts): CodeFacts | undefined {
  const { code } = module.state
  if (code.type !== 'value') return undefined
  const { implementation } = module.state.slots
  const logic = code.value.cloneOf ?? (implementation.type === 'value' ? addressOf(implementation.value) : undefined)
  if (logic === undefined) return code.value
  const running = module.sameChain(logic).state.code
  return running.type === 'value' ? running.value : undefined
}

/** Functions that may make a Safe execute something, or all where that is not known. */
function triedSelectors({ effects, powers }: CodeFacts): readonly Hex[] {
  const executing = effects.effects.filter(({ kind, passes }) => kind === 'call' && EXECUTIONS.has(passes))
  const known = executing.flatMap(({ selector }) => selector ?? [])
  const isKnown = effects.settled && known.length === executing.length
  return [...new Set(isKnown ? known : powers.functions.map(({ selector }) => selector))].slice(0, MAX_TRIED)
}

/** A call for each usual form of the arguments, with and without the Safe before them. */
function callsOf(selector: Hex, safe: Hex): readonly Hex[] {
  const target = toWord(TARGET)
  const forms = [
    [target, ZERO, EMPTY, ONE], // to, value, data, operation
    [target, ZERO, EMPTY], // to, value, data
    [target, EMPTY], // to, data
    [target, target, ONE], // token, to, amount
    [target, target, ONE, ZERO, ZERO, target, EMPTY], // token, to, amount, payment token, payment, delegate, signature
    [target, ONE], // to, amount
    [EMPTY], // data
    [],
  ]
  return [[], [toWord(safe)]].flatMap((first) =>
    forms.map((form): Hex => {
      const words = [...first, ...form]
      return `${selector}${[...words, ...Array<Hex>(WORDS - words.length).fill(ZERO)].map((word) => word.slice(2)).join('')}`
    }),
  )
}
