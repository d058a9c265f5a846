import { Link } from 'wouter'
import { CATEGORY_TEXTS } from '../../../vocabulary/categories.ts'
import { SEVERITY_TEXTS, SEVERITY_TONES } from '../../../vocabulary/severities.ts'
import type { ControlEvent } from '../api/service.ts'
import { Account } from './account.tsx'
import { ChainName } from './chain-name.tsx'
import styles from './event-row.module.css'
import { EventSentence } from './event-sentence.tsx'
import { Hash } from './hash.tsx'
import { Icon } from './icon.tsx'
import { RelativeTime } from './relative-time.tsx'
import { TonePill } from './tone-pill.tsx'

type EventRowProps = {
  readonly event: ControlEvent
  /** What else its transaction did. */
  readonly others: readonly ControlEvent[]
  readonly fresh: boolean
  readonly withContract: boolean
}

/** An event of a feed: how grave, what, where, when; and what came with it, on a line each. */
export function EventRow({ event, others, fresh, withContract }: EventRowProps) {
  const { severity, category, chainSlug, address, contract } = event
  return (
    <li className={`${styles.row} ${fresh ? styles.fresh : ''}`} data-event={event.id}>
      <span className={`${styles.icon} ${styles[severity]}`} title={CATEGORY_TEXTS[category]}>
        <Icon name={category} />
        <span className="visually-hidden">{CATEGORY_TEXTS[category]}: </span>
      </span>
      <div>
        <div className={styles.what}>
          <EventSentence event={event} />
        </div>
        <div className={styles.where}>
          {withContract && (
            <Link href={`/contracts/${chainSlug}/${address}`} className={styles.name}>
              {contract.name ?? 'Contract'}
            </Link>
          )}
          {withContract && contract.name === null && <Hash text={address} what="address" copy={false} />}
          {withContract && contract.protocol !== null && <span>{contract.protocol}</span>}
          <span>
            <ChainName slug={chainSlug} />
          </span>
          <span className={styles.key}>{event.eventKey}</span>
          {event.isInit && <span>setup</span>}
        </div>
        {others.length > 0 && (
          <ul className={styles.others} aria-label="In the same transaction">
            {others.map((other) => (
              <Other key={other.id} event={other} isElsewhere={other.address !== address} />
            ))}
          </ul>
        )}
      </div>
      <div className={styles.side}>
        <TonePill tone={SEVERITY_TONES[severity]}>{SEVERITY_TEXTS[severity]}</TonePill>
        <RelativeTime at={event.blockTime} />
      </div>
    </li>
  )
}

function Other({ event, isElsewhere }: { readonly event: ControlEvent; readonly isElsewhere: boolean }) {
  return (
    <li data-event={event.id} title={event.eventKey}>
      <span className={`${styles.dot} ${styles[event.severity]}`} aria-hidden="true" />
      {event.severity !== 'info' && <span className="visually-hidden">{SEVERITY_TEXTS[event.severity]}: </span>}
      {isElsewhere && (
        <>
          <Account chain={event.chainSlug} text={event.address} copy={false} />:{' '}
        </>
      )}
      <EventSentence event={event} />
    </li>
  )
}
