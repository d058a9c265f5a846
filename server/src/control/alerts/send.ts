/** Sends a message by mail or Telegram and reads the response as an outcome; sends test messages to every channel. */
import { randomUUID } from 'node:crypto'
import { reasonOf, systemCodeOf } from '../../lib/errors.ts'
import type { Failure, Outcome } from '../../platform/deliveries/outcome.ts'
import { postWebhook, type WebhookDeps } from '../../platform/deliveries/webhook.ts'
import type { Mail, Mailer } from '../../platform/mail.ts'
import type { Channel } from './channels.ts'
import { HTML } from './mail-message.ts'
import { type BotButton, type Telegram, TelegramError } from './telegram.ts'
import { testNotice } from './vendors/vendor.ts'
import { isVendorKind, postNotice } from './vendors/vendors.ts'

export type SendDeps = WebhookDeps & {
  readonly mailer: Mailer | undefined
  readonly telegram: Telegram | undefined
}

export async function sendMail({ mailer }: Pick<SendDeps, 'mailer'>, mail: Mail): Promise<Outcome> {
  if (mailer === undefined) return { ok: false, reason: 'E-mail is not set up on this service.' }
  try {
    await mailer.send(mail)
    return { ok: true }
  } catch (error) {
    return { ok: false, reason: mailReason(error), ...(isMailUncertain(error) && { isUncertain: true as const }) }
  }
}

/** The connection broke after it was made, without a response of the server about this mail. */
const isMailUncertain = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  !('response' in error) &&
  'command' in error &&
  error.command !== 'CONN'

/** Quotes the server's response. The server's address is not part of the reason: users read it. */
function mailReason(error: unknown): string {
  const response = typeof error === 'object' && error !== null && 'response' in error ? error.response : undefined
  return typeof response === 'string'
    ? `The mail server refused the message: ${response.slice(0, 300)}`
    : `The mail server cannot be reached (${systemCodeOf(error) ?? 'unknown error'}).`
}

/** `movedTo` is the new id of a group that became a supergroup. */
export type TelegramOutcome = Outcome & { readonly movedTo?: string }

/** Sends the parts of one message in order. If a part fails, the next attempt sends all of them again. */
export async function sendTelegram(
  { telegram }: Pick<SendDeps, 'telegram'>,
  chatId: string,
  parts: readonly string[],
  {
    pause = () => Promise.resolve(),
    button,
  }: { readonly pause?: () => Promise<void>; readonly button?: BotButton | undefined } = {},
): Promise<TelegramOutcome> {
  if (telegram === undefined) return { ok: false, reason: 'Telegram is not set up on this service.' }
  let sent = 0
  try {
    for (const part of parts) {
      if (sent > 0) await pause()
      await telegram.sendMessage(chatId, part, sent === parts.length - 1 ? button : undefined)
      sent += 1
    }
    return { ok: true }
  } catch (error) {
    const isUncertain = sent > 0 || (error instanceof TelegramError && error.status === undefined)
    return { ...telegramFailure(error), ...(isUncertain && { isUncertain }) }
  }
}

/** Telegram reports that the bot was blocked or removed, or that the chat is gone, only in its description. */
const GONE = /bot was blocked|bot was kicked|user is deactivated|chat not found|not a member|group chat was deleted/i

function telegramFailure(error: unknown): Failure & { readonly movedTo?: string } {
  const reason = reasonOf(error)
  if (!(error instanceof TelegramError)) return { ok: false, reason }
  if (error.movedTo !== undefined) return { ok: false, reason, movedTo: error.movedTo, retryAfterMs: 0 }
  if (error.retryAfterSeconds !== undefined)
    return { ok: false, reason, retryAfterMs: Math.ceil(error.retryAfterSeconds * 1_000) }
  const isGone = (error.status === 403 || error.status === 400) && GONE.test(reason)
  return { ok: false, reason, ...(isGone && { isGone: true as const }) }
}

const TEST_TEXT = 'This is a test message from Gatewatch. Alerts for your subscriptions will arrive here.'

/** Sends the test message that an account requests for one of its channels. */
export async function sendTestMessage(
  deps: SendDeps,
  { kind, target, token }: Pick<Channel, 'kind' | 'target' | 'token'>,
  { secrets, publicUrl }: { readonly secrets: readonly string[]; readonly publicUrl: string },
): Promise<Outcome> {
  if (kind === 'telegram') return await sendTelegram(deps, target, [HTML.plain(TEST_TEXT)])
  if (kind === 'webhook') {
    const timestamp = new Date(deps.clock.now()).toISOString()
    const body = JSON.stringify({ type: 'test', timestamp, data: { message: TEST_TEXT } })
    return await postWebhook(deps, target, { id: `test_${randomUUID()}`, body, secrets })
  }
  if (isVendorKind(kind)) {
    const notice = testNotice(TEST_TEXT, { id: `test-${randomUUID()}`, publicUrl, now: deps.clock.now() })
    return await postNotice(deps, kind, target, notice, { secrets })
  }
  const unsubscribe = `${publicUrl}/alerts/unsubscribe?token=${token}`
  return await sendMail(deps, {
    to: target,
    subject: 'Test message from Gatewatch',
    text: `${TEST_TEXT}\n\nUnsubscribe: ${unsubscribe}\n`,
    headers: { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  })
}
