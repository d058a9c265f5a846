/** The measured commit, and the versions of the programs and packages that took part. */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { basename } from 'node:path'
import { type FoundAnvil, findAnvil } from '../../scripts/anvil.mjs'
import { type Sql, sql } from '../../server/src/platform/sql.ts'
import type { Anvil } from '../evm/anvil.ts'
import type { Versions } from './result.ts'

/** The files that a benchmark run writes. They do not count as changes. */
const OWN_FILES = [':!docs/benchmarks.json', ':!docs/benchmarks.md']

/** The commit of the checkout at `root`; undefined if `root` is not the root of a checkout or git is not installed. */
export function commitOf(root: string): string | undefined {
  const git = (...args: readonly string[]): string | undefined => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
    return status === 0 ? stdout.trim() : undefined
  }
  // A folder inside another checkout has a prefix.
  if (git('rev-parse', '--show-prefix') !== '') return undefined
  const commit = git('rev-parse', '--short', 'HEAD')
  if (commit === undefined) return undefined
  const isChanged = git('status', '--porcelain', '--', '.', ...OWN_FILES) !== ''
  return isChanged ? `${commit}+changes` : commit
}

/** The installed versions of packages, as resolved from the file `from`. */
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
    return undefined // findPackageJSON throws if no parent folder has the package
  }
}

export async function postgresVersion(database: {
  readonly query: (text: Sql) => Promise<{ readonly rows: readonly { server_version?: string }[] }>
}): Promise<string> {
  const { rows } = await database.query(sql`show server_version`)
  return rows[0]?.server_version?.split(' ')[0] ?? 'unknown'
}

/** The version that the node reports, and its emulator if it runs under one. */
export async function anvilVersion(
  node: Pick<Anvil, 'rpc'>,
  found: FoundAnvil | { readonly reason: string } = findAnvil(),
): Promise<string> {
  const version = (await node.rpc<string>('web3_clientVersion')).replace(/^anvil\/v?/, '')
  const command = 'command' in found ? basename(found.command) : 'anvil'
  return command === 'anvil' ? version : `${version} (emulated by ${command})`
}
