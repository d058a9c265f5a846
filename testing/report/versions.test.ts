import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { anvilVersion, commitOf, packageVersions } from './versions.ts'

const gitMissing = spawnSync('git', ['--version']).status !== 0 && 'git is not installed'

const folderFor = (t: { after: (work: () => void) => void }): string => {
  const folder = mkdtempSync(join(tmpdir(), 'gatewatch-versions-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('the commit is returned with a mark for local changes; the benchmarks page does not count as a change', {
  skip: gitMissing,
}, (t) => {
  const folder = folderFor(t)
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: folder,
      encoding: 'utf8',
    })
  git('init', '--quiet')
  mkdirSync(join(folder, 'docs'))
  for (const file of ['code.ts', 'docs/benchmarks.json']) writeFileSync(join(folder, file), 'one')
  git('add', '.')
  git('commit', '--quiet', '--message', 'one')
  const head = git('rev-parse', '--short', 'HEAD').trim()
  assert.equal(commitOf(folder), head)
  for (const file of ['docs/benchmarks.json', 'docs/benchmarks.md']) writeFileSync(join(folder, file), 'two')
  assert.equal(commitOf(folder), head)
  writeFileSync(join(folder, 'new.ts'), 'new')
  assert.equal(commitOf(folder), `${head}+changes`)
  // A copy without history inside another checkout is not at that checkout's commit.
  assert.equal(commitOf(join(folder, 'docs')), undefined)
})

test('outside a checkout there is no commit', (t) => {
  assert.equal(commitOf(folderFor(t)), undefined)
})

test('package versions are the installed ones', () => {
  const { version } = JSON.parse(
    readFileSync(join(import.meta.dirname, '..', '..', 'node_modules', 'coinselect', 'package.json'), 'utf8'),
  ) as { version: string }
  assert.deepEqual(packageVersions(['coinselect']), { coinselect: version })
  assert.throws(() => packageVersions(['not-there-at-all']), /not-there-at-all is not installed/)
})

test('the version comes from the node, and an emulator is named', async () => {
  const node = { rpc: <T>() => Promise.resolve('anvil/v1.7.1' as T) }
  const command = { args: [], env: {} }
  assert.equal(await anvilVersion(node, { ...command, command: '/opt/bin/anvil' }), '1.7.1')
  assert.equal(
    await anvilVersion(node, { ...command, command: '/usr/bin/qemu-x86_64' }),
    '1.7.1 (emulated by qemu-x86_64)',
  )
})
