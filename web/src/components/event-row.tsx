import { Link } from 'wouter'
import type { ControlEvent } from '../api/service.ts'
import { CATEGORY_TEXTS, SEVERITY_TEXTS, SEVERITY_TONES } from '../text/catalog.ts'
import styles from './event-row.module.css'
import { EventSentence } from './event-sentence.tsx'
import { Hash } from './hash.tsx'
import { Icon } from './icon.tsx'
import { RelativeTime } from './relative-time.tsx'
import { TonePill } from './tone-pill.tsx'

type EventRowProps = {
  readonly event: ControlEvent
  /** It has just arrived. */
  readonly fresh?: boolean
  /** On pages about one contract it need not be named again. */
  readonly withContract?: boolean
}

/** One event of a feed: how grave, what, where, when. */
export function EventRow({ event, fresh = false, withContract = true }: EventRowProps) {
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
          <span>{chainSlug}</span>
          <span className={styles.key}>{event.eventKey}</span>
          {event.isInit && <span>setup</span>}
        </div>
      </div>
      <div className={styles.side}>
        <TonePill tone={SEVERITY_TONES[severity]}>{SEVERITY_TEXTS[severity]}</TonePill>
        <RelativeTime at={event.blockTime} />
      </div>
    </li>
  )
}
