/** The packed client, used by a program outside of this repository against a real service. */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { hexOf, storeEvent } from '../testing/support/control-records.ts'
import { createTestDatabase } from '../testing/support/database.ts'
import { makeTestAccount, makeTestKey, REPOSITORY, startService } from '../testing/support/service.ts'
import { temporaryFolder } from '../testing/support/temporary-folder.ts'
import { packClient } from './pack.ts'

const PROGRAM = `
import { createClient, pages, retryingFetch } from 'gatewatch-client'
const client = createClient({ baseUrl: process.env.URL ?? '', controlKey: process.env.KEY ?? '', fetch: retryingFetch() })
const events = pages(
  (cursor) => client.GET('/v1/events', { params: { query: { limit: 2, ...(cursor === undefined ? {} : { cursor }) } } }),
  ({ data, nextCursor }) => ({ items: data, nextCursor }),
)
const blocks: number[] = []
for await (const { blockNumber } of events) blocks.push(blockNumber)
console.log(JSON.stringify(blocks))
`
const folder = temporaryFolder()
const modules = join(folder, 'node_modules')
mkdirSync(join(modules, 'gatewatch-client'), { recursive: true })
execFileSync('tar', ['-xzf', packClient(folder), '--strip-components=1', '-C', join(modules, 'gatewatch-client')])
for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types'])
  symlinkSync(join(REPOSITORY, 'node_modules', name), join(modules, name))
writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
writeFileSync(join(folder, 'program.ts'), PROGRAM)

test('a program with the package has its types', () => {
  const tsc = join(REPOSITORY, 'node_modules', '.bin', 'tsc')
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node']
  execFileSync(tsc, ['program.ts', ...options], { cwd: folder, encoding: 'utf8' })
})

test('a program with the package reads a real service', async () => {
  const store = await createTestDatabase()
  const service = await startService(store, { env: { ROLES: 'serve' } })
  const { key } = await makeTestKey(store.database, await makeTestAccount(store.database, { plan: 'team' }), 'v1')
  const stored: number[] = []
  for (let n = 0; n < 5; n++)
    stored.push((await storeEvent(store.database, { chainId: 1, address: hexOf(n, 20) })).blockNumber)
  const { stdout } = await promisify(execFile)(process.execPath, ['program.ts'], {
    cwd: folder,
    env: { PATH: process.env.PATH, URL: service.url, KEY: key },
  })
  assert.deepEqual(new Set(JSON.parse(stdout) as number[]), new Set(stored))
})
