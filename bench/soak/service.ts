/** Runs the service as one process with all roles; kills and restarts it, and records outages, log and memory. */
import type { Components } from '../../demo/components.ts'
import { type Environment, spawnGatewatch, untilReady } from '../../testing/support/service.ts'

/** From the kill to the first response of the next process. Times are from `performance.now()`. */
export type Outage = { readonly from: number; readonly to: number }

/** Bytes, and seconds since the process was ready. */
export type MemorySample = { readonly second: number; readonly bytes: number }

export type Service = {
  readonly outages: readonly Outage[]
  readonly kill: () => Promise<void>
  /** Sends SIGTERM. Throws if the exit code is not 0. */
  readonly stop: () => Promise<void>
  readonly lines: () => readonly string[]
  /** Of the process that runs now. */
  readonly memory: () => readonly MemorySample[]
}

const SAMPLE_EVERY_MS = 5_000
const RESIDENT = /^gatewatch_process_resident_memory_bytes (\S+)$/m

type ProcessOptions = { readonly env: Environment; readonly cwd: string }

/** Runs `gatewatch`; the process is killed when the components stop. */
export function spawnComponent(
  components: Components,
  args: readonly string[],
  options: ProcessOptions,
): ReturnType<typeof spawnGatewatch> {
  const spawned = spawnGatewatch(args, options)
  const stop = async () => {
    spawned.child.kill('SIGKILL')
    await spawned.exit
  }
  components.keep({ stop })
  return spawned
}

export async function startService(
  components: Components,
  { url, ...options }: ProcessOptions & { readonly url: string },
): Promise<Service> {
  const processes: ReturnType<typeof spawnGatewatch>[] = []
  const outages: Outage[] = []
  let samples: MemorySample[] = []
  let readyAt = 0
  let current = await start()

  async function start() {
    const started = spawnComponent(components, ['start'], options)
    processes.push(started)
    await untilReady(url, () => started.child.exitCode !== null && `the process ended: ${started.output()}`)
    readyAt = performance.now()
    samples = []
    return started
  }

  const sample = async () => {
    const metrics = await fetch(`${url}/metrics`).then(
      (response) => response.text(),
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
      current = await start()
      outages.push({ from, to: performance.now() })
    },
    stop: async () => {
      clearInterval(timer)
      current.child.kill('SIGTERM')
      const { code } = await current.exit
      if (code !== 0) throw new Error(`the service ended with ${code} after SIGTERM`)
    },
    lines: () => processes.flatMap(({ output }) => output().split('\n')).filter((line) => line !== ''),
    memory: () => samples,
  }
}
