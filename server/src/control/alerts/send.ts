/**
 * One try to hand a rendered message over, on each kind of channel, and what its outcome means.
 *
 * Owns the reading of answers: what counts as delivered, what asks for a pause, what says never again. When it is tried
 * again is `schedule.ts`'s.
 */
import type { Clock } from '../../lib/clock.ts'
import { reasonOf, systemCodeOf } from '../../lib/errors.ts'
import { parseRetryAfter } from '../../lib/retry-after.ts'
import { webhookHeaders } from '../../lib/standard-webhook.ts'
import type { Mail, Mailer } from '../../platform/mail.ts'
import { OutboundError, type OutboundOptions, postOutbound } from '../../platform/outbound.ts'
import { type Telegram, TelegramError } from './telegram.ts'

export type Outcome =
  | { readonly ok: true }
  | {
      readonly ok: false
      /** In plain words, for the record. */
      readonly reason: string
      /** When to come again, to the moment. */
      readonly retryAfterMs?: number
      /** The receiver asked not to be called again before. */
      readonly pauseAtLeastMs?: number
      /** The receiver said never to come again. */
      readonly isGone?: true
      /** It may have arrived all the same: no answer came. */
      readonly isUncertain?: true
      /** The receiver is elsewhere now. */
      readonly movedTo?: string
    }

export type SendDeps = {
  readonly clock: Clock
  readonly mailer: Mailer | undefined
  readonly telegram: Telegram | undefined
  readonly outbound: OutboundOptions
}

/** Whoever asks for a longer pause is tried after this one: a mistake of a receiver must not silence it for a day. */
const LONGEST_PAUSE_MS = 3_600_000

export type WebhookPost = { readonly id: string; readonly body: string; readonly secrets: readonly string[] }

export async function sendWebhook({ clock, outbound }: SendDeps, url: string, post: WebhookPost): Promise<Outcome> {
  const { id, body, secrets } = post
  const signed = webhookHeaders({ id, secret: secrets, body, at: clock.now() })
  const headers = { 'content-type': 'application/json', 'user-agent': 'gatewatch', ...signed }
  try {
    const { status, retryAfter } = await postOutbound(url, { body, headers }, outbound)
    if (status >= 200 && status < 300) return { ok: true }
    if (status === 410)
      return { ok: false, reason: 'the receiver answered 410: it wants no more webhooks', isGone: true }
    const asked = parseRetryAfter(retryAfter, clock.now())
    const pause = asked === undefined ? {} : { pauseAtLeastMs: Math.min(asked, LONGEST_PAUSE_MS) }
    return { ok: false, reason: `the receiver answered ${status}`, ...pause }
  } catch (error) {
    const isUncertain = error instanceof OutboundError && error.isConnected
    return { ok: false, reason: reasonOf(error), ...(isUncertain && { isUncertain }) }
  }
}

export async function sendMail({ mailer }: SendDeps, mail: Mail): Promise<Outcome> {
  if (mailer === undefined) return { ok: false, reason: 'this service sends no mail at present (SMTP_URL is not set)' }
  try {
    await mailer.send(mail)
    return { ok: true }
  } catch (error) {
    return { ok: false, reason: mailReason(error), ...(isMailUncertain(error) && { isUncertain: true as const }) }
  }
}

/** Cut off after the connection was made, without a word of the server on this mail. */
const isMailUncertain = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  !('response' in error) &&
  'command' in error &&
  error.command !== 'CONN'

/** The server's own words about the mail; where it stands is the operator's affair. */
function mailReason(error: unknown): string {
  const response = typeof error === 'object' && error !== null && 'response' in error ? error.response : undefined
  return typeof response === 'string'
    ? `the mail server answered: ${response.slice(0, 300)}`
    : `the mail server cannot be reached (${systemCodeOf(error) ?? 'no reason given'})`
}

/** The parts of one message, in order; a part that fails makes all of them due again. */
export async function sendTelegram(
  { telegram }: SendDeps,
  chatId: string,
  parts: readonly string[],
  pause: () => Promise<void> = () => Promise.resolve(),
): Promise<Outcome> {
  if (telegram === undefined)
    return { ok: false, reason: 'this service has no Telegram bot at present (TELEGRAM_BOT_TOKEN is not set)' }
  let sent = 0
  try {
    for (const part of parts) {
      if (sent > 0) await pause()
      await telegram.sendMessage(chatId, part)
      sent += 1
    }
    return { ok: true }
  } catch (error) {
    const isUncertain = sent > 0 || (error instanceof TelegramError && error.status === undefined)
    return { ...outcomeOf(error), ...(isUncertain && { isUncertain }) }
  }
}

/** https://core.telegram.org/bots/api#making-requests: the bot was blocked, thrown out, or the chat is not there. */
const GONE = /bot was blocked|bot was kicked|user is deactivated|chat not found|not a member|group chat was deleted/i

function outcomeOf(error: unknown): Outcome & { readonly ok: false } {
  const reason = reasonOf(error)
  if (!(error instanceof TelegramError)) return { ok: false, reason }
  if (error.movedTo !== undefined) return { ok: false, reason, movedTo: error.movedTo, retryAfterMs: 0 }
  if (error.retryAfterSeconds !== undefined)
    return { ok: false, reason, retryAfterMs: Math.ceil(error.retryAfterSeconds * 1_000) }
  const isGone = (error.status === 403 || error.status === 400) && GONE.test(reason)
  return { ok: false, reason, ...(isGone && { isGone: true as const }) }
}
