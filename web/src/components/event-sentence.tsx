import type { ControlEvent } from '../api/service.ts'
import { sentenceOf } from '../text/event-sentence.ts'
import styles from './event-sentence.module.css'
import { Hash } from './hash.tsx'

/** What happened, with the accounts in it as links. */
export function EventSentence({ event }: { readonly event: ControlEvent }) {
  return (
    <span className={styles.sentence}>
      {sentenceOf(event).map((part, index) =>
        part.kind === 'account' ? (
          <Hash
            key={index}
            text={part.address}
            what="address"
            href={`/contracts/${event.chainSlug}/${part.address}`}
            copy={false}
          />
        ) : (
          <span key={index} className={part.kind === 'value' ? styles.value : undefined}>
            {part.text}
          </span>
        ),
      )}
    </span>
  )
}
