import { loadConfig } from '../../config/config.ts'
import { createLogger } from '../../lib/log.ts'
import { type Command, UsageError } from '../command.ts'
import { runUntilStopped } from '../until-stopped.ts'
import { runDemo } from './demo.ts'

export const startCommand: Command = {
  name: 'start',
  summary: 'Run the service until it is stopped (Ctrl-C, SIGTERM); without a configured chain, run the demo',
  options: {
    roles: { type: 'string', value: 'LIST', help: 'run only these roles: serve, watch, poll, index, deliver' },
  },
  run: async (given, context) => {
    const roles = given.text('roles')
    if (roles?.trim() === '')
      throw new UsageError('--roles is empty. Use serve, watch, poll, index, deliver, separated by commas.')
    const env = { ...process.env, ...(roles !== undefined && { ROLES: roles }) }
    const config = loadConfig(env, process.cwd())
    if (config.demo) return runDemo(context)
    await runUntilStopped(context, async () => {
      // Loaded here, because the other commands do not need the whole service.
      const { start } = await import('../../main.ts')
      return start({ config, log: createLogger({ level: config.logLevel }) })
    })
    return undefined
  },
}
