/** Generates the files of the repository that come from the program, so that their changes are reviewed. */

import { z } from 'zod'
import { apiModelOf } from '../../client/api-model.ts'
import { clientTypesOf } from '../../client/generate.ts'
import { goOperationsOf, goTypesOf } from '../../client/generate-go.ts'
import { pythonOperationsOf, pythonTypesOf } from '../../client/generate-python.ts'
import { createAuth } from '../../server/src/accounts/auth.ts'
import { helpOf, helpOfAll, loadCommands } from '../../server/src/cli/commands.ts'
import { policySchema } from '../../server/src/control/policy/policy.ts'
import { createApp } from '../../server/src/http/app.ts'
import { zodToJsonConfig } from '../../server/src/http/openapi.ts'
import { systemClock } from '../../server/src/lib/clock.ts'
import { createMetrics } from '../../server/src/lib/metrics.ts'
import type { Database } from '../../server/src/platform/database.ts'
import { testLog } from './log.ts'
import { dumpSchema } from './schema-dump.ts'

export type GeneratedFile = { readonly path: string; readonly text: string }

export async function generateFiles(database: Database): Promise<readonly GeneratedFile[]> {
  const openApi = await openApiOf(database)
  const model = apiModelOf(openApi)
  return [
    { path: 'server/schema.sql', text: await dumpSchema(database) },
    { path: 'server/openapi.json', text: `${JSON.stringify(openApi, null, 2)}\n` },
    { path: 'client/src/schema.ts', text: await clientTypesOf(openApi) },
    { path: 'client/python/gatewatch/types.py', text: pythonTypesOf(model) },
    { path: 'client/python/gatewatch/client.py', text: pythonOperationsOf(model) },
    { path: 'client/go/types.go', text: goTypesOf(model) },
    { path: 'client/go/operations.go', text: goOperationsOf(model) },
    { path: 'server/policy.schema.json', text: `${JSON.stringify(policyJsonSchema(), null, 2)}\n` },
    { path: 'docs/command-line.md', text: await commandLinePage() },
  ]
}

const policyJsonSchema = (): object =>
  z.toJSONSchema(policySchema, { ...zodToJsonConfig, io: 'input', target: 'draft-7' })

/** An app whose routes are only described, never called. */
async function openApiOf(database: Database): Promise<object> {
  const unasked = () => Promise.reject(new Error('only described'))
  const publicUrl = 'http://127.0.0.1:8080'
  const hashing = { hash: unasked, verify: unasked, runFor: unasked }
  const app = await createApp({
    auth: createAuth({
      database,
      secret: 'only-described-'.repeat(4),
      publicUrl,
      origins: [],
      mailer: undefined,
      mailLimit: unasked,
      hashing,
      log: testLog,
    }),
    throttle: unasked,
    devices: { idOf: () => undefined },
    hashing,
    mailLimit: unasked,
    operatorTwoFactor: false,
    clock: systemClock,
    counters: { take: unasked, giveBack: unasked, usageOf: unasked, close: unasked },
    database,
    directory: { find: unasked, findCached: () => undefined, close: unasked },
    coins: { find: () => undefined },
    enabledChains: [],
    evmChains: {},
    feeService: { quote: unasked },
    isReady: unasked,
    servesMetrics: true,
    log: testLog,
    metrics: createMetrics(),
    publicUrl,
    origins: [],
    proxies: 0,
    reads: database,
    requestLog: { push: () => {}, flush: unasked },
    rateLimiter: { take: unasked, takeAhead: () => {} },
    version: '1',
  })
  const described = app.swagger()
  await app.close()
  return described
}

async function commandLinePage(): Promise<string> {
  const commands = await loadCommands()
  const fenced = (text: string) => `\`\`\`\n${text}\n\`\`\`\n`
  const sections = commands.map((command) => `## gatewatch ${command.name}\n\n${fenced(helpOf(command))}`)
  return [
    '# The command line\n',
    'In a checkout: `npm run -s gatewatch -- COMMAND`. Written by `npm run generate` from the commands themselves.\n',
    fenced(helpOfAll(commands)),
    ...sections,
  ].join('\n')
}
