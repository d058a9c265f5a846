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
    // Told to stop while still starting: finish the start, then stop in order.
    let told = false
    const toldToStop = new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        process.on(signal, () => {
          if (told) process.exit(130) // told twice: someone is in a hurry
          told = true
          resolve()
        })
      }
    })
    // Loaded here, because no other command needs the whole program.
    const { start } = await import('../../main.ts')
    const running = await start({ config, log })
    await toldToStop
    await running.stop()
    return undefined
  },
}
