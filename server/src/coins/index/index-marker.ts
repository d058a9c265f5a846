/**
 * The marker of an index and the processes that use it: files in the folder of the index.
 *
 * The marker appears when every table exists, so that no reader opens a half-made index. Its id changes when the index is
 * replaced, so that processes which still have the old files open notice it.
 */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolders } from '../../lib/folders.ts'
import { isAlive } from '../../platform/postgres/postmaster.ts'

const MARKER = 'index.json'
const USERS = 'users'

/** The id of the index at the path; undefined while it is being made, or if there is none. */
export function findIndexId(path: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(path, MARKER), 'utf8')) as { readonly id: string }).id
  } catch {
    return undefined
  }
}

/** Marks the index as readable, and returns its id. */
export function markIndex(path: string): string {
  const known = findIndexId(path)
  if (known !== undefined) return known
  const id = randomUUID()
  const unfinished = join(path, `${MARKER}.${process.pid}`)
  writeFileSync(unfinished, `${JSON.stringify({ id })}\n`, { mode: 0o600 })
  renameSync(unfinished, join(path, MARKER))
  return id
}

/** Registers this process as a user of the index until the returned function is called. */
export function enterIndex(path: string): () => void {
  const file = join(path, USERS, `${process.pid}-${randomUUID()}`)
  try {
    makeFolders(join(path, USERS))
    writeFileSync(file, startOf(process.pid) ?? '', { mode: 0o600 })
  } catch {
    return () => undefined // a folder that this process may only read
  }
  return () => rmSync(file, { force: true })
}

/** The ids of the running processes that use the index, without this one. */
export function findIndexUsers(path: string): readonly number[] {
  let files: readonly string[]
  try {
    files = readdirSync(join(path, USERS))
  } catch {
    return []
  }
  const running = files.flatMap((file) => {
    const pid = Number(file.split('-')[0])
    if (pid === process.pid || !isAlive(pid)) return []
    const start = startOf(pid)
    // Another program may have the id of a process that was killed.
    return start === undefined || start === readFileSync(join(path, USERS, file), 'utf8') ? [pid] : []
  })
  return [...new Set(running)]
}

/** When the process was started, by the kernel's count; undefined on systems without /proc. */
function startOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19]
  } catch {
    return undefined
  }
}
