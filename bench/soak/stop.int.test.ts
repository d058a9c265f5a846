/** A soak that gets SIGTERM leaves no processes or files behind. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isAlive } from '../../server/src/platform/postgres/postmaster.ts'
import { anvilMissing } from '../../testing/evm/anvil.ts'
import { eventually } from '../../testing/support/receivers.ts'
import { REPOSITORY } from '../../testing/support/service.ts'
import { temporaryFolder } from '../../testing/support/temporary-folder.ts'

test('SIGTERM during the start stops the database and deletes the folder', {
  skip: anvilMissing,
}, async () => {
  const folder = temporaryFolder()
  const soak = spawn(process.execPath, ['bench/soak/run.ts', '--minutes', '1'], {
    cwd: REPOSITORY,
    env: { ...process.env, TMPDIR: folder },
    stdio: 'ignore',
  })
  const ended = once(soak, 'exit')
  const postmaster = await eventually(() => {
    assert.equal(soak.exitCode, null, 'the soak ended by itself')
    const [file] = globSync('gatewatch-soak-*/database/postgres/postmaster.pid', { cwd: folder })
    const lines = file === undefined ? [] : readFileSync(join(folder, file), 'utf8').split('\n')
    return lines.includes('ready   ') ? Number(lines[0]) : undefined
  })
  soak.kill('SIGTERM')
  assert.deepEqual(await ended, [143, null])
  await eventually(() => !isAlive(postmaster) || undefined) // the soak does not wait for its exit
  assert.deepEqual(readdirSync(folder), [])
})
