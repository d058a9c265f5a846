/** Texts and choices of alerts and their channels. */
import type { ChannelKind, Channels } from '../../api/use-alerts.ts'
import type { Choice } from '../../components/field.tsx'

export const SEVERITY_CHOICES: readonly Choice[] = [
  { value: 'info', text: 'All events' },
  { value: 'high', text: 'High and critical' },
  { value: 'critical', text: 'Critical only' },
]

export const CHANNEL_KINDS = ['telegram', 'email', 'webhook'] as const satisfies readonly ChannelKind[]
export const CHANNEL_TEXTS: Readonly<Record<ChannelKind, string>> = {
  telegram: 'Telegram',
  email: 'E-mail',
  webhook: 'Webhook',
}

/** The channels that can deliver messages. */
export function activeChannels({ telegram, email, webhook }: Channels): ReadonlySet<ChannelKind> {
  const isActive: Readonly<Record<ChannelKind, boolean>> = {
    telegram: telegram.available && telegram.chat !== null && telegram.disabled === null,
    email: email.available && email.address !== null && email.disabled === null,
    webhook: webhook.url !== null && webhook.disabled === null,
  }
  return new Set(CHANNEL_KINDS.filter((kind) => isActive[kind]))
}
