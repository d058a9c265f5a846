/** The service as one process with all roles, killed and started again: its deaths, its log, its memory. */
import type { Components } from '../../demo/components.ts'
import { type Environment, spawnGatewatch, untilReady } from '../../testing/support/service.ts'

/** While nobody answers: from the kill to the first answer of the next. On the clock of `performance.now()`. */
export type Outage = { readonly from: number; readonly to: number }

/** Bytes, and seconds since the process was ready. */
export type MemorySample = { readonly second: number; readonly bytes: number }

export type Service = {
  readonly outages: readonly Outage[]
  readonly kill: () => Promise<void>
  /** In order; fails where it does not end well. */
  readonly stop: () => Promise<void>
  readonly lines: () => readonly string[]
  /** Of the process that runs now. */
  readonly memory: () => readonly MemorySample[]
}

const SAMPLE_EVERY_MS = 5_000
const RESIDENT = /^gatewatch_process_resident_memory_bytes (\S+)$/m

type Place = { readonly env: Environment; readonly cwd: string }

/** `gatewatch …`, which lives no longer than the other components: also when they are stopped before it is done. */
export function spawnKept(
  components: Components,
  args: readonly string[],
  place: Place,
): ReturnType<typeof spawnGatewatch> {
  const spawned = spawnGatewatch(args, place)
  const stop = async () => {
    spawned.child.kill('SIGKILL')
    await spawned.exit
  }
  components.keep({ stop })
  return spawned
}

export async function startService(
  components: Components,
  { url, ...place }: Place & { readonly url: string },
): Promise<Service> {
  const lives: ReturnType<typeof spawnGatewatch>[] = []
  const outages: Outage[] = []
  let samples: MemorySample[] = []
  let readyAt = 0
  let current = await begin()

  async function begin() {
    const life = spawnKept(components, ['start'], place)
    lives.push(life)
    await untilReady(url, () => life.child.exitCode !== null && `it ended: ${life.output()}`)
    readyAt = performance.now()
    samples = []
    return life
  }

  const sample = async () => {
    const metrics = await fetch(`${url}/metrics`).then(
      (answer) => answer.text(),
      () => '',
    )
    const bytes = Number(RESIDENT.exec(metrics)?.[1])
    if (bytes > 0) samples.push({ second: Math.round((performance.now() - readyAt) / 1_000), bytes })
  }
  const timer = setInterval(() => void sample(), SAMPLE_EVERY_MS)
  components.keep({ stop: () => clearInterval(timer) })

  return {
    outages,
    kill: async () => {
      const from = performance.now()
      current.child.kill('SIGKILL')
      await current.exit
      current = await begin()
      outages.push({ from, to: performance.now() })
    },
    stop: async () => {
      clearInterval(timer)
      current.child.kill('SIGTERM')
      const { code } = await current.exit
      if (code !== 0) throw new Error(`the service ended with ${code} when it was told to stop`)
    },
    lines: () => lives.flatMap(({ output }) => output().split('\n')).filter((line) => line !== ''),
    memory: () => samples,
  }
}
