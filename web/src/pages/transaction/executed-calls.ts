/** The decoded calls of a transaction, from the events of Safes and timelocks that executed them. */
import { callText } from '../../../../vocabulary/call-sentence.ts'
import { FUNCTIONS } from '../../../../vocabulary/known-hashes.ts'
import type { Token } from '../../../../vocabulary/tokens.ts'

type ExecutionEvent = {
  readonly eventKey: string
  readonly address: string
  readonly args: Readonly<Record<string, unknown>>
}
type ListedCall = {
  readonly to?: unknown
  readonly function?: unknown
  readonly arguments?: unknown
  readonly value?: unknown
  readonly operation?: unknown
}

/** What a Safe or a timelock executed, in words. */
export type Execution = { readonly by: string; readonly calls: readonly string[]; readonly isComplete: boolean }

type TokenOf = (address: string) => Token | undefined

export function executionsOf(events: readonly ExecutionEvent[], tokenOf: TokenOf): readonly Execution[] {
  const ofSafes = events.flatMap(({ address, args }) => {
    if (!Array.isArray(args.calls) || args.calls.length === 0) return []
    const calls = (args.calls as readonly ListedCall[]).flatMap((call) => textOf(call, tokenOf) ?? [])
    const isComplete = args.isIncomplete !== true && args.moreCalls === undefined
    return { by: address, calls, isComplete }
  })
  const executed = events.filter(({ eventKey }) => eventKey === 'timelock.executed')
  const ofTimelocks = [...Map.groupBy(executed, ({ address }) => address)].map(([by, all]) => ({
    by,
    calls: all.flatMap(
      ({ args: { target, data, value } }) => textOf({ to: target, value, ...readCall(data) }, tokenOf) ?? [],
    ),
    isComplete: true,
  }))
  return [...ofSafes, ...ofTimelocks]
}

function textOf({ to, function: called, arguments: args, value, operation }: ListedCall, tokenOf: TokenOf) {
  if (typeof to !== 'string') return undefined
  const named = typeof called === 'string' ? (FUNCTIONS[called] ?? called) : undefined
  const isSignature = named?.includes('(') === true
  const text = callText({
    target: to,
    ...(isSignature ? { signature: named } : { selector: named }),
    args: Array.isArray(args) ? (args as readonly unknown[]) : undefined,
    value: typeof value === 'string' ? value : undefined,
    token: tokenOf(to),
  })
  return operation === 'delegatecall' ? `${text}, as a delegatecall` : text
}

/** The function and the arguments of call data. Arguments without a fixed place are left out. */
function readCall(data: unknown): Pick<ListedCall, 'function' | 'arguments'> {
  if (typeof data !== 'string' || data.length < 10) return {}
  const selector = data.slice(0, 10)
  const types = /\(([^()]*)\)$/.exec(FUNCTIONS[selector] ?? '')?.[1]?.split(',') ?? []
  return {
    function: selector,
    arguments: types.map((type, at) => wordText(type, data.slice(10 + 64 * at, 74 + 64 * at))),
  }
}

function wordText(type: string, word: string): string | undefined {
  if (!/^[0-9a-f]{64}$/i.test(word)) return undefined
  if (type === 'address') return `0x${word.slice(24)}`
  if (/^uint\d*$/.test(type)) return BigInt(`0x${word}`).toString()
  return /^bytes32$/.test(type) ? `0x${word}` : undefined
}
