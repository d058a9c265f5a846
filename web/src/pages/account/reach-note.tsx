import { Link } from 'wouter'
import { useChannels } from '../../api/use-alerts.ts'
import { Notice } from '../../components/notice.tsx'
import { waysOpen } from './reach.ts'

/** Says so where alerts would reach nobody. */
export function ReachNote() {
  const channels = useChannels().data
  if (channels === undefined || waysOpen(channels).size > 0) return null
  return (
    <Notice>
      No alert can reach you yet: <Link href="/account/channels">set up a channel</Link>.
    </Notice>
  )
}
