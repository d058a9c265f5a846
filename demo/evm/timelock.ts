/** An OpenZeppelin timelock with a Safe as proposer, and its queue of operations. */
import { encodeAbiParameters, encodeFunctionData, type Hex, keccak256, parseAbiParameters, zeroHash } from 'viem'
import type { Contract } from './chain.ts'
import type { Safe } from './safe.ts'

export type Timelock = Contract & {
  /** `now` is the time of the next block, in seconds. */
  readonly schedule: (now: number, to: Contract, name: string, ...args: readonly unknown[]) => Promise<void>
  /** Executes the oldest operation if it is ready; returns false otherwise. */
  readonly executeReady: (now: number) => Promise<boolean>
  readonly cancelNewest: () => Promise<boolean>
  readonly queued: () => number
}

type Operation = { readonly args: readonly [Hex, bigint, Hex, Hex, Hex]; readonly readyAt: number }

/** A block's time may be a second later than expected. */
const MARGIN = 2

export function timelockOf(self: Contract, council: Safe, delay: number): Timelock {
  const queued: Operation[] = []
  let count = 0n
  return {
    ...self,
    queued: () => queued.length,
    schedule: async (now, to, functionName, ...args) => {
      count += 1n
      const data = encodeFunctionData({ abi: to.abi, functionName, args })
      const salt: Hex = `0x${count.toString(16).padStart(64, '0')}`
      const operation: Operation['args'] = [to.address, 0n, data, zeroHash, salt]
      await council.exec(self, 'schedule', ...operation, BigInt(delay))
      queued.push({ args: operation, readyAt: now + delay + MARGIN })
    },
    executeReady: async (now) => {
      const [oldest] = queued
      if (oldest === undefined || oldest.readyAt > now) return false
      queued.shift()
      await council.exec(self, 'execute', ...oldest.args)
      return true
    },
    cancelNewest: async () => {
      const newest = queued.pop()
      if (newest === undefined) return false
      const id = encodeAbiParameters(parseAbiParameters('address, uint256, bytes, bytes32, bytes32'), newest.args)
      await council.exec(self, 'cancel', keccak256(id))
      return true
    },
  }
}
