/** What a channel gets when its owner presses the test button. */
import { randomUUID } from 'node:crypto'
import type { Channel } from './channels.ts'
import { HTML } from './mail-message.ts'
import { type Outcome, type SendDeps, sendMail, sendTelegram, sendWebhook } from './send.ts'

const TEXT = 'This is a test message of Gatewatch: alerts reach you here.'

export async function sendTest(
  deps: SendDeps,
  { kind, target, token }: Pick<Channel, 'kind' | 'target' | 'token'>,
  { secrets, publicUrl }: { readonly secrets: readonly string[]; readonly publicUrl: string },
): Promise<Outcome> {
  if (kind === 'telegram') return await sendTelegram(deps, target, [HTML.plain(TEXT)])
  if (kind === 'webhook') {
    const timestamp = new Date(deps.clock.now()).toISOString()
    const body = JSON.stringify({ type: 'test', timestamp, data: { message: TEXT } })
    return await sendWebhook(deps, target, { id: `test_${randomUUID()}`, body, secrets })
  }
  const unsubscribe = `${publicUrl}/alerts/unsubscribe?token=${token}`
  return await sendMail(deps, {
    to: target,
    subject: 'Test message of Gatewatch',
    text: `${TEXT}\n\nUnsubscribe: ${unsubscribe}\n`,
    headers: { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  })
}
