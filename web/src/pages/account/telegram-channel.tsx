import { useState } from 'react'
import { type Channels, useChannels, useLinkTelegram } from '../../api/use-alerts.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { FormFault } from '../../components/form-fault.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { ChannelCard } from './channel-card.tsx'
import styles from './stack.module.css'

export function TelegramChannel({ telegram }: { readonly telegram: Channels['telegram'] }) {
  const link = useLinkTelegram()
  const { chat, available } = telegram
  /** The chat that was linked when a link was asked for: another one, and the link has done its work. */
  const [linkedBefore, setLinkedBefore] = useState<string | undefined>(undefined)
  const offer = chat?.id === linkedBefore ? link.data : undefined
  useChannels(offer !== undefined)
  return (
    <ChannelCard kind="telegram" isSet={chat !== null} isAvailable={available} disabled={telegram.disabled}>
      {!available && (
        <p className={styles.faint}>
          This service has no bot: whoever runs it has set no TELEGRAM_BOT_TOKEN. Use another channel.
        </p>
      )}
      {chat !== null && <p>Linked with {chat.title ?? `chat ${chat.id}`}.</p>}
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
      <FormFault error={link.error} />
      {offer !== undefined && (
        <>
          <div className={styles.actions}>
            {offer.url !== null && (
              <a className={buttonClass()} href={offer.url} target="_blank" rel="noreferrer">
                Open a private chat
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
            Works once, and ends <RelativeTime at={offer.expiresAt} />.
          </p>
        </>
      )}
    </ChannelCard>
  )
}
