import { useState } from 'react'
import { type Channels, useChannels, useLinkTelegram } from '../../api/use-alerts.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { FormError } from '../../components/form-error.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { ChannelCard } from './channel-card.tsx'
import styles from './layout.module.css'

export function TelegramChannel({ telegram }: { readonly telegram: Channels['telegram'] }) {
  const link = useLinkTelegram()
  const { chat, available } = telegram
  /** The chat that was linked when the visitor requested a link. A different chat means that the link was used. */
  const [linkedBefore, setLinkedBefore] = useState<string | undefined>(undefined)
  const offer = chat?.id === linkedBefore ? link.data : undefined
  useChannels(offer !== undefined)
  return (
    <ChannelCard
      kind="telegram"
      isSet={chat !== null}
      isAvailable={available}
      disabled={telegram.disabled}
      schedule={telegram.schedule}
    >
      {!available && <p className={styles.faint}>This service does not send Telegram messages. Use another channel.</p>}
      {chat !== null && <p>Linked to {chat.title ?? `chat ${chat.id}`}.</p>}
      {available && (
        <div className={styles.actions}>
          <Button
            kind={chat === null ? 'primary' : 'plain'}
            disabled={link.isPending}
            onClick={() => {
              setLinkedBefore(chat?.id)
              link.mutate(undefined)
            }}
          >
            {chat === null ? 'Link a chat' : 'Link another chat'}
          </Button>
        </div>
      )}
      <FormError error={link.error} />
      {offer !== undefined && (
        <>
          <div className={styles.actions}>
            {offer.url !== null && (
              <a className={buttonClass()} href={offer.url} target="_blank" rel="noreferrer">
                Open private chat
              </a>
            )}
            {offer.groupUrl !== null && (
              <a className={buttonClass()} href={offer.groupUrl} target="_blank" rel="noreferrer">
                Add to a group
              </a>
            )}
          </div>
          <CodeBlock title="Or send this to the bot" text={offer.command} />
          <p className={styles.faint}>
            Works once. Expires <RelativeTime at={offer.expiresAt} />.
          </p>
        </>
      )}
    </ChannelCard>
  )
}
