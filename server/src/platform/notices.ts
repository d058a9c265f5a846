/**
 * Notices between processes, through PostgreSQL's LISTEN and NOTIFY.
 *
 * A notice can be missed while the connection is down, so `onLost` is called the moment it breaks and `isListening`
 * says whether what was kept in memory may still be trusted.
 */
import { Client } from 'pg'
import type { Logger } from '../lib/log.ts'

export type Notices = { readonly isListening: () => boolean; readonly close: () => Promise<void> }

export type NoticesOptions = {
  readonly url: string
  readonly channel: string
  readonly log: Logger
  readonly onNotice: (payload: string) => void
  readonly onLost: () => void
}

const AGAIN_MS = 500

export async function listen({ url, channel, log, onNotice, onLost }: NoticesOptions): Promise<Notices> {
  let client: Client | undefined
  let listening = false
  let closed = false
  let timer: NodeJS.Timeout | undefined

  const lose = (lost: Client) => {
    if (client !== lost || closed) return
    client = undefined
    listening = false
    onLost()
    lost.end().catch(() => {})
    log.warn({ channel }, 'notices of other processes are not heard; listening again')
    timer = setTimeout(() => void again(), AGAIN_MS)
  }
  const connect = async () => {
    const fresh = new Client({
      connectionString: url,
      application_name: `gatewatch listens to ${channel}`,
      keepAlive: true,
    })
    client = fresh
    fresh.on('error', () => lose(fresh))
    fresh.on('end', () => lose(fresh))
    fresh.on('notification', ({ payload }) => onNotice(payload ?? ''))
    await fresh.connect()
    await fresh.query(`listen ${fresh.escapeIdentifier(channel)}`)
    listening = true
  }
  const again = async () => {
    try {
      await connect()
    } catch {
      if (client !== undefined) lose(client)
    }
  }

  await connect()
  return {
    isListening: () => listening,
    close: async () => {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
