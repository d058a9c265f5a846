import { useState } from 'react'
import type { Tone } from '../../../../vocabulary/labels.ts'
import { type Attempt, useAttempts, usePayload } from '../../api/use-alerts.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { plural, wholeNumber } from '../../text/amounts.ts'
import styles from './delivery-attempts.module.css'

const RESULTS: Readonly<Record<Attempt['status'], readonly [Tone, string]>> = {
  sent: ['green', 'Sent'],
  failed: ['red', 'Failed'],
  unknown: ['amber', 'No response known'],
}

/** The attempts and the content of a delivery. */
export function DeliveryDetails({ id, attempts }: { readonly id: number; readonly attempts: number }) {
  return (
    <div className={styles.details}>
      <DeliveryAttempts id={id} count={attempts} />
      <DeliveryPayload id={id} />
    </div>
  )
}

/** The attempts of a delivery, which are loaded when the visitor opens them. */
function DeliveryAttempts({ id, count }: { readonly id: number; readonly count: number }) {
  const [isOpen, setOpen] = useState(false)
  if (count === 0) return null
  return (
    <details className={styles.attempts} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{plural(count, 'attempt')}</summary>
      {isOpen && <AttemptTable id={id} count={count} />}
    </details>
  )
}

/** The content of a delivery, which is loaded when the visitor opens it. */
function DeliveryPayload({ id }: { readonly id: number }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.attempts} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Content</summary>
      {isOpen && <Payload id={id} />}
    </details>
  )
}

function Payload({ id }: { readonly id: number }) {
  const content = usePayload(id)
  return (
    <QueryView query={content} loading={<SkeletonRows count={3} />}>
      {({ id: webhookId, payload }) => (
        <CodeBlock title={`webhook-id: ${webhookId}`} text={JSON.stringify(payload, undefined, 2)} />
      )}
    </QueryView>
  )
}

function AttemptTable({ id, count }: { readonly id: number; readonly count: number }) {
  const attempts = useAttempts(id, count)
  return (
    <QueryView query={attempts} loading={<SkeletonRows count={1} />}>
      {({ items }) =>
        items.length === 0 ? (
          <p>These attempts are no longer stored.</p>
        ) : (
          <DataTable
            caption="Attempts, newest first"
            isStacked
            rows={items}
            keyOf={({ number }) => number}
            columns={[
              { title: 'Attempt', cell: ({ number }) => number, isNumber: true },
              { title: 'Time', cell: ({ startedAt }) => <RelativeTime at={startedAt} /> },
              { title: 'Result', cell: ({ status }) => <Result status={status} /> },
              {
                title: 'Duration',
                cell: ({ durationMs }) => (durationMs === null ? '–' : `${wholeNumber(durationMs)} ms`),
                isNumber: true,
              },
              { title: 'Status code', cell: ({ responseStatus }) => responseStatus ?? '–', isNumber: true },
              { title: 'Response', cell: ({ error, status }) => error ?? (status === 'sent' ? 'Accepted' : '–') },
            ]}
          />
        )
      }
    </QueryView>
  )
}

function Result({ status }: Pick<Attempt, 'status'>) {
  const [tone, text] = RESULTS[status]
  return <TonePill tone={tone}>{text}</TonePill>
}
