/** What is installed is what was looked at. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { REPOSITORY } from '../support/service.ts'

test('no dependency has a known high or critical advisory', (t) => {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--audit'], { cwd: REPOSITORY, encoding: 'utf8' })
  const { metadata, message, error } = JSON.parse(stdout) as {
    metadata?: { vulnerabilities: Record<string, number> }
    message?: string
    error?: { summary?: string }
  }
  if (metadata === undefined) {
    t.skip(`the registry did not answer the audit: ${message ?? error?.summary ?? stdout.slice(0, 200)}`)
    return
  }
  assert.deepEqual([metadata.vulnerabilities.high, metadata.vulnerabilities.critical], [0, 0])
})

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(REPOSITORY, file), 'utf8'))

type Package = {
  readonly workspaces?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
type Locked = { readonly integrity?: string; readonly link?: boolean; readonly optional?: boolean }
type Lock = { readonly packages: Readonly<Record<string, Locked>> }

test('every dependency is named with one version, and every package that must be there with its hash', () => {
  const { workspaces = [] } = readJson('package.json') as Package
  const ranges = ['.', ...workspaces].flatMap((folder) => {
    const { dependencies, devDependencies, optionalDependencies } = readJson(join(folder, 'package.json')) as Package
    return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
  })
  assert.deepEqual(
    ranges.filter(([, version]) => !/^(npm:.+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
    [],
  )
  const { packages } = readJson('package-lock.json') as Lock
  const needed = Object.entries(packages).filter(
    ([path, { link = false, optional = false }]) => path.includes('node_modules/') && !link && !optional,
  )
  assert.ok(needed.length > 300)
  assert.deepEqual(
    needed.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-')).map(([path]) => path),
    [],
  )
})
