/** An OpenZeppelin timelock that a Safe proposes to: what waits in it, and what is ripe. */
import { encodeAbiParameters, encodeFunctionData, type Hex, keccak256, parseAbiParameters, zeroHash } from 'viem'
import type { Contract } from './chain.ts'
import type { Safe } from './safe.ts'

export type Timelock = Contract & {
  /** `now` in seconds: the chain's time of the block this will be in. */
  readonly schedule: (now: number, to: Contract, name: string, ...args: readonly unknown[]) => Promise<void>
  /** Executes the oldest operation if its time has come; false where there is none. */
  readonly executeRipe: (now: number) => Promise<boolean>
  readonly cancelNewest: () => Promise<boolean>
  readonly waiting: () => number
}

type Operation = { readonly args: readonly [Hex, bigint, Hex, Hex, Hex]; readonly ripe: number }

/** A block's time may be a second later than was thought. */
const MARGIN = 2

export function timelockOf(self: Contract, council: Safe, delay: number): Timelock {
  const waiting: Operation[] = []
  let count = 0n
  return {
    ...self,
    waiting: () => waiting.length,
    schedule: async (now, to, functionName, ...args) => {
      count += 1n
      const data = encodeFunctionData({ abi: to.abi, functionName, args })
      const salt: Hex = `0x${count.toString(16).padStart(64, '0')}`
      const operation: Operation['args'] = [to.address, 0n, data, zeroHash, salt]
      await council.exec(self, 'schedule', ...operation, BigInt(delay))
      waiting.push({ args: operation, ripe: now + delay + MARGIN })
    },
    executeRipe: async (now) => {
      const [oldest] = waiting
      if (oldest === undefined || oldest.ripe > now) return false
      waiting.shift()
      await council.exec(self, 'execute', ...oldest.args)
      return true
    },
    cancelNewest: async () => {
      const newest = waiting.pop()
      if (newest === undefined) return false
      const id = encodeAbiParameters(parseAbiParameters('address, uint256, bytes, bytes32, bytes32'), newest.args)
      await council.exec(self, 'cancel', keccak256(id))
      return true
    },
  }
}
