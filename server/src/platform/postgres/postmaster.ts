/**
 * What PostgreSQL writes about itself in `postmaster.pid`, and whether to believe it.
 *
 * The file outlives a killed server, and its process number may since belong to a stranger.
 */
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export type Postmaster = {
  readonly pid: number
  readonly port: number
  readonly socketFolder: string
  readonly status: 'starting' | 'ready' | 'stopping'
}

/** The living server of this data folder, or undefined: no file, a dead process, or a stranger's. */
export function findPostmaster(dataFolder: string): Postmaster | undefined {
  const text = readIfThere(join(dataFolder, 'postmaster.pid'))
  if (text === undefined) return undefined
  const [pid, folder, , port, socketFolder, , , status] = text.split('\n').map((line) => line.trim())
  if (folder !== dataFolder || !isOurs(Number(pid), dataFolder)) return undefined
  return { pid: Number(pid), port: Number(port), socketFolder: socketFolder ?? '', status: statusOf(status) }
}

/**
 * Removes lock files (the data folder's and the socket's) whose process number now belongs to a stranger, or to a
 * killed server nobody has buried yet: PostgreSQL would take either for a running server and refuse. A file of a dead
 * process is left to PostgreSQL, which knows better than we do.
 */
export function forgetStranger(dataFolder: string, socketLock: string): void {
  for (const path of [join(dataFolder, 'postmaster.pid'), socketLock]) {
    const pid = Number(readIfThere(path)?.split('\n')[0] ?? Number.NaN)
    if (isAlive(pid) && !isOurs(pid, dataFolder)) rmSync(path, { force: true })
  }
}

function statusOf(word: string | undefined): Postmaster['status'] {
  return word === 'ready' || word === 'stopping' ? word : 'starting'
}

export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * Whether the process is one of ours: we may signal it, and it works in the data folder, as every server does. Where
 * the system does not tell its folder (not Linux), the file is believed.
 */
function isOurs(pid: number, dataFolder: string): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false // dead, or another account's: no server of ours
  }
  try {
    return realpathSync(`/proc/${pid}/cwd`) === realpathSync(dataFolder)
  } catch {
    return !existsSync('/proc/self')
  }
}

export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
