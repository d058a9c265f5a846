/**
 * The server that `postmaster.pid` describes.
 *
 * The file remains after the server was killed, and another program may have its process id by then.
 */
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export type Postmaster = {
  readonly pid: number
  readonly port: number
  readonly socketFolder: string
  readonly status: 'starting' | 'ready' | 'stopping'
}

/** The running server of this data folder; undefined without a file, or if its process is dead or not ours. */
export function findPostmaster(dataFolder: string): Postmaster | undefined {
  const text = readIfExists(join(dataFolder, 'postmaster.pid'))
  if (text === undefined) return undefined
  const [pid, folder, , port, socketFolder, , , status] = text.split('\n').map((line) => line.trim())
  if (folder !== dataFolder || !isOurs(Number(pid), dataFolder)) return undefined
  return { pid: Number(pid), port: Number(port), socketFolder: socketFolder ?? '', status: statusOf(status) }
}

/**
 * Removes lock files (of the data folder and of the socket) whose process id belongs to another program or to a zombie:
 * PostgreSQL would treat either as a running server. PostgreSQL itself removes the file of a dead process.
 */
export function removeStaleLocks(dataFolder: string, socketLock: string): void {
  for (const path of [join(dataFolder, 'postmaster.pid'), socketLock]) {
    const pid = Number(readIfExists(path)?.split('\n')[0] ?? Number.NaN)
    if (isAlive(pid) && !isOurs(pid, dataFolder)) rmSync(path, { force: true })
  }
}

function statusOf(text: string | undefined): Postmaster['status'] {
  return text === 'ready' || text === 'stopping' ? text : 'starting'
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
 * Whether the process is a server of this data folder: this account may signal it, and the data folder is its working
 * directory. On systems without /proc the lock file is trusted.
 */
function isOurs(pid: number, dataFolder: string): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false // dead, or of another account
  }
  try {
    return realpathSync(`/proc/${pid}/cwd`) === realpathSync(dataFolder)
  } catch {
    return !existsSync('/proc/self')
  }
}

export function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
