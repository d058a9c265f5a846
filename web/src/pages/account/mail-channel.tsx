import { type FormEvent, useState } from 'react'
import { type Channels, useChannels, useSetMail } from '../../api/use-alerts.ts'
import { useSession } from '../../api/use-session.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Notice } from '../../components/notice.tsx'
import { ChannelCard } from './channel-card.tsx'
import styles from './layout.module.css'

export function MailChannel({ email }: { readonly email: Channels['email'] }) {
  const own = useSession().data?.email ?? ''
  const [address, setAddress] = useState(email.address ?? own)
  const set = useSetMail()
  useChannels(email.pendingAddress !== null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    set.mutate(address.trim())
  }
  return (
    <ChannelCard
      kind="email"
      isSet={email.address !== null}
      isAvailable={email.available}
      disabled={email.disabled}
      schedule={email.schedule}
    >
      {!email.available && <p className={styles.faint}>This service does not send e-mail. Use another channel.</p>}
      {email.pendingAddress !== null && (
        <Notice>Open the link in the e-mail to {email.pendingAddress} to confirm the address.</Notice>
      )}
      {email.available && (
        <form className={styles.inline} onSubmit={submit}>
          <TextField
            label="Address"
            type="email"
            required
            value={address}
            onChange={(event) => setAddress(event.target.value)}
          />
          <Button type="submit" kind={email.address === null ? 'primary' : 'plain'} disabled={set.isPending}>
            {email.address === null ? 'Use this address' : 'Change address'}
          </Button>
        </form>
      )}
      <FormError error={set.error} />
    </ChannelCard>
  )
}
