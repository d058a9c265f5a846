import type { ReactNode } from 'react'
import { type ChannelKind, useRemoveChannel, useTestChannel } from '../../api/use-alerts.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { FormFault } from '../../components/form-fault.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import styles from './stack.module.css'
import { CHANNEL_TEXTS } from './wishes.ts'

type ChannelCardProps = {
  readonly kind: ChannelKind
  readonly isSet: boolean
  /** Whether this service has what it takes. */
  readonly isAvailable?: boolean
  readonly disabled: { readonly at: string; readonly reason: string } | null
  readonly children: ReactNode
}

/** One way of being reached: its state, its test message, and the end of it. */
export function ChannelCard({ kind, isSet, isAvailable = true, disabled, children }: ChannelCardProps) {
  const test = useTestChannel(kind)
  const remove = useRemoveChannel(kind)
  const name = CHANNEL_TEXTS[kind]
  const state = !isAvailable ? 'Not available' : disabled !== null ? 'Switched off' : isSet ? 'On' : 'Not set up'
  const tone = !isAvailable ? 'grey' : disabled !== null ? 'red' : isSet ? 'green' : 'grey'
  return (
    <Card title={name} aside={<TonePill tone={tone}>{state}</TonePill>}>
      <div className={styles.stack}>
        {disabled !== null && (
          <p className={styles.faint}>
            Switched off <RelativeTime at={disabled.at} />: {disabled.reason}. Set it again to switch it on.
          </p>
        )}
        {children}
        {isSet && (
          <>
            <div className={styles.actions}>
              <Button disabled={test.isPending || !isAvailable} onClick={() => test.mutate(undefined)}>
                {test.isPending ? 'Sending …' : 'Send a test message'}
              </Button>
              <ConfirmButton
                text="Remove"
                label={`Remove ${name}`}
                sure="What waits for it is cancelled"
                isPending={remove.isPending}
                onConfirm={() => remove.mutate(undefined)}
              />
            </div>
            {test.data !== undefined && (
              <p role="status">
                <TonePill tone={test.data.delivered ? 'green' : 'red'}>
                  {test.data.delivered ? 'The test message was taken' : `Not delivered: ${test.data.error ?? ''}`}
                </TonePill>
              </p>
            )}
            <FormFault error={test.error ?? remove.error} />
          </>
        )}
      </div>
    </Card>
  )
}
