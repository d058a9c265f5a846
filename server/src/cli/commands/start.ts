import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError, loadConfig, loadDemoConfig } from '../../config/config.ts'
import { createLogger } from '../../lib/log.ts'
import { ownVersion } from '../../lib/version.ts'
import type { Running } from '../../main.ts'
import { type Command, type CommandContext, UsageError } from '../command.ts'

export const startCommand: Command = {
  name: 'start',
  summary: 'Run the service until it is stopped (Ctrl-C, SIGTERM); without a configured chain, run the demo',
  options: {
    roles: { type: 'string', value: 'LIST', help: 'run only these roles: serve, watch, poll, index, deliver' },
  },
  run: async (args, context) => {
    const roles = args.text('roles')
    if (roles?.trim() === '')
      throw new UsageError('--roles is empty. Use serve, watch, poll, index, deliver, separated by commas.')
    const env = { ...process.env, ...(roles !== undefined && { ROLES: roles }) }
    const config = loadConfig(env, process.cwd())
    if (config.demo) return runDemo(context)
    await runUntilStopped(context, async () => {
      // Loaded here, because the other commands do not need the whole service.
      const { start } = await import('../../main.ts')
      return start({ config, log: serviceLog(config) })
    })
    return undefined
  },
}

export const demoCommand: Command = {
  name: 'demo',
  summary: 'Run the service with local demo chains, without internet access; ignores the configured chains',
  run: (_, context) => runDemo(context),
}

const DEMO = join(import.meta.dirname, '..', '..', '..', '..', 'demo', 'demo.ts')

async function runDemo(context: CommandContext): Promise<undefined> {
  const config = loadDemoConfig(process.env, process.cwd())
  // The package of npm has no demo.
  if (!existsSync(DEMO))
    throw new ConfigError([
      'No chain is configured; set the RPC URL of one, for example ETHEREUM_RPC_URL. The demo runs from a checkout of the sources only',
    ])
  await runUntilStopped(context, async () => {
    const { startDemo } = await import('../../../../demo/demo.ts') // loaded here, because the other commands do not need it
    return startDemo({ config, log: serviceLog(config), print: console.log })
  })
}

/** Every line names its process, so that the lines of several can be collected in one place. */
const serviceLog = ({ logLevel: level, roles }: Config) =>
  createLogger({ level, base: { roles: roles.join(','), version: ownVersion() }, collapse: Date.now })

/** Runs the service until a signal, or the end of the parent npm process, stops it. */
async function runUntilStopped({ beforeExit }: CommandContext, begin: () => Promise<Running>): Promise<void> {
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
