import type { ChannelKind, Channels } from '../../api/use-alerts.ts'

/** The ways a message would really take. */
export function waysOpen({ telegram, email, webhook }: Channels): ReadonlySet<ChannelKind> {
  const isOpen: Readonly<Record<ChannelKind, boolean>> = {
    telegram: telegram.available && telegram.chat !== null && telegram.disabled === null,
    email: email.available && email.address !== null && email.disabled === null,
    webhook: webhook.url !== null && webhook.disabled === null,
  }
  return new Set((['telegram', 'email', 'webhook'] as const).filter((kind) => isOpen[kind]))
}
