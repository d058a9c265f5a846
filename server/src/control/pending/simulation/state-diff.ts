/**
 * What a simulated call changes, and a view of the chain with these changes.
 *
 * `debug_traceCall` returns the changed storage. Every later read sees it: words and code are returned from the changes, and
 * calls are sent with state overrides.
 */
import { z } from 'zod'
import type { Hex } from '../../../lib/hex.ts'
import type { RpcPool } from '../../rpc/pool.ts'
import type { RpcRequest } from '../../rpc/requests.ts'
import { MalformedError } from '../../rpc/rpc-error.ts'

export type AccountDiff = { readonly storage: ReadonlyMap<Hex, Hex>; readonly code?: Hex | undefined }
export type StateDiff = ReadonlyMap<Hex, AccountDiff>

type Override = { readonly stateDiff?: Readonly<Record<Hex, Hex>>; readonly code?: Hex; readonly balance?: Hex }
type Overrides = Readonly<Record<Hex, Override>>

export type SimulatedCall = { readonly from: Hex; readonly to: Hex; readonly value: bigint; readonly data: Hex }

const word = z.string().regex(/^0x[0-9a-f]{64}$/i)
const accounts = z.record(
  z.string().regex(/^0x[0-9a-f]{40}$/i),
  z.object({
    storage: z.record(word, word).optional(),
    code: z
      .string()
      .regex(/^0x([0-9a-f]{2})*$/i)
      .optional(),
  }),
)
const traced = z.object({ pre: accounts, post: accounts })

const low = (text: string): Hex => text.toLowerCase() as Hex
const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`
const TRACE_LIMITS = { maxBytes: 4 * 1_048_576, maxDepth: 10 } as const
const GAS: Hex = '0x1c9c380' // 30 million

/** More than any account has: a call that sends more fails. */
export const MOST_VALUE = 10n ** 30n
const FUNDS: Hex = `0x${MOST_VALUE.toString(16)}`

const callOf = ({ from, to, value, data }: SimulatedCall) => ({
  from,
  to,
  data,
  gas: GAS,
  value: `0x${value.toString(16)}`,
})

const funded = (call: SimulatedCall, diff: StateDiff): Overrides =>
  call.value === 0n ? overridesOf(diff) : merged(overridesOf(diff), { [call.from]: { balance: FUNDS } })

/** Simulates a call after other changes. It fails if the call reverts. */
export const simulatedCall = (call: SimulatedCall, block: Hex, diff: StateDiff): RpcRequest<unknown> => ({
  method: 'eth_call',
  params: [callOf(call), { blockHash: block }, funded(call, diff)],
  ...TRACE_LIMITS,
  tooLarge: 'reverted',
  parse: (result) => result,
})

/** The changes of a call, after other changes. A call that reverts changes nothing. */
export function traceCall(call: SimulatedCall, block: { number: number }, diff: StateDiff): RpcRequest<StateDiff> {
  const config = { tracer: 'prestateTracer', tracerConfig: { diffMode: true }, stateOverrides: funded(call, diff) }
  return {
    method: 'debug_traceCall',
    params: [callOf(call), `0x${block.number.toString(16)}`, config],
    ...TRACE_LIMITS,
    heavy: true,
    parse: parseDiff,
  }
}

export function parseDiff(result: unknown): StateDiff {
  const { data } = traced.safeParse(result)
  if (data === undefined) throw new MalformedError('the trace is not a difference of states')
  const diff = new Map<Hex, AccountDiff>()
  for (const address of new Set([...Object.keys(data.pre), ...Object.keys(data.post)])) {
    const [before, after] = [data.pre[address], data.post[address]]
    // A word that became zero is missing afterwards.
    const storage = new Map<Hex, Hex>(Object.keys(before?.storage ?? {}).map((slot) => [low(slot), ZERO_WORD]))
    for (const [slot, value] of Object.entries(after?.storage ?? {})) storage.set(low(slot), low(value))
    const code = after?.code === undefined ? undefined : low(after.code)
    if (storage.size > 0 || code !== undefined) diff.set(low(address), { storage, code })
  }
  return diff
}

export function mergeDiffs(first: StateDiff, second: StateDiff): StateDiff {
  const all = new Map(first)
  for (const [address, { storage, code }] of second) {
    const known = all.get(address)
    all.set(address, { storage: new Map([...(known?.storage ?? []), ...storage]), code: code ?? known?.code })
  }
  return all
}

const overridesOf = (diff: StateDiff): Overrides =>
  Object.fromEntries(
    [...diff].map(([address, { storage, code }]) => [
      address,
      {
        ...(storage.size > 0 && { stateDiff: Object.fromEntries(storage) }),
        ...(code !== undefined && { code }),
      },
    ]),
  )

/** The overrides of a request have precedence. */
const merged = (ours: Overrides, theirs: Overrides): Overrides => ({
  ...ours,
  ...Object.fromEntries(Object.entries(theirs).map(([address, own]) => [address, { ...ours[address as Hex], ...own }])),
})

/** The same endpoints, on a chain with these changes. */
export function changedPool(pool: RpcPool, diff: StateDiff): RpcPool {
  const ours = overridesOf(diff)
  const known = ({ method, params }: RpcRequest<unknown>): Hex | undefined => {
    const account = diff.get(low(String(params[0])))
    if (method === 'eth_getStorageAt') return account?.storage.get(low(String(params[1])))
    return method === 'eth_getCode' ? account?.code : undefined
  }
  const changed = <T>(request: RpcRequest<T>): RpcRequest<T> => {
    if (request.method !== 'eth_call') return request
    const [call, block, theirs] = request.params
    const { fallback } = request
    return {
      ...request,
      params: [call, block, merged(ours, (theirs ?? {}) as Overrides)],
      ...(fallback !== undefined && { fallback: changed(fallback) }),
    }
  }
  return {
    ...pool,
    request: async (request, options) => {
      const value = known(request)
      return value === undefined
        ? await pool.request(changed(request), options)
        : { value: request.parse(value), from: pool.all[0] ?? 0 }
    },
  }
}
