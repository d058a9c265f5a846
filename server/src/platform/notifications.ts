/**
 * Notifications between processes, through PostgreSQL's LISTEN and NOTIFY.
 *
 * Notifications are missed while the connection is down, and a connection can be dead without an error. It is therefore
 * probed several times a second. `onLost` is called as soon as a probe fails, and while `isListening` returns false,
 * caches that depend on notifications may be stale.
 */
import { Client } from 'pg'
import type { Logger } from '../lib/log.ts'
import { databaseLocation } from './database.ts'
import { DatabaseUnreachableError } from './errors.ts'
import { identifier, sql } from './sql.ts'

export type Notifications = { readonly isListening: () => boolean; readonly close: () => Promise<void> }

export type NotificationsOptions = {
  readonly url: string
  readonly channel: string
  readonly log: Logger
  readonly onNotification: (payload: string) => void
  readonly onLost: () => void
}

const RECONNECT_MS = 500
/** Together less than a second, within which a revoked key must be refused. */
const PROBE_EVERY_MS = 300
const PROBE_TIMEOUT_MS = 500
/** No request waits for this connection, so a busy server has time to accept it. */
const CONNECT_TIMEOUT_MS = 30_000

export async function listen({
  url,
  channel,
  log,
  onNotification,
  onLost,
}: NotificationsOptions): Promise<Notifications> {
  let client: Client | undefined
  let listening = false
  let wasLost = false
  let closed = false
  let timer: NodeJS.Timeout | undefined

  const lose = (lost: Client) => {
    if (client !== lost || closed) return
    clearTimeout(timer)
    client = undefined
    if (listening) log.warn({ channel }, 'the connection for notifications is lost; reconnecting')
    listening = false
    wasLost = true
    onLost()
    void lost.end().catch(() => {})
    timer = setTimeout(() => void connect().catch(() => {}), RECONNECT_MS)
  }
  const scheduleProbe = (probed: Client) => {
    timer = setTimeout(() => void probe(probed), PROBE_EVERY_MS)
  }
  const probe = async (probed: Client) => {
    let hasResponded = false
    // If this process was busy, the response may have arrived unread: it is read before the deadline counts.
    const loseIfSilent = () => hasResponded || lose(probed)
    const deadline = setTimeout(() => setImmediate(loseIfSilent), PROBE_TIMEOUT_MS)
    try {
      await probed.query(sql`select 1`)
      hasResponded = true
      if (client === probed && !closed) scheduleProbe(probed)
    } catch {
      lose(probed)
    } finally {
      clearTimeout(deadline)
    }
  }
  const connect = async () => {
    const fresh = new Client({
      connectionString: url,
      application_name: `gatewatch listens to ${channel}`,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    })
    client = fresh
    fresh.on('error', () => lose(fresh))
    fresh.on('end', () => lose(fresh))
    fresh.on('notification', ({ payload }) => onNotification(payload ?? ''))
    try {
      await fresh.connect()
      await fresh.query(sql`listen ${identifier(channel)}`)
    } catch (error) {
      lose(fresh)
      throw error
    }
    listening = true
    if (wasLost) log.info({ channel }, 'notifications are received again')
    wasLost = false
    scheduleProbe(fresh)
  }
  const close = async () => {
    closed = true
    clearTimeout(timer)
    await client?.end().catch(() => {})
  }

  try {
    await connect()
  } catch (error) {
    await close()
    throw new DatabaseUnreachableError(databaseLocation(url), error)
  }
  return { isListening: () => listening, close }
}
