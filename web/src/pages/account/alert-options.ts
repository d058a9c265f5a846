/** Texts and choices of alerts and their channels. */
import type { ChannelKind, Channels, Subscription, VendorKind } from '../../api/use-alerts.ts'
import type { Choice } from '../../components/field.tsx'

export const SEVERITY_CHOICES: readonly Choice[] = [
  { value: 'info', text: 'All events' },
  { value: 'high', text: 'High and critical' },
  { value: 'critical', text: 'Critical only' },
]

/** The choice for a subscription without `alertAt`. */
export const DEFAULT_TIME = 'default'

export const TIME_CHOICES: readonly Choice[] = [
  { value: DEFAULT_TIME, text: 'Critical at once' },
  { value: 'head', text: 'All at once' },
  { value: 'confirmed', text: 'When confirmed' },
]

export const alertAtOf = (choice: string): Subscription['alertAt'] =>
  choice === 'head' || choice === 'confirmed' ? choice : null

const EVENT_KEY = /^[a-z0-9]{1,32}\.[a-z0-9_]{1,64}$/

/** The event keys of a text, and the first word that is none. */
export function eventKeysOf(text: string): { readonly keys: string[]; readonly wrong: string | undefined } {
  const words = [...new Set(text.split(/[\s,;]+/).filter((word) => word !== ''))]
  return { keys: words, wrong: words.find((word) => !EVENT_KEY.test(word)) }
}

export const VENDOR_KINDS = [
  'slack',
  'discord',
  'teams',
  'pagerduty',
  'opsgenie',
  'custom',
] as const satisfies readonly VendorKind[]
export const CHANNEL_KINDS = ['telegram', 'email', 'webhook', ...VENDOR_KINDS] as const satisfies readonly ChannelKind[]
export const CHANNEL_TEXTS: Readonly<Record<ChannelKind, string>> = {
  telegram: 'Telegram',
  email: 'E-mail',
  webhook: 'Webhook',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Microsoft Teams',
  pagerduty: 'PagerDuty',
  opsgenie: 'Opsgenie',
  custom: 'Webhook with a template',
}

/** The channels that can deliver messages. */
export function activeChannels({ telegram, email, webhook, ...vendors }: Channels): ReadonlySet<ChannelKind> {
  const isActive = {
    telegram: telegram.available && telegram.chat !== null && telegram.disabled === null,
    email: email.available && email.address !== null && email.disabled === null,
    webhook: webhook.url !== null && webhook.disabled === null,
  }
  const active = VENDOR_KINDS.filter((kind) => vendors[kind].target !== null && vendors[kind].disabled === null)
  return new Set([...(['telegram', 'email', 'webhook'] as const).filter((kind) => isActive[kind]), ...active])
}

/** The channels that a subscription offers: those that are set up, and the basic ones that this service has. */
export function offeredChannels(channels: Channels): readonly ChannelKind[] {
  const active = activeChannels(channels)
  const isBasic = (kind: ChannelKind) =>
    kind === 'webhook' || ((kind === 'telegram' || kind === 'email') && channels[kind].available)
  return CHANNEL_KINDS.filter((kind) => isBasic(kind) || active.has(kind))
}

/** A new subscription uses every channel. */
export const ALL_CHANNELS = Object.fromEntries(CHANNEL_KINDS.map((kind) => [kind, true])) as Readonly<
  Record<ChannelKind, boolean>
>
