import { Link } from 'wouter'
import { useChannels } from '../../api/use-alerts.ts'
import { StaleNote } from '../../components/state-message.tsx'

/** Says so where alerts would reach nobody. */
export function ReachNote() {
  const channels = useChannels().data
  if (channels === undefined) return null
  const { telegram, email, webhook } = channels
  const isReached =
    (telegram.chat !== null && telegram.disabled === null) ||
    (email.address !== null && email.disabled === null && email.available) ||
    (webhook.url !== null && webhook.disabled === null)
  if (isReached) return null
  return (
    <StaleNote>
      No alert can reach you yet: <Link href="/account/channels">set up a channel</Link>.
    </StaleNote>
  )
}
