/**
 * Linking chats: who sends the bot a one-time code, from a private chat or a group, is reached there from then on.
 *
 * Reads the bot's updates by long polling, which Telegram allows one reader at a time: whoever holds the lease.
 */
import { reasonOf } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { Timing } from '../../lib/timing.ts'
import type { Database } from '../../platform/database.ts'
import { redeemClaim } from './channels.ts'
import { chatTitle, type Telegram, type Update } from './telegram.ts'

export type LinkDeps = {
  readonly database: Database
  readonly telegram: Telegram
  readonly timing: Timing
  readonly log: Logger
}

const WAIT_SECONDS = 25
const AFTER_FAULT_MS = 3_000
const IDLE_MS = 1_000

/** `/start CODE` in private, `/start@bot CODE` in a group. */
const START = /^\/start(?:@\w+)?(?:\s+([\w-]{1,64}))?\s*$/

export async function linkChats(deps: LinkDeps, signal: AbortSignal, mayRead: () => boolean): Promise<void> {
  const { telegram, timing, log } = deps
  let offset: number | undefined
  while (!signal.aborted) {
    try {
      if (!mayRead()) {
        await timing.sleep(IDLE_MS, signal)
        continue
      }
      for (const update of await telegram.getUpdates(offset, WAIT_SECONDS, signal)) {
        await answer(deps, update)
        // Told with the next question: an update is Telegram's to keep until it was dealt with.
        offset = update.update_id + 1
      }
    } catch (error) {
      if (signal.aborted) return
      log.warn({ reason: reasonOf(error) }, "the bot's messages are not read; the next try comes soon")
      await timing.sleep(AFTER_FAULT_MS, signal)
    }
  }
}

const LINKED = 'This chat is linked: alerts of Gatewatch arrive here. Remove it in the settings of your account.'
const UNKNOWN = 'This code is unknown, spent or too old. Ask for another in the settings of your account.'
const HELLO = 'I send alerts of Gatewatch. To link this chat, ask for a code in the settings of your account.'

async function answer({ database, telegram, log }: LinkDeps, { message }: Update): Promise<void> {
  const start = START.exec(message?.text ?? '')
  if (message === undefined || start === null) return
  const chatId = String(message.chat.id)
  const code = start[1]
  const isLinked =
    code !== undefined &&
    (await redeemClaim(database, 'telegram', code, { target: chatId, title: chatTitle(message.chat) }))
  try {
    await telegram.sendMessage(chatId, isLinked ? LINKED : code === undefined ? HELLO : UNKNOWN)
  } catch (error) {
    log.info({ reason: reasonOf(error) }, 'a chat could not be answered')
  }
}
