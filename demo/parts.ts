/** What was started, to be stopped in the opposite order, whenever the word comes: also while more is being started. */
import type { Logger } from '../server/src/lib/log.ts'

export type Part = { readonly stop: () => Promise<void> | void }

export type Parts = {
  readonly keep: <T extends Part>(part: T) => T
  /** Goes on after the start; its failure is told, and ends nothing else. */
  readonly inBackground: (work: () => Promise<void>) => void
  readonly isStopping: () => boolean
  readonly stop: () => Promise<void>
}

export function keepParts(log: Logger): Parts {
  const kept: Part[] = []
  let stopping = false
  let background: Promise<void> = Promise.resolve()
  const late: Promise<void>[] = []
  const stopAll = async (): Promise<void> => {
    for (let part = kept.pop(); part !== undefined; part = kept.pop()) {
      try {
        await part.stop()
      } catch (error) {
        log.warn({ err: error }, 'a part of the demo did not stop cleanly')
      }
    }
  }
  return {
    keep: (part) => {
      kept.push(part)
      // Comes too late: whoever is told to stop may have been through already.
      if (stopping) late.push(stopAll())
      return part
    },
    inBackground: (work) => {
      background = work().catch((error: unknown) => {
        if (!stopping) log.error({ err: error }, 'the demo is not complete')
      })
    },
    isStopping: () => stopping,
    stop: async () => {
      stopping = true
      await stopAll()
      await background
      await stopAll() // what was being started meanwhile
      await Promise.all(late)
    },
  }
}
