/** Runs something until a person, a supervisor or the end of npm says stop. */
import type { Running } from '../main.ts'
import type { CommandContext } from './command.ts'

export async function runUntilTold({ beforeDying }: CommandContext, begin: () => Promise<Running>): Promise<void> {
  const orders = awaitOrders() // from now on: told while still starting, it finishes the start and stops in order
  try {
    const running = await begin()
    beforeDying(running.stop)
    await orders.stop
    void orders.hurry.then(running.hurry)
    await running.stop()
  } finally {
    orders.release()
  }
}

const PARENT_CHECK_MS = 250
const SAME_CTRL_C_MS = 1_000

/** What we are told: to stop; told again, to stop without waiting for requests; told a third time, to be gone. */
function awaitOrders(): { readonly stop: Promise<void>; readonly hurry: Promise<void>; readonly release: () => void } {
  const stop = Promise.withResolvers<void>()
  const hurry = Promise.withResolvers<void>()
  const steps = [stop.resolve, hurry.resolve, () => process.exit(130)]
  let toldAt = 0
  const tell = () => {
    // Ctrl-C reaches us twice at once, from the terminal and through npm: that is one word.
    if (Date.now() - toldAt < SAME_CTRL_C_MS) return
    toldAt = Date.now()
    steps.shift()?.()
  }
  process.on('SIGINT', tell)
  process.on('SIGTERM', tell)
  const parent = process.ppid
  const isUnderNpm = process.env.npm_lifecycle_event !== undefined
  // Holds the process, which may have nothing else to wait for, and notices an `npm start` above us that was killed
  // and cannot pass a signal on.
  const timer = setInterval(() => {
    if (isUnderNpm && process.ppid !== parent) stop.resolve()
  }, PARENT_CHECK_MS)
  return { stop: stop.promise, hurry: hurry.promise, release: () => clearInterval(timer) }
}
