/**
 * Reads what chats send to the Telegram bot: a one-time code links a private chat or a group, and a button below an alert
 * acknowledges it.
 *
 * Reads updates by long polling. Telegram allows one reader at a time: the process that holds the lease.
 */

import type { Timing } from '../../lib/clock.ts'
import { reasonOf } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { Database } from '../../platform/database.ts'
import { acknowledgeMessage } from './acknowledgments.ts'
import { isChatOfMessage, redeemConfirmation } from './channels.ts'
import { type BotButton, chatTitle, type Telegram, type Update } from './telegram.ts'

export type BotDeps = {
  readonly database: Database
  readonly telegram: Telegram
  readonly timing: Timing
  readonly log: Logger
}

const WAIT_SECONDS = 25
const RETRY_MS = 3_000
const IDLE_MS = 1_000

/** `/start CODE` in private, `/start@bot CODE` in a group. */
const START = /^\/start(?:@\w+)?(?:\s+([\w-]{1,64}))?\s*$/

export async function readBotUpdates(deps: BotDeps, signal: AbortSignal, mayRead: () => boolean): Promise<void> {
  const { telegram, timing, log } = deps
  let offset: number | undefined
  while (!signal.aborted) {
    try {
      if (!mayRead()) {
        await timing.sleep(IDLE_MS, signal)
        continue
      }
      for (const update of await telegram.getUpdates(offset, WAIT_SECONDS, signal)) {
        await handleMessage(deps, update)
        await handlePress(deps, update)
        // The next request confirms the update. Until then Telegram keeps it.
        offset = update.update_id + 1
      }
    } catch (error) {
      if (signal.aborted) return
      log.warn({ reason: reasonOf(error) }, 'reading messages to the Telegram bot failed; retrying soon')
      await timing.sleep(RETRY_MS, signal)
    }
  }
}

const LINKED =
  'This chat is linked. Gatewatch alerts will arrive here. To stop them, remove the chat on the channels page of your account.'
const UNKNOWN = 'This code is unknown, used or expired. Create a new one on the channels page of your account.'
const HELLO = 'This bot sends Gatewatch alerts. To link this chat, create a code on the channels page of your account.'

async function handleMessage({ database, telegram, log }: BotDeps, { message }: Update): Promise<void> {
  const start = START.exec(message?.text ?? '')
  if (message === undefined || start === null) return
  const chatId = String(message.chat.id)
  const code = start[1]
  const isLinked =
    code !== undefined &&
    (await redeemConfirmation(database, 'telegram', code, { target: chatId, title: chatTitle(message.chat) }))
  try {
    await telegram.sendMessage(chatId, isLinked ? LINKED : code === undefined ? HELLO : UNKNOWN)
  } catch (error) {
    log.info({ reason: reasonOf(error) }, 'replying to a Telegram chat failed')
  }
}

const ACKNOWLEDGE = /^ack:([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/
const ACKNOWLEDGED = 'done'

/** The button of an alert. `uid` is the id of its message. */
export const acknowledgeButton = (uid: string): BotButton => ({ text: 'Acknowledge', data: `ack:${uid}` })

/** Every member of the chat may acknowledge its alerts. */
async function handlePress({ database, telegram, log }: BotDeps, { callback_query: press }: Update): Promise<void> {
  if (press === undefined) return
  const uid = ACKNOWLEDGE.exec(press.data)?.[1]
  const chatId = String(press.message.chat.id)
  const { username, first_name: firstName } = press.from
  const name = username === undefined ? firstName : `@${username}`
  const found =
    uid !== undefined && (await isChatOfMessage(database, chatId, uid))
      ? await acknowledgeMessage(database, uid, name)
      : undefined
  const text =
    found === undefined
      ? press.data === ACKNOWLEDGED
        ? 'This alert is acknowledged.'
        : 'This alert is no longer stored.'
      : `Acknowledged by ${found.by}`
  try {
    await telegram.answerCallback(press.id, text)
    if (found !== undefined)
      await telegram.replaceButton(chatId, press.message.message_id, { text, data: ACKNOWLEDGED })
  } catch (error) {
    log.info({ reason: reasonOf(error) }, 'answering a button of a Telegram chat failed')
  }
}
