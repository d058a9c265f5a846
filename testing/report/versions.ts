/** Which code was measured, and which versions of what took part: asked from what runs or lies installed here. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { basename } from 'node:path'
import { type FoundAnvil, findAnvil } from '../../scripts/anvil.mjs'
import type { Anvil } from '../evm/anvil.ts'
import type { Versions } from './result.ts'

/** What a run of the benchmarks writes itself. */
const OWN_FILES = [':!docs/benchmarks.json', ':!docs/benchmarks.md']

/** Undefined where `root` is not the root of a checkout, or git is not there to ask. */
export function commitOf(root: string): string | undefined {
  const git = (...args: readonly string[]): string | undefined => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
    return status === 0 ? stdout.trim() : undefined
  }
  // A folder inside somebody else's checkout has a prefix there.
  if (git('rev-parse', '--show-prefix') !== '') return undefined
  const commit = git('rev-parse', '--short', 'HEAD')
  if (commit === undefined) return undefined
  const isChanged = git('status', '--porcelain', '--', '.', ...OWN_FILES) !== ''
  return isChanged ? `${commit}+changes` : commit
}

/** As installed for the file `from`. */
export function packageVersions(names: readonly string[], from: string = import.meta.url): Versions {
  return Object.fromEntries(names.map((name) => [name, packageVersion(name, from)]))
}

function packageVersion(name: string, from: string): string {
  const path = findPackage(name, from)
  if (path === undefined) throw new Error(`${name} is not installed: npm ci`)
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}

function findPackage(name: string, from: string): string | undefined {
  try {
    return findPackageJSON(name, from)
  } catch {
    return undefined // it throws where nothing of that name lies on the way up
  }
}

export async function postgresVersion(database: {
  readonly query: (text: string) => Promise<{ readonly rows: readonly { server_version?: string }[] }>
}): Promise<string> {
  const { rows } = await database.query('show server_version')
  return rows[0]?.server_version?.split(' ')[0] ?? 'unknown'
}

/** As the node says it, and by what it is emulated where it cannot run by itself. */
export async function anvilVersion(
  node: Pick<Anvil, 'rpc'>,
  found: FoundAnvil | { readonly reason: string } = findAnvil(),
): Promise<string> {
  const version = (await node.rpc<string>('web3_clientVersion')).replace(/^anvil\/v?/, '')
  const command = 'command' in found ? basename(found.command) : 'anvil'
  return command === 'anvil' ? version : `${version} (emulated by ${command})`
}
