import { type FormEvent, useState } from 'react'
import { type Channels, useRotateSecret, useSetWebhook } from '../../api/use-alerts.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { TextField } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { ChannelCard } from './channel-card.tsx'
import styles from './layout.module.css'

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
    <ChannelCard kind="webhook" isSet={webhook.url !== null} disabled={webhook.disabled} schedule={webhook.schedule}>
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
          {webhook.url === null ? 'Set URL' : 'Change URL'}
        </Button>
      </form>
      <FormError error={set.error ?? rotate.error} />
      <p className={styles.faint}>
        Every message is signed as described by Standard Webhooks. Verify it with your signing secret.
      </p>
      {isSecretShown && <CodeBlock title="Signing secret" text={webhook.secret} />}
      <div className={styles.actions}>
        {!isSecretShown && <Button onClick={() => setSecretShown(true)}>Show signing secret</Button>}
        <ConfirmButton
          text="Rotate signing secret"
          label="Rotate signing secret"
          consequence="Messages are signed with both secrets for one day"
          isPending={rotate.isPending}
          onConfirm={() => rotate.mutate(undefined)}
        />
      </div>
      {webhook.previousSecretValidUntil !== null && (
        <p className={styles.faint}>
          Messages are also signed with the previous secret, which expires{' '}
          <RelativeTime at={webhook.previousSecretValidUntil} />.
        </p>
      )}
    </ChannelCard>
  )
}
