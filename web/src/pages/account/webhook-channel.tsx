import { type FormEvent, useState } from 'react'
import { type Channels, useRotateSecret, useSetWebhook } from '../../api/use-alerts.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { TextField } from '../../components/field.tsx'
import { FormFault } from '../../components/form-fault.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { ChannelCard } from './channel-card.tsx'
import styles from './stack.module.css'

export function WebhookChannel({ webhook }: { readonly webhook: Channels['webhook'] }) {
  const [url, setUrl] = useState(webhook.url ?? '')
  const [isSecretShown, setSecretShown] = useState(false)
  const set = useSetWebhook()
  const rotate = useRotateSecret()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    set.mutate(url.trim())
  }
  return (
    <ChannelCard kind="webhook" isSet={webhook.url !== null} disabled={webhook.disabled}>
      <form className={styles.inline} onSubmit={submit} noValidate>
        <TextField
          label="URL"
          type="url"
          value={url}
          placeholder="https://example.org/gatewatch"
          spellCheck={false}
          onChange={(event) => setUrl(event.target.value)}
        />
        <Button type="submit" kind={webhook.url === null ? 'primary' : 'plain'} disabled={set.isPending || url === ''}>
          {webhook.url === null ? 'Set the URL' : 'Change the URL'}
        </Button>
      </form>
      <FormFault error={set.error ?? rotate.error} />
      <p className={styles.faint}>Every message is signed after Standard Webhooks; check it with your secret.</p>
      {isSecretShown && <CodeBlock title="Signing secret" text={webhook.secret} />}
      <div className={styles.actions}>
        {!isSecretShown && <Button onClick={() => setSecretShown(true)}>Show the signing secret</Button>}
        <ConfirmButton
          text="Make a new secret"
          label="Make a new secret for signatures"
          sure="The old one signs too for a day"
          isPending={rotate.isPending}
          onConfirm={() => rotate.mutate(undefined)}
        />
      </div>
      {webhook.previousSecretValidUntil !== null && (
        <p className={styles.faint}>
          The secret before signs too, ending <RelativeTime at={webhook.previousSecretValidUntil} />.
        </p>
      )}
    </ChannelCard>
  )
}
