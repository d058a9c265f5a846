import { Link } from 'wouter'
import { useChannels } from '../../api/use-alerts.ts'
import { Notice } from '../../components/notice.tsx'
import { activeChannels } from './alert-options.ts'

/** Shown while no channel can deliver alerts. */
export function NoChannelNotice() {
  const channels = useChannels().data
  if (channels === undefined || activeChannels(channels).size > 0) return null
  return (
    <Notice>
      Alerts cannot be delivered yet. <Link href="/account/channels">Set up a channel</Link>.
    </Notice>
  )
}
