/** A shorter delay of a timelock that an operation in its own queue sets when it is executed. */
import type { Hex } from 'viem'
import { uintAt } from './abi-values.ts'
import { each, type Facts } from './facts.ts'
import type { Queue } from './gates.ts'
import { isPendingIn } from './known-entries.ts'

/** `setDelay(uint256)`, `updateDelay(uint256)`. */
export const DELAY_SETTERS: readonly Hex[] = ['0xe177246e', '0x64d62353']
/** Functions that change who may queue, execute or cancel, and no delay. */
const WITH_DELAY: readonly Hex[] = [
  '0x4dd18bf5', // setPendingAdmin(address)
  '0xf2fde38b', // transferOwnership(address)
  '0xc4d252f5', // cancel(bytes32)
]
/** `grantRole`, `revokeRole`, `renounceRole`. */
const ROLE_SETTERS: readonly Hex[] = ['0x2f2ff15d', '0xd547741f', '0x36568abe']
/** `getTimestamp(bytes32)`: 1 for an operation that was executed, 0 for one that is not queued. */
export const TIMESTAMP: Hex = '0xd45c4435'
/** `queuedTransactions(bytes32)`. */
const QUEUED: Hex = '0xf2b06537'

/** `delayedRoles`: roles whose members cannot bypass the delay. `queues`: where the code keeps operations, if that is known. */
export function announcedDelay(
  facts: Facts,
  delayedRoles: readonly Hex[],
  queues: Queue['queues'],
): number | undefined {
  const operations = facts.members('history')?.operations ?? []
  const shorter = operations.flatMap(({ id, own = [] }) => {
    const delays = own.flatMap((call) => delayAfter(call, delayedRoles) ?? [])
    return delays.length === 0 ? [] : [{ id, delay: Math.min(...delays) }]
  })
  const pending = each(shorter, ({ id, delay }) => (isPending(facts, queues, id) ? [delay] : [])).flat()
  return pending.length === 0 ? undefined : Math.min(...pending)
}

/** The delay after a call that the timelock makes to itself; undefined if it stays as it is. */
function delayAfter(call: Hex, delayedRoles: readonly Hex[]): number | undefined {
  const [selector, data]: [Hex, Hex] = [call.slice(0, 10) as Hex, `0x${call.slice(10)}`]
  if (WITH_DELAY.includes(selector)) return undefined
  if (ROLE_SETTERS.includes(selector) && delayedRoles.includes(data.slice(0, 66) as Hex)) return undefined
  const delay = DELAY_SETTERS.includes(selector) ? uintAt(data, 0) : undefined
  return Number(delay ?? 0n)
}

function isPending(facts: Facts, queues: Queue['queues'], id: Hex): boolean {
  const argument = id.slice(2)
  if (isPendingIn(facts, queues, id)) return true
  const time = facts.call(`${TIMESTAMP}${argument}`)
  if (time !== undefined) return BigInt(time) > 1n
  const isQueued = facts.call(`${QUEUED}${argument}`)
  if (isQueued !== undefined) return BigInt(isQueued) !== 0n
  return queues.length === 0
}
