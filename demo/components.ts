/** The running components, stopped in reverse order, even while more are being started. */
import type { Logger } from '../server/src/lib/log.ts'

export type Component = { readonly stop: () => Promise<void> | void }

export type Components = {
  readonly keep: <T extends Component>(part: T) => T
  /** Runs after the start. A failure is logged and stops nothing else. */
  readonly inBackground: (work: () => Promise<void>) => void
  readonly isStopping: () => boolean
  readonly stop: () => Promise<void>
}

export function createComponents(log: Logger): Components {
  const kept: Component[] = []
  let stopping = false
  let background: Promise<void> = Promise.resolve()
  const late: Promise<void>[] = []
  const stopAll = async (): Promise<void> => {
    for (let part = kept.pop(); part !== undefined; part = kept.pop()) {
      try {
        await part.stop()
      } catch (error) {
        log.warn({ err: error }, 'a component of the demo did not stop cleanly')
      }
    }
  }
  return {
    keep: (part) => {
      kept.push(part)
      // Stopping may already be past this point.
      if (stopping) late.push(stopAll())
      return part
    },
    inBackground: (work) => {
      background = work().catch((error: unknown) => {
        if (!stopping) log.error({ err: error }, 'the demo could not start completely')
      })
    },
    isStopping: () => stopping,
    stop: async () => {
      stopping = true
      await stopAll()
      await background
      await stopAll() // components that started meanwhile
      await Promise.all(late)
    },
  }
}
