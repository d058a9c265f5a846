/** Compares the memory of a process after warm-up with its memory at the end. */
import type { MemorySample } from './service.ts'

export type MemoryVerdict = {
  readonly warm: number
  readonly end: number
  /** End over warm. */
  readonly ratio: number
}

/** A shorter run is not conclusive. */
const MIN_SECONDS = 600
/** Caches fill and the heap grows in the first quarter. A level is the median over a fifth of the run. */
const [WARM_UP, WINDOW] = [0.25, 0.2]

/** Undefined if the process ran for less than ten minutes. */
export function judgeMemory(samples: readonly MemorySample[]): MemoryVerdict | undefined {
  const seconds = samples.at(-1)?.second ?? 0
  if (seconds < MIN_SECONDS) return undefined
  const level = (from: number) =>
    median(samples.filter(({ second }) => second >= from * seconds && second <= (from + WINDOW) * seconds))
  const [warm, end] = [level(WARM_UP), level(1 - WINDOW)]
  return { warm, end, ratio: end / warm }
}

/** The memory in megabytes, about every minute. */
export const memoryLine = (samples: readonly MemorySample[]): string =>
  samples
    .filter(({ second }, at) => Math.floor(second / 60) !== Math.floor((samples[at - 1]?.second ?? -60) / 60))
    .map(({ bytes }) => (bytes / 2 ** 20).toFixed(0))
    .join(' ')

function median(samples: readonly MemorySample[]): number {
  const sorted = samples.map(({ bytes }) => bytes).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
