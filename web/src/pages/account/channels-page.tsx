/** The channels that deliver alerts. */

import { useChannels } from '../../api/use-alerts.ts'
import { Stack } from '../../components/columns.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { AccountFrame } from './account-frame.tsx'
import { activeChannels, VENDOR_KINDS } from './alert-options.ts'
import styles from './layout.module.css'
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
            {activeChannels({ email, telegram, webhook, ...vendors }).size === 0 && (
              <Notice>No channel is set up yet, so your alerts are sent nowhere. Set one up below.</Notice>
            )}
            <WebhookChannel webhook={webhook} />
            <MailChannel key={email.address} email={email} />
            <TelegramChannel telegram={telegram} />
            <div className={styles.vendors}>
              {VENDOR_KINDS.map((kind) => (
                <div key={kind} className={vendors[kind].target === null ? undefined : styles.set}>
                  <VendorChannel kind={kind} channel={vendors[kind]} custom={vendors.custom} slack={vendors.slack} />
                </div>
              ))}
            </div>
          </Stack>
        )}
      </QueryView>
    </>
  )
}
