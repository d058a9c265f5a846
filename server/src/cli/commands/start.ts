import { ConfigError, loadConfig } from '../../config/config.ts'
import { createLogger } from '../../lib/log.ts'
import type { Command } from '../command.ts'

export const startCommand: Command = {
  words: 'start',
  summary: 'Runs the service until it is told to stop (Ctrl-C, SIGTERM)',
  options: { roles: { type: 'string', value: 'LIST', help: 'only these loops: serve, watch, poll, index, deliver' } },
  run: async (given) => {
    const roles = given.text('roles')
    const config = loadConfig({ ...process.env, ...(roles !== undefined && { ROLES: roles }) }, process.cwd())
    if (config.roles.length === 0) throw new ConfigError(['ROLES: must name at least one'])
    const log = createLogger({ level: config.logLevel })
    const told = toldToStop() // from now on: told while still starting, it finishes the start and stops in order
    // Loaded here, because no other command needs the whole program.
    const { start } = await import('../../main.ts')
    const running = await start({ config, log })
    await told
    await running.stop()
    return undefined
  },
}

const PARENT_CHECK_MS = 250
const SAME_CTRL_C_MS = 1_000

/** Resolves when a signal asks to stop, or when the `npm start` above us was killed and cannot pass one on. */
function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    let toldAt: number | undefined
    const tell = () => {
      // Told again: someone is in a hurry. At once is no hurry: Ctrl-C reaches us from the terminal and through npm.
      if (toldAt !== undefined && Date.now() - toldAt > SAME_CTRL_C_MS) process.exit(130)
      toldAt ??= Date.now()
      resolve()
    }
    process.on('SIGINT', tell)
    process.on('SIGTERM', tell)
    if (process.env.npm_lifecycle_event === undefined) return
    const parent = process.ppid
    const timer = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(timer)
      resolve()
    }, PARENT_CHECK_MS)
    timer.unref()
  })
}
