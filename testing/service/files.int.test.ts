/** Files of the data folder and of backups are readable by their own account only. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { keepSecretOfTest } from '../support/log.ts'
import { spawnGatewatch } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const cwd = temporaryFolder()
const run = async (args: readonly string[], input?: string) => {
  const { exit, output } = spawnGatewatch(args, { cwd, ...(input !== undefined && { input }) })
  return { code: (await exit).code, output: output() }
}

/** The files of a folder that others may read or write. Sockets are in a folder that only their account may enter. */
function readableByOthers(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => (statSync(path).mode & 0o077) !== 0)
}

test('every file of the data folder and of a backup is readable by its own account only', async () => {
  const password = keepSecretOfTest(randomBytes(12).toString('base64url'))
  const created = await run(['account', 'create', '--email', 'ada@example.org', '--password-stdin'], `${password}\n`)
  assert.equal(created.code, 0, created.output)
  assert.doesNotMatch(created.output, new RegExp(password))
  const backup = join(cwd, 'backup')
  assert.equal((await run(['backup', backup])).code, 0)
  assert.ok(readdirSync(join(cwd, 'data'), { recursive: true }).length > 100)
  assert.deepEqual(readableByOthers(join(cwd, 'data')), [])
  assert.deepEqual(readableByOthers(backup), [])
})

test('the password of an account comes from standard input or an option, not both', async () => {
  const create = ['account', 'create', '--email', 'ada@example.org']
  assert.deepEqual(
    [
      (await run(create)).code,
      (await run([...create, '--password-stdin'], '')).code,
      (await run([...create, '--password', 'x', '--password-stdin'], 'x\n')).code,
    ],
    [64, 64, 64],
  )
})
