/** The size of V8's young generation during bulk work. */
import { setFlagsFromString } from 'node:v8'

let running = 0

/**
 * Runs `work` while the young generation keeps its size. Bulk work makes many short-lived objects, for which V8 would
 * let it grow to 64 MB; collecting it more often costs less than that memory.
 */
export async function withSmallYoungGeneration<T>(work: () => Promise<T>): Promise<T> {
  running += 1
  if (running === 1) setFlagsFromString('--semi-space-growth-factor=1')
  try {
    return await work()
  } finally {
    running -= 1
    if (running === 0) setFlagsFromString('--semi-space-growth-factor=2') // V8's default
  }
}
