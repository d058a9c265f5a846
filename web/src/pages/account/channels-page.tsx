/** The channels that deliver alerts. */

import { useChannels } from '../../api/use-alerts.ts'
import { Stack } from '../../components/columns.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { AccountFrame } from './account-frame.tsx'
import { VENDOR_KINDS } from './alert-options.ts'
import { MailChannel } from './mail-channel.tsx'
import { TelegramChannel } from './telegram-channel.tsx'
import { VendorChannel } from './vendor-channel.tsx'
import { WebhookChannel } from './webhook-channel.tsx'

export const ChannelsPage = () => <AccountFrame>{() => <ChannelList />}</AccountFrame>

function ChannelList() {
  const channels = useChannels()
  return (
    <>
      <PageHeader title="Channels" lead="Where your alerts are sent. Send a test message to check a channel." />
      <QueryView query={channels}>
        {({ email, telegram, webhook, ...vendors }) => (
          <Stack>
            <WebhookChannel webhook={webhook} />
            <MailChannel key={email.address} email={email} />
            <TelegramChannel telegram={telegram} />
            {VENDOR_KINDS.map((kind) => (
              <VendorChannel
                key={kind}
                kind={kind}
                channel={vendors[kind]}
                custom={vendors.custom}
                slack={vendors.slack}
              />
            ))}
          </Stack>
        )}
      </QueryView>
    </>
  )
}
