import { loadDemoConfig } from '../../config/config.ts'
import { createLogger } from '../../lib/log.ts'
import type { Command, CommandContext } from '../command.ts'
import { runUntilStopped } from '../until-stopped.ts'

export const demoCommand: Command = {
  words: 'demo',
  summary: 'Runs the service on local chains with a scripted life, without internet, whatever is configured',
  run: (_, context) => runDemo(context),
}

export async function runDemo(context: CommandContext): Promise<undefined> {
  const config = loadDemoConfig(process.env, process.cwd())
  await runUntilStopped(context, async () => {
    const { startDemo } = await import('../../../../demo/demo.ts') // nothing of it is needed by anyone else
    return startDemo({ config, log: createLogger({ level: config.logLevel }), print: console.log })
  })
}
