import type { ReactNode } from 'react'
import { type ChannelKind, type Schedule, useRemoveChannel, useTestChannel } from '../../api/use-alerts.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Stack } from '../../components/columns.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { CHANNEL_TEXTS } from './alert-options.ts'
import { ChannelSchedule } from './channel-schedule.tsx'
import styles from './layout.module.css'

type ChannelCardProps = {
  readonly kind: ChannelKind
  readonly isSet: boolean
  /** Whether the service is configured for this channel. */
  readonly isAvailable?: boolean
  readonly disabled: { readonly at: string; readonly reason: string } | null
  readonly schedule: Schedule | null
  readonly children: ReactNode
}

/** One channel with its state, a test message and its removal. */
export function ChannelCard({ kind, isSet, isAvailable = true, disabled, schedule, children }: ChannelCardProps) {
  const test = useTestChannel(kind)
  const remove = useRemoveChannel(kind)
  const name = CHANNEL_TEXTS[kind]
  const state = !isAvailable ? 'Not available' : disabled !== null ? 'Disabled' : isSet ? 'Active' : 'Not set up'
  const tone = !isAvailable ? 'grey' : disabled !== null ? 'red' : isSet ? 'green' : 'grey'
  return (
    <Card title={name} aside={<TonePill tone={tone}>{state}</TonePill>}>
      <Stack>
        {disabled !== null && (
          <p className={styles.faint}>
            Disabled <RelativeTime at={disabled.at} />: {disabled.reason}. Set it up again to enable it.
          </p>
        )}
        {children}
        {isSet && (
          <>
            <div className={styles.actions}>
              <Button disabled={test.isPending || !isAvailable} onClick={() => test.mutate(undefined)}>
                {test.isPending ? 'Sending…' : 'Send test message'}
              </Button>
              <ConfirmButton
                text="Remove"
                label={`Remove ${name}`}
                consequence="Pending messages are canceled"
                isPending={remove.isPending}
                onConfirm={() => remove.mutate(undefined)}
              />
            </div>
            {test.data !== undefined && (
              <p role="status">
                <TonePill tone={test.data.delivered ? 'green' : 'red'}>
                  {test.data.delivered ? 'Test message delivered' : `Not delivered: ${test.data.error ?? ''}`}
                </TonePill>
              </p>
            )}
            <FormError error={test.error ?? remove.error} />
            <ChannelSchedule key={JSON.stringify(schedule)} kind={kind} schedule={schedule} />
          </>
        )}
      </Stack>
    </Card>
  )
}
