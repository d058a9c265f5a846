/**
 * Reads what an Aave 3 proposal will do. Its event has no calls: the governance stores the numbers of payloads, and the
 * controller on the chain of each payload stores its calls.
 */
import type { Hex } from '../../lib/hex.ts'
import { payloadCalldata } from '../catalog/scheduled-calls.ts'
import { decodedOf, type PendingCall, storedCalls } from './steps.ts'

export type Payload = { readonly chainId: number; readonly controller: Hex; readonly payloadId: bigint }

/** Calls a contract of a chain. Undefined if the chain is not configured, or the call fails. */
export type ReadChain = (chainId: number, to: Hex, data: Hex) => Promise<Hex | undefined>

const GET_PROPOSAL: Hex = '0xc7f758a8' // getProposal(uint256)
const GET_PAYLOAD: Hex = '0x58007a4e' // getPayloadById(uint40)
const EXECUTE_PAYLOAD = { signature: 'executePayload(uint40)', selector: '0x92cdb834' } as const
/** Payloads of one proposal that are read. */
const MAX_PAYLOADS = 50
/** Words of a proposal before the offset of its payloads. */
const FIELDS = 14
const PAYLOAD_WORDS = 4

/** Undefined if the governance does not return a proposal of version 3. */
export async function readProposalCalls(
  read: ReadChain,
  { chainId, address, operation }: { readonly chainId: number; readonly address: Hex; readonly operation: string },
): Promise<readonly PendingCall[] | undefined> {
  if (!/^\d{1,78}$/.test(operation)) return undefined
  const result = await read(chainId, address, `${GET_PROPOSAL}${wordOf(BigInt(operation))}`)
  const payloads = result === undefined ? undefined : payloadsIn(result)
  if (payloads === undefined) return undefined
  return await Promise.all(payloads.slice(0, MAX_PAYLOADS).map(async (payload) => await callOf(read, chainId, payload)))
}

const wordOf = (value: bigint): string => value.toString(16).padStart(64, '0')

/** A proposal is a structure: 14 words, the offset of the payloads, and the payloads with four words each. */
export function payloadsIn(result: Hex): readonly Payload[] | undefined {
  const words = (result.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
  const count = Number(words[FIELDS + 2] ?? -1n)
  if (words[0] !== 32n || words[FIELDS + 1] !== BigInt(32 * (FIELDS + 1))) return undefined
  const first = FIELDS + 3
  if (words.length < first + count * PAYLOAD_WORDS) return undefined
  return Array.from({ length: count }, (_, n) => {
    const [chain = 0n, , controller = 0n, payloadId = 0n] = words.slice(first + n * PAYLOAD_WORDS)
    const chainId = chain <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(chain) : 0
    return { chainId, controller: `0x${wordOf(controller).slice(-40)}`, payloadId }
  })
}

/** The execution of a payload, with its calls inside. */
async function callOf(
  read: ReadChain,
  home: number,
  { chainId, controller, payloadId }: Payload,
): Promise<PendingCall> {
  const result = await read(chainId, controller, `${GET_PAYLOAD}${wordOf(payloadId)}`)
  const calldata = result === undefined ? undefined : payloadCalldata(result)
  const calls = calldata === undefined ? [] : storedCalls(calldata.map((call) => decodedOf(call, controller)))
  return {
    ...EXECUTE_PAYLOAD,
    target: controller,
    args: [payloadId.toString()],
    isControl: false,
    ...(chainId !== home && { chainId }),
    ...(calldata === undefined && { problem: 'unread' as const }),
    ...(calls.length > 0 && { calls }),
  }
}
