/** The packed server, run from a node_modules folder outside of this repository. */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { createTestDatabase } from '../testing/support/database.ts'
import { AUTH_SECRET, REPOSITORY } from '../testing/support/service.ts'
import { temporaryFolder } from '../testing/support/temporary-folder.ts'
import { packServer } from './pack-server.mjs'

const folder = temporaryFolder()
const modules = join(folder, 'node_modules')
mkdirSync(join(modules, 'gatewatch'), { recursive: true })
execFileSync('tar', [
  '-xzf',
  packServer(folder, { web: false }),
  '--strip-components=1',
  '-C',
  join(modules, 'gatewatch'),
])
const installed = join(REPOSITORY, 'node_modules')
for (const name of readdirSync(installed).filter((each) => !each.startsWith('.') && !each.startsWith('gatewatch')))
  symlinkSync(join(installed, name), join(modules, name))

const bin = join(modules, 'gatewatch', 'server', 'bin', 'gatewatch.mjs')
const run = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  promisify(execFile)(process.execPath, [bin, ...args], { cwd: folder, env: { PATH: process.env.PATH ?? '', ...env } })

test('the package has no tests, and runs its TypeScript inside node_modules', async () => {
  const files = readdirSync(join(modules, 'gatewatch'), { recursive: true, encoding: 'utf8' })
  assert.deepEqual(
    files.filter((file) => file.endsWith('.test.ts')),
    [],
  )
  const { stdout, stderr } = await run(['--version'])
  assert.match(stdout, /^gatewatch \d+\.\d+\.\d+\n$/)
  assert.equal(stderr, '')
})

test('the package migrates a database, and exits with the code of its command', async () => {
  const { url } = await createTestDatabase()
  const env = { DATABASE_URL: url, AUTH_SECRET }
  assert.deepEqual(JSON.parse((await run(['account', 'list', '--json'], env)).stdout), [])
  await assert.rejects(run(['nonsense'], env), ({ code }: { code: number }) => code === 64)
})
