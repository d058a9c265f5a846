/**
 * Who holds a key, from memory, yet never a second behind: every change of a key or a plan in any process is told to
 * all of them, and once that line does not answer nothing is answered from memory.
 *
 * A key that many ask with at once is read once for all of them: a crowd on a key nobody remembers would otherwise
 * take every connection to the database.
 */
import type { Logger } from '../lib/log.ts'
import type { Database } from '../platform/database.ts'
import { listen } from '../platform/notices.ts'
import { findHolder, type KeyHolder } from './store/keys.ts'

export type KeyDirectory = {
  readonly find: (hash: string) => Promise<KeyHolder | undefined>
  readonly close: () => Promise<void>
}

/** Enough for every key in daily use; beyond it the oldest entry makes room. */
const REMEMBERED = 20_000

export async function openKeyDirectory({
  database,
  url,
  log,
}: {
  readonly database: Database
  readonly url: string
  readonly log: Logger
}): Promise<KeyDirectory> {
  const remembered = new Map<string, KeyHolder>()
  /** What is being read may be what was before a change: it is forgotten with the rest, and read anew. */
  const reading = new Map<string, Promise<KeyHolder | undefined>>()
  let changes = 0
  const notices = await listen({
    url,
    channel: 'key_changed',
    log,
    onNotice: (hash) => {
      changes++
      remembered.delete(hash)
      reading.delete(hash)
    },
    onLost: () => {
      changes++
      remembered.clear()
      reading.clear()
    },
  })

  async function read(hash: string): Promise<KeyHolder | undefined> {
    const [changesBefore, wasListening] = [changes, notices.isListening()]
    const holder = await findHolder(database, hash)
    // What changed while we were reading may be what we read: then it is used once and not kept.
    if (holder !== undefined && wasListening && notices.isListening() && changes === changesBefore) {
      const [oldest] = remembered.keys()
      if (remembered.size >= REMEMBERED && oldest !== undefined) remembered.delete(oldest)
      remembered.set(hash, holder)
    }
    return holder
  }

  async function readTogether(hash: string): Promise<KeyHolder | undefined> {
    const begun = reading.get(hash) ?? read(hash)
    if (notices.isListening()) reading.set(hash, begun)
    try {
      return await begun
    } finally {
      if (reading.get(hash) === begun) reading.delete(hash)
    }
  }

  return {
    find: async (hash) => remembered.get(hash) ?? readTogether(hash),
    close: notices.close,
  }
}
