/**
 * Bulk work in little memory.
 *
 * What such work makes dies young, yet V8 answers a flood of it with a nursery that grows to 64 MB. While bulk work
 * runs, the nursery keeps the size it has: it is collected more often, which costs less than the memory.
 */
import { setFlagsFromString } from 'node:v8'

let running = 0

export async function inLittleMemory<T>(work: () => Promise<T>): Promise<T> {
  running += 1
  if (running === 1) setFlagsFromString('--semi-space-growth-factor=1')
  try {
    return await work()
  } finally {
    running -= 1
    if (running === 0) setFlagsFromString('--semi-space-growth-factor=2') // V8's own
  }
}
