/** The kinds of channels to which messages are delivered. An account has one channel of each kind. */
export const CHANNEL_KINDS = [
  'telegram',
  'email',
  'webhook',
  'slack',
  'discord',
  'teams',
  'pagerduty',
  'opsgenie',
  'custom',
] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]
