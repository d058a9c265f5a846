import { loadConfig } from '../../config/config.ts'
import { createLogger } from '../../lib/log.ts'
import { type Command, UsageError } from '../command.ts'
import { runUntilStopped } from '../until-stopped.ts'
import { runDemo } from './demo.ts'

export const startCommand: Command = {
  words: 'start',
  summary: 'Runs the service until it is told to stop (Ctrl-C, SIGTERM); the demo, where no chain is configured',
  options: { roles: { type: 'string', value: 'LIST', help: 'only these loops: serve, watch, poll, index, deliver' } },
  run: async (given, context) => {
    const roles = given.text('roles')
    if (roles?.trim() === '') throw new UsageError('--roles names no role')
    const env = { ...process.env, ...(roles !== undefined && { ROLES: roles }) }
    const config = loadConfig(env, process.cwd())
    if (config.demo) return runDemo(context)
    await runUntilStopped(context, async () => {
      // Loaded here, because no other command needs the whole program.
      const { start } = await import('../../main.ts')
      return start({ config, log: createLogger({ level: config.logLevel }) })
    })
    return undefined
  },
}
