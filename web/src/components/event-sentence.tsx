import { eventSentence } from '../../../vocabulary/event-sentence.ts'
import type { ControlEvent } from '../api/service.ts'
import { useTokens } from '../api/use-names.ts'
import { Account } from './account.tsx'
import styles from './event-sentence.module.css'

/** The sentence for an event, with links to its accounts. */
export function EventSentence({ event }: { readonly event: ControlEvent }) {
  const tokenOf = useTokens()
  return (
    <span className={styles.sentence}>
      {eventSentence(event, tokenOf(event.chainSlug, event.address)).map((part, index) =>
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
