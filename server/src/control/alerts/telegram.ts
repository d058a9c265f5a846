/**
 * Calls the part of Telegram's Bot API (https://core.telegram.org/bots/api) that alerts need.
 *
 * Every URL contains the token, so no URL leaves this file.
 */

import { z } from 'zod'
import { cutText } from '../../../../vocabulary/cut-text.ts'
import type { Timing } from '../../lib/clock.ts'
import { GatewatchError, systemCodeOf } from '../../lib/errors.ts'

export type TelegramOptions = { readonly token: string; readonly apiUrl: string }

export class TelegramError extends GatewatchError {
  override readonly code = 'telegram_refused'
  override readonly retryable = true
  /** The status of the response; undefined if none came. */
  readonly status: number | undefined
  readonly retryAfterSeconds: number | undefined
  /** The id of the supergroup that the group became. */
  readonly movedTo: string | undefined
  constructor(
    message: string,
    facts: { readonly status?: number; readonly retryAfterSeconds?: number; readonly movedTo?: string } = {},
    cause?: unknown,
  ) {
    super(message, { cause })
    this.status = facts.status
    this.retryAfterSeconds = facts.retryAfterSeconds
    this.movedTo = facts.movedTo
  }
}

const chat = z.object({
  id: z.int(),
  type: z.string(),
  title: z.string().optional(),
  username: z.string().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
})
export type Chat = z.infer<typeof chat>

/** A press of a button below a message of the bot. */
const callbackQuery = z.object({
  id: z.string(),
  from: z.object({ username: z.string().optional(), first_name: z.string() }),
  message: z.object({ message_id: z.int(), chat }),
  data: z.string(),
})

/** Only messages and presses of buttons are read. Other kinds of updates are ignored. */
const update = z.object({
  update_id: z.int(),
  message: z.object({ chat, text: z.string().optional() }).optional().catch(undefined),
  callback_query: callbackQuery.optional().catch(undefined),
})
export type Update = z.infer<typeof update>

const responseBody = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  description: z.string().optional(),
  error_code: z.int().optional(),
  parameters: z.object({ retry_after: z.number().optional(), migrate_to_chat_id: z.int().optional() }).optional(),
})

/** A button below a message. Telegram returns `data`, at most 64 bytes, when it is pressed. */
export type BotButton = { readonly text: string; readonly data: string }

export type Telegram = {
  readonly sendMessage: (chatId: string, html: string, button?: BotButton) => Promise<void>
  /** Ends the wait of the person who pressed a button, and shows a text. */
  readonly answerCallback: (queryId: string, text: string) => Promise<void>
  /** Replaces the button below a message. */
  readonly replaceButton: (chatId: string, messageId: number, button: BotButton) => Promise<void>
  readonly getUpdates: (
    offset: number | undefined,
    waitSeconds: number,
    signal: AbortSignal,
  ) => Promise<readonly Update[]>
  /** Returns the bot's name, for links to it. */
  readonly getUsername: () => Promise<string>
}

const TIMEOUT_MS = 15_000
const MAX_RESPONSE_CHARACTERS = 4 * 1024 * 1024

export function createTelegram({ token, apiUrl }: TelegramOptions): Telegram {
  const base = `${apiUrl.replace(/\/+$/, '')}/bot${token}`
  let username: string | undefined

  async function call(
    method: string,
    parameters: object,
    timeoutMs = TIMEOUT_MS,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const limit = AbortSignal.timeout(timeoutMs)
    let text: string
    let status: number
    try {
      const response = await fetch(`${base}/${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(parameters),
        signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
        redirect: 'error',
      })
      status = response.status
      text = await response.text()
    } catch (error) {
      throw new TelegramError(`Telegram cannot be reached (${causeOf(error)}).`, {}, error)
    }
    const parsed = text.length > MAX_RESPONSE_CHARACTERS ? undefined : responseBody.safeParse(jsonOf(text)).data
    if (parsed === undefined)
      throw new TelegramError(`Telegram returned status ${status} with an unreadable body.`, { status })
    if (parsed.ok) return parsed.result
    const { retry_after: retryAfterSeconds, migrate_to_chat_id: movedTo } = parsed.parameters ?? {}
    throw new TelegramError(`Telegram: ${parsed.description ?? `status ${status}`}`, {
      status: parsed.error_code ?? status,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      ...(movedTo !== undefined && { movedTo: String(movedTo) }),
    })
  }

  return {
    sendMessage: async (chatId, html, button) => {
      const preview = { link_preview_options: { is_disabled: true } }
      const markup = button === undefined ? {} : { reply_markup: keyboardOf(button) }
      await call('sendMessage', { chat_id: Number(chatId), text: html, parse_mode: 'HTML', ...preview, ...markup })
    },
    answerCallback: async (queryId, text) => {
      await call('answerCallbackQuery', { callback_query_id: queryId, text: cutText(text, MAX_CALLBACK_TEXT) })
    },
    replaceButton: async (chatId, messageId, button) => {
      const message = { chat_id: Number(chatId), message_id: messageId }
      await call('editMessageReplyMarkup', { ...message, reply_markup: keyboardOf(button) })
    },
    getUpdates: async (offset, waitSeconds, signal) => {
      const parameters = { offset, timeout: waitSeconds, allowed_updates: ['message', 'callback_query'] }
      const result = await call('getUpdates', parameters, (waitSeconds + 10) * 1_000, signal)
      return z.array(update).parse(result)
    },
    getUsername: async () => {
      username ??= z.object({ username: z.string() }).parse(await call('getMe', {})).username
      return username
    },
  }
}

const MAX_CALLBACK_TEXT = 200

const keyboardOf = ({ text, data }: BotButton): object => ({ inline_keyboard: [[{ text, callback_data: data }]] })

/** Reads the error code from the cause of "fetch failed". The message would contain the URL. */
const causeOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return systemCodeOf(cause) ?? (cause instanceof Error ? cause.name : 'unknown error')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const chatTitle = ({ title, username, first_name: first, last_name: last }: Chat): string => {
  const fullName = [first, last].filter((part) => part !== undefined).join(' ')
  return title ?? (username === undefined ? fullName : `@${username}`)
}

/** Telegram takes 30 messages a second from one bot. This interval keeps every second below that. */
const MESSAGE_INTERVAL_MS = 34

/** Spaces all messages of a bot evenly. */
export function limitRate(telegram: Telegram, timing: Timing): Telegram {
  let nextAt = 0
  return {
    ...telegram,
    sendMessage: async (chatId, html, button) => {
      const now = timing.now()
      const at = Math.max(now, nextAt)
      nextAt = at + MESSAGE_INTERVAL_MS
      if (at > now) await timing.sleep(at - now)
      await telegram.sendMessage(chatId, html, button)
    },
  }
}
