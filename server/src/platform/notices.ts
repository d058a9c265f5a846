/**
 * Notices between processes, through PostgreSQL's LISTEN and NOTIFY.
 *
 * A notice can be missed while the line is down, and a line can be dead without saying so: it is asked several times a
 * second, `onLost` is called the moment it does not answer, and `isListening` says whether what was kept in memory may
 * still be trusted.
 */
import { Client } from 'pg'
import type { Logger } from '../lib/log.ts'
import { placeOf } from './database.ts'
import { DatabaseUnreachableError } from './errors.ts'

export type Notices = { readonly isListening: () => boolean; readonly close: () => Promise<void> }

export type NoticesOptions = {
  readonly url: string
  readonly channel: string
  readonly log: Logger
  readonly onNotice: (payload: string) => void
  readonly onLost: () => void
}

const AGAIN_MS = 500
/** Together less than the second within which a revoked key must be dead. */
const ASK_EVERY_MS = 300
const ANSWER_WITHIN_MS = 500

export async function listen({ url, channel, log, onNotice, onLost }: NoticesOptions): Promise<Notices> {
  let client: Client | undefined
  let listening = false
  let wasLost = false
  let closed = false
  let timer: NodeJS.Timeout | undefined

  const lose = (lost: Client) => {
    if (client !== lost || closed) return
    clearTimeout(timer)
    client = undefined
    if (listening) log.warn({ channel }, 'notices of other processes are not heard; listening again')
    listening = false
    wasLost = true
    onLost()
    void lost.end().catch(() => {})
    timer = setTimeout(() => void connect().catch(() => {}), AGAIN_MS)
  }
  const ask = (asked: Client) => {
    timer = setTimeout(() => void hearsUs(asked), ASK_EVERY_MS)
  }
  const hearsUs = async (asked: Client) => {
    let hasAnswered = false
    // Where this process was busy, the answer may be there already, unread: it is read before anything is concluded.
    const conclude = () => hasAnswered || lose(asked)
    const deadline = setTimeout(() => setImmediate(conclude), ANSWER_WITHIN_MS)
    try {
      await asked.query('select 1')
      hasAnswered = true
      if (client === asked && !closed) ask(asked)
    } catch {
      lose(asked)
    } finally {
      clearTimeout(deadline)
    }
  }
  const connect = async () => {
    const fresh = new Client({
      connectionString: url,
      application_name: `gatewatch listens to ${channel}`,
      connectionTimeoutMillis: 5_000,
    })
    client = fresh
    fresh.on('error', () => lose(fresh))
    fresh.on('end', () => lose(fresh))
    fresh.on('notification', ({ payload }) => onNotice(payload ?? ''))
    try {
      await fresh.connect()
      await fresh.query(`listen ${fresh.escapeIdentifier(channel)}`)
    } catch (error) {
      lose(fresh)
      throw error
    }
    listening = true
    if (wasLost) log.info({ channel }, 'notices of other processes are heard again')
    wasLost = false
    ask(fresh)
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
    throw new DatabaseUnreachableError(placeOf(url), error)
  }
  return { isListening: () => listening, close }
}
