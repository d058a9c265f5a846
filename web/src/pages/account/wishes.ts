import type { Choice } from '../../components/field.tsx'

export const SEVERITY_CHOICES: readonly Choice[] = [
  { value: 'info', text: 'Everything' },
  { value: 'high', text: 'High and critical' },
  { value: 'critical', text: 'Critical only' },
]

export const CHANNEL_TEXTS = { telegram: 'Telegram', email: 'E-mail', webhook: 'Webhook' } as const
