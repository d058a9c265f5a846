/** Runs the commands of the README as written. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { keepSecretOfTest } from '../support/log.ts'
import { REPOSITORY, spawnService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const readme = readFileSync(join(REPOSITORY, 'README.md'), 'utf8')
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text)

test('first steps and examples of the README work as written', async () => {
  const data = temporaryFolder()
  const service = await spawnService({ DATA_DIR: data })
  const run = (command: string, env: Record<string, string> = {}) =>
    execFileSync('sh', ['-c', command], {
      cwd: REPOSITORY,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, DATA_DIR: data, ...env },
    })

  const steps = blocks('sh').flatMap((block) => block.split('\n').filter((line) => line.includes('gatewatch --')))
  assert.equal(steps.length, 3)
  const outputs = steps.map((step) => run(step))
  const [GW_KEY = '', UTXO_KEY = ''] = outputs
    .slice(1)
    .map((output) => keepSecretOfTest(/(gw|utxo)_live_[\w-]{43}/.exec(output)?.[0] ?? ''))

  const examples = blocks('console')
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith('$ '))
  const responses = examples.map((line) =>
    JSON.parse(run(line.slice(2).replace('http://127.0.0.1:8080', service.url), { GW_KEY, UTXO_KEY })),
  )
  assert.deepEqual(responses[0], { data: [], nextCursor: null })
  assert.equal(responses[1].data.plan, 'pro')
  await service.stop()
})

test('every file that the README links to exists', () => {
  const links = [...readme.matchAll(/(?:\]\(|src="|srcset=")([^)"#]+)[)"]/g)]
    .map(([, link = '']) => link)
    .filter((link) => !link.startsWith('http'))
  for (const link of links)
    assert.doesNotThrow(() => execFileSync('ls', [join(REPOSITORY, link)], { stdio: 'ignore' }), link)
})
