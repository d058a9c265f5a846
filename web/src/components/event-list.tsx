import { useRef } from 'react'
import { Link } from 'wouter'
import { CATEGORY_TEXTS } from '../../../vocabulary/categories.ts'
import { SEVERITY_TEXTS, SEVERITY_TONES } from '../../../vocabulary/severities.ts'
import type { ControlEvent } from '../api/service.ts'
import { byTransaction } from '../text/by-transaction.ts'
import { Account } from './account.tsx'
import { ChainName } from './chain-name.tsx'
import styles from './event-list.module.css'
import { EventSentence } from './event-sentence.tsx'
import { Hash } from './hash.tsx'
import { Icon } from './icon.tsx'
import row from './list-row.module.css'
import { RelativeTime } from './relative-time.tsx'
import { TonePill } from './tone-pill.tsx'
import { useSlidingRows } from './use-sliding-rows.ts'

type EventListProps = {
  readonly events: readonly ControlEvent[]
  /** The ids of events that arrived while the page was open. */
  readonly newIds?: ReadonlySet<number>
  /** False on the page of a contract, which names the contract itself. */
  readonly withContract?: boolean
  /** False on the page of a transaction, which has a row for each event. */
  readonly isGrouped?: boolean
}

const NO_IDS: ReadonlySet<number> = new Set()

/** One row for each transaction, which leads to its page. */
export function EventList({ events, newIds = NO_IDS, withContract = true, isGrouped = true }: EventListProps) {
  const rows = isGrouped ? byTransaction(events) : events.map((main) => ({ key: main.id, main, others: [] }))
  const list = useRef<HTMLOListElement>(null)
  useSlidingRows(list)
  return (
    <ol ref={list} className={isGrouped ? styles.transactions : undefined}>
      {rows.map(({ key, main, others }) => (
        <EventRow key={key} event={main} others={others} isNew={newIds.has(main.id)} withContract={withContract} />
      ))}
    </ol>
  )
}

type EventRowProps = {
  readonly event: ControlEvent
  /** The other events of the transaction. */
  readonly others: readonly ControlEvent[]
  readonly isNew: boolean
  readonly withContract: boolean
}

/** The main event of a transaction, and its other events below it. */
function EventRow({ event, others, isNew, withContract }: EventRowProps) {
  const { severity, category, chainSlug, address, contract } = event
  return (
    <li className={`${row.row} ${styles.event} ${isNew ? styles.fresh : ''}`} data-event={event.id}>
      <span className={`${row.icon} ${row[severity]}`} title={CATEGORY_TEXTS[category]}>
        <Icon name={category} />
        <span className="visually-hidden">{CATEGORY_TEXTS[category]}: </span>
      </span>
      <div>
        <div className={row.what}>
          <EventSentence event={event} />
        </div>
        <div className={row.where}>
          {withContract && (
            <Link href={`/contracts/${chainSlug}/${address}`} className={row.name}>
              {contract.name ?? 'Contract'}
            </Link>
          )}
          {withContract && contract.name === null && <Hash text={address} what="address" copy={false} />}
          {withContract && contract.protocol !== null && <span>{contract.protocol}</span>}
          <span>
            <ChainName slug={chainSlug} />
          </span>
          <span className={styles.key}>{event.eventKey}</span>
          {event.isInit && <span>Setup</span>}
        </div>
        {others.length > 0 && (
          <ul className={styles.others} aria-label="In the same transaction">
            {others.map((other) => (
              <OtherEvent key={other.id} event={other} isOtherContract={other.address !== address} />
            ))}
          </ul>
        )}
      </div>
      <div className={row.side}>
        <TonePill tone={SEVERITY_TONES[severity]}>{SEVERITY_TEXTS[severity]}</TonePill>
        <Link href={`/transactions/${chainSlug}/${event.txHash}`} className={styles.transaction}>
          <RelativeTime at={event.blockTime} />
        </Link>
      </div>
    </li>
  )
}

function OtherEvent({ event, isOtherContract }: { readonly event: ControlEvent; readonly isOtherContract: boolean }) {
  return (
    <li data-event={event.id} title={event.eventKey}>
      <span className={`${styles.dot} ${styles[event.severity]}`} aria-hidden="true" />
      {event.severity !== 'info' && <span className="visually-hidden">{SEVERITY_TEXTS[event.severity]}: </span>}
      {isOtherContract && (
        <>
          <Account chain={event.chainSlug} text={event.address} copy={false} />:{' '}
        </>
      )}
      <EventSentence event={event} />
    </li>
  )
}
