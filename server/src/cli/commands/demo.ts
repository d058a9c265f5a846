import { loadDemoConfig } from '../../config/config.ts'
import { createLogger } from '../../lib/log.ts'
import type { Command, CommandContext } from '../command.ts'
import { runUntilStopped } from '../until-stopped.ts'

export const demoCommand: Command = {
  name: 'demo',
  summary: 'Run the service with local demo chains, without internet access; ignores the configured chains',
  run: (_, context) => runDemo(context),
}

export async function runDemo(context: CommandContext): Promise<undefined> {
  const config = loadDemoConfig(process.env, process.cwd())
  await runUntilStopped(context, async () => {
    const { startDemo } = await import('../../../../demo/demo.ts') // loaded here, because the other commands do not need it
    return startDemo({ config, log: createLogger({ level: config.logLevel }), print: console.log })
  })
}
