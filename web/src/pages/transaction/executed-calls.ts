/** The decoded calls of a transaction, from the events of Safes that executed it. */
import { callText } from '../../../../vocabulary/call-sentence.ts'
import { FUNCTIONS } from '../../../../vocabulary/known-hashes.ts'

type ExecutionEvent = { readonly address: string; readonly args: Readonly<Record<string, unknown>> }
type ListedCall = {
  readonly to?: unknown
  readonly function?: unknown
  readonly arguments?: unknown
  readonly value?: unknown
  readonly operation?: unknown
}

/** What a Safe executed, in words. */
export type Execution = { readonly by: string; readonly calls: readonly string[]; readonly isComplete: boolean }

export function executionsOf(events: readonly ExecutionEvent[]): readonly Execution[] {
  return events.flatMap(({ address, args }) => {
    if (!Array.isArray(args.calls) || args.calls.length === 0) return []
    const calls = (args.calls as readonly ListedCall[]).flatMap((call) => textOf(call) ?? [])
    const isComplete = args.isIncomplete !== true && args.moreCalls === undefined
    return { by: address, calls, isComplete }
  })
}

function textOf({ to, function: called, arguments: args, value, operation }: ListedCall): string | undefined {
  if (typeof to !== 'string') return undefined
  const named = typeof called === 'string' ? (FUNCTIONS[called] ?? called) : undefined
  const isSignature = named?.includes('(') === true
  const text = callText({
    target: to,
    ...(isSignature ? { signature: named } : { selector: named }),
    args: Array.isArray(args) ? (args as readonly unknown[]) : undefined,
    value: typeof value === 'string' ? value : undefined,
  })
  return operation === 'delegatecall' ? `${text}, as a delegatecall` : text
}
