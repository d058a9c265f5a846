/** Whether memory grew, from samples of one process: its level after warm-up beside its level at the end. */
import type { MemorySample } from './service.ts'

export type MemoryVerdict = {
  readonly warm: number
  readonly end: number
  /** End over warm. */
  readonly ratio: number
}

/** A process that lived less says nothing. */
const SHORTEST_LIFE_SECONDS = 600
/** A quarter to warm up: caches fill, the heap finds its size. Then levels are medians over a fifth of the life. */
const [WARM_UP, STRETCH] = [0.25, 0.2]

export function judgeMemory(samples: readonly MemorySample[]): MemoryVerdict | undefined {
  const life = samples.at(-1)?.second ?? 0
  if (life < SHORTEST_LIFE_SECONDS) return undefined
  const level = (from: number) =>
    median(samples.filter(({ second }) => second >= from * life && second <= (from + STRETCH) * life))
  const [warm, end] = [level(WARM_UP), level(1 - STRETCH)]
  return { warm, end, ratio: end / warm }
}

/** One line: the level in megabytes, about every minute. */
export const memoryLine = (samples: readonly MemorySample[]): string =>
  samples
    .filter(({ second }, at) => Math.floor(second / 60) !== Math.floor((samples[at - 1]?.second ?? -60) / 60))
    .map(({ bytes }) => (bytes / 2 ** 20).toFixed(0))
    .join(' ')

function median(samples: readonly MemorySample[]): number {
  const sorted = samples.map(({ bytes }) => bytes).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
