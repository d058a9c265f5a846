import { type FormEvent, useState } from 'react'
import type { Severity } from '../../../../vocabulary/severities.ts'
import { type ChannelKind, type Schedule, useSetSchedule } from '../../api/use-alerts.ts'
import { Button } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { CHANNEL_TEXTS } from './alert-options.ts'
import styles from './layout.module.css'

const DIGESTS = [
  { value: '', text: 'Send at once' },
  { value: '15', text: 'Every 15 minutes' },
  { value: '60', text: 'Every hour' },
  { value: '240', text: 'Every 4 hours' },
  { value: '1440', text: 'Every day' },
]

/** The severities that wait. */
const UP_TO = [
  { value: 'info', text: 'Info' },
  { value: 'high', text: 'Info and high' },
  { value: 'critical', text: 'All events' },
]

const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** When messages of a channel wait: digests and quiet hours. */
export function ChannelSchedule({
  kind,
  schedule,
}: {
  readonly kind: ChannelKind
  readonly schedule: Schedule | null
}) {
  const { digest = null, quietHours = null } = schedule ?? {}
  const [minutes, setMinutes] = useState(digest === null ? '' : String(digest.minutes))
  const [digestSeverity, setDigestSeverity] = useState<Severity>(digest?.maxSeverity ?? 'info')
  const [from, setFrom] = useState(quietHours?.from ?? '')
  const [to, setTo] = useState(quietHours?.to ?? '')
  const [timeZone, setTimeZone] = useState(quietHours?.timeZone ?? ownTimeZone())
  const [quietSeverity, setQuietSeverity] = useState<Severity>(quietHours?.maxSeverity ?? 'high')
  const set = useSetSchedule(kind)
  const choices = DIGESTS.some(({ value }) => value === minutes)
    ? DIGESTS
    : [...DIGESTS, { value: minutes, text: `Every ${minutes} minutes` }]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    set.mutate({
      digest: minutes === '' ? null : { minutes: Number(minutes), maxSeverity: digestSeverity },
      quietHours: from === '' || to === '' ? null : { from, to, timeZone, maxSeverity: quietSeverity },
    })
  }
  return (
    <details>
      <summary>Digest and quiet hours</summary>
      <form className={styles.schedule} onSubmit={submit} aria-label={`Schedule of ${CHANNEL_TEXTS[kind]}`} noValidate>
        <SelectField label="Digest" value={minutes} choices={choices} onChoose={setMinutes} />
        {minutes !== '' && (
          <SelectField
            label="Events in the digest"
            value={digestSeverity}
            choices={UP_TO}
            onChoose={(severity) => setDigestSeverity(severity as Severity)}
          />
        )}
        <TextField label="Quiet from" type="time" value={from} onChange={(event) => setFrom(event.target.value)} />
        <TextField label="Quiet to" type="time" value={to} onChange={(event) => setTo(event.target.value)} />
        {from !== '' && to !== '' && (
          <>
            <TextField label="Time zone" value={timeZone} onChange={(event) => setTimeZone(event.target.value)} />
            <SelectField
              label="Events that wait"
              value={quietSeverity}
              choices={UP_TO}
              onChoose={(severity) => setQuietSeverity(severity as Severity)}
            />
          </>
        )}
        <Button type="submit" disabled={set.isPending}>
          Save schedule
        </Button>
      </form>
      <p className={styles.faint}>Events that wait are sent together. More severe events are sent at once.</p>
      <FormError error={set.error} />
    </details>
  )
}
