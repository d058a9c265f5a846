/**
 * Thirty messages a second is what Telegram takes from one bot, to whomever they go
 * (https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this). What it allows a single chat is
 * `senders.ts`'s.
 */
import type { Timing } from '../../lib/timing.ts'
import type { Telegram } from './telegram.ts'

/** A little more than a thirtieth of a second: no second holds a thirty-first. */
const APART_MS = 34

export function paced(telegram: Telegram, timing: Timing): Telegram {
  let nextAt = 0
  return {
    ...telegram,
    sendMessage: async (chatId, html) => {
      const now = timing.now()
      const at = Math.max(now, nextAt)
      nextAt = at + APART_MS
      if (at > now) await timing.sleep(at - now)
      await telegram.sendMessage(chatId, html)
    },
  }
}
