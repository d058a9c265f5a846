/** Runs the service until a signal, or the end of the parent npm process, stops it. */
import type { Running } from '../main.ts'
import type { CommandContext } from './command.ts'

export async function runUntilStopped({ beforeExit }: CommandContext, begin: () => Promise<Running>): Promise<void> {
  const signals = awaitSignals() // from now on: a signal during the start stops the service after the start
  try {
    const running = await begin()
    beforeExit(running.stop)
    await signals.stop
    void signals.forceStop.then(running.forceStop)
    await running.stop()
  } finally {
    signals.release()
  }
}

const PARENT_CHECK_MS = 250
const SAME_SIGNAL_MS = 1_000

type Signals = { readonly stop: Promise<void>; readonly forceStop: Promise<void>; readonly release: () => void }

/** The first signal stops, the second stops without waiting for requests, the third exits at once. */
function awaitSignals(): Signals {
  const stop = Promise.withResolvers<void>()
  const forceStop = Promise.withResolvers<void>()
  const steps = [stop.resolve, forceStop.resolve, () => process.exit(130)]
  let lastAt = 0
  const onSignal = () => {
    // Ctrl-C arrives twice at once, from the terminal and from npm.
    if (Date.now() - lastAt < SAME_SIGNAL_MS) return
    lastAt = Date.now()
    steps.shift()?.()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  const parent = process.ppid
  const isUnderNpm = process.env.npm_lifecycle_event !== undefined
  // Keeps the process alive if nothing else does, and detects an `npm start` that was killed and cannot pass a signal on.
  const timer = setInterval(() => {
    if (isUnderNpm && process.ppid !== parent) stop.resolve()
  }, PARENT_CHECK_MS)
  return { stop: stop.promise, forceStop: forceStop.promise, release: () => clearInterval(timer) }
}
