/**
 * Telegram's bot interface (https://core.telegram.org/bots/api), as much of it as alerts need.
 *
 * Owns the calls and how refusals are told. The token is part of every URL, so no URL leaves this file.
 */
import { z } from 'zod'
import { GatewatchError, systemCodeOf } from '../../lib/errors.ts'

export type TelegramOptions = { readonly token: string; readonly apiUrl: string }

export class TelegramError extends GatewatchError {
  override readonly code = 'telegram_refused'
  override readonly retryable = true
  /** The status Telegram gave; undefined where no answer came. */
  readonly status: number | undefined
  readonly retryAfterSeconds: number | undefined
  /** The group is now this supergroup. */
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

/** Updates hold much more; what is not a message is passed over. */
const update = z.object({
  update_id: z.int(),
  message: z.object({ chat, text: z.string().optional() }).optional().catch(undefined),
})
export type Update = z.infer<typeof update>

const answer = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  description: z.string().optional(),
  error_code: z.int().optional(),
  parameters: z.object({ retry_after: z.number().optional(), migrate_to_chat_id: z.int().optional() }).optional(),
})

export type Telegram = {
  readonly sendMessage: (chatId: string, html: string) => Promise<void>
  readonly getUpdates: (
    offset: number | undefined,
    waitSeconds: number,
    signal: AbortSignal,
  ) => Promise<readonly Update[]>
  /** The bot's name, for links to it. */
  readonly getUsername: () => Promise<string>
}

const TIMEOUT_MS = 15_000
const MOST_ANSWER_CHARACTERS = 4 * 1024 * 1024

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
      throw new TelegramError(`Telegram does not answer (${whyOf(error)})`, {}, error)
    }
    const parsed = text.length > MOST_ANSWER_CHARACTERS ? undefined : answer.safeParse(jsonOf(text)).data
    if (parsed === undefined)
      throw new TelegramError(`Telegram answered ${status} and something that is not its language`, { status })
    if (parsed.ok) return parsed.result
    const { retry_after: retryAfterSeconds, migrate_to_chat_id: movedTo } = parsed.parameters ?? {}
    throw new TelegramError(`Telegram: ${parsed.description ?? `status ${status}`}`, {
      status: parsed.error_code ?? status,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      ...(movedTo !== undefined && { movedTo: String(movedTo) }),
    })
  }

  return {
    sendMessage: async (chatId, html) => {
      const preview = { link_preview_options: { is_disabled: true } }
      await call('sendMessage', { chat_id: Number(chatId), text: html, parse_mode: 'HTML', ...preview })
    },
    getUpdates: async (offset, waitSeconds, signal) => {
      const parameters = { offset, timeout: waitSeconds, allowed_updates: ['message'] }
      const result = await call('getUpdates', parameters, (waitSeconds + 10) * 1_000, signal)
      return z.array(update).parse(result)
    },
    getUsername: async () => {
      username ??= z.object({ username: z.string() }).parse(await call('getMe', {})).username
      return username
    },
  }
}

/** fetch hides the reason behind "fetch failed"; where the interface stands is the operator's affair. */
const whyOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return systemCodeOf(cause) ?? (cause instanceof Error ? cause.name : 'no reason given')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const chatTitle = ({ title, username, first_name: first, last_name: last }: Chat): string => {
  const person = [first, last].filter((part) => part !== undefined).join(' ')
  return title ?? (username === undefined ? person : `@${username}`)
}
