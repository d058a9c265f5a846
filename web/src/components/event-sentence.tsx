import { eventSentence } from '../../../vocabulary/event-sentence.ts'
import type { ControlEvent } from '../api/service.ts'
import { Account } from './account.tsx'
import styles from './event-sentence.module.css'

/** The sentence for an event, with links to its accounts. */
export function EventSentence({ event }: { readonly event: ControlEvent }) {
  return (
    <span className={styles.sentence}>
      {eventSentence(event).map((part, index) =>
        part.kind === 'account' ? (
          <Account key={index} chain={event.chainSlug} text={part.address} copy={false} />
        ) : (
          <span key={index} className={part.kind === 'value' ? styles.value : undefined}>
            {part.text}
          </span>
        ),
      )}
    </span>
  )
}
