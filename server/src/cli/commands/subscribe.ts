import { SEVERITIES } from '../../../../vocabulary/severities.ts'
import { findAccount } from '../../accounts/accounts.ts'
import { ensureMailChannel, ensureSecret, getChannels, saveChannel } from '../../control/alerts/channels.ts'
import {
  changeSubscription,
  channelFlagsOf,
  findSubscriptionOn,
  insertSubscription,
  MAX_SUBSCRIPTIONS,
} from '../../control/alerts/subscriptions.ts'
import { SUBSCRIPTION_DEFAULTS } from '../../control/http/subscription-routes.ts'
import { reasonOf } from '../../lib/errors.ts'
import { CHANNEL_KINDS } from '../../platform/deliveries/channel-kinds.ts'
import { checkTarget } from '../../platform/outbound.ts'
import {
  addressArgument,
  type Command,
  chainArgument,
  chooseFrom,
  noteIfUnread,
  RefusedError,
  withPlatform,
} from '../command.ts'

export const subscribeCommand: Command = {
  name: 'subscribe',
  positionals: ['EMAIL', 'CHAIN', 'ADDRESS'],
  summary: 'Subscribe an account to alerts about a contract, or change its subscription',
  options: {
    'min-severity': {
      type: 'string',
      value: 'SEVERITY',
      help: 'lowest severity of alerts: info (default), high or critical',
    },
    telegram: { type: 'boolean', help: 'send alerts by Telegram, once the account has linked a chat' },
    email: { type: 'boolean', help: "send alerts by e-mail, to the account's address unless it has set another" },
    webhook: { type: 'boolean', help: 'send alerts to the webhook URL of the account' },
    channels: {
      type: 'string',
      value: 'LIST',
      help: `send alerts to these channels of the account, with commas between: ${CHANNEL_KINDS.join(', ')}`,
    },
    'webhook-url': {
      type: 'string',
      value: 'URL',
      help: 'set the webhook URL of the account and print the signing secret',
    },
  },
  run: async (args) => {
    const [email = '', slug = '', text = ''] = args.positionals
    const chain = chainArgument(slug)
    const address = addressArgument(text)
    const minSeverity = chooseFrom('min-severity', args.text('min-severity'), SEVERITIES)
    const url = args.text('webhook-url')
    const listed =
      args
        .text('channels')
        ?.split(',')
        .map((kind) => chooseFrom('channels', kind.trim(), CHANNEL_KINDS)) ?? []
    const flagged = {
      telegram: args.flag('telegram'),
      email: args.flag('email'),
      webhook: args.flag('webhook') || url !== undefined,
    }
    const named = channelFlagsOf(
      (kind) => listed.includes(kind) || (kind in flagged && flagged[kind as keyof typeof flagged]),
    )
    // Without a channel option, alerts go to every channel the account has.
    const channels = Object.values(named).some(Boolean) ? named : SUBSCRIPTION_DEFAULTS.channels
    const target = { chainId: chain.id, address }
    return withPlatform(async ({ database, alertAllowPrivate, mail }) => {
      const account = await findAccount(database, email)
      if (account === undefined)
        throw new RefusedError(`There is no account for ${email}. List accounts with: gatewatch account list`)
      if (url !== undefined)
        await saveChannel(database, account.id, 'webhook', { target: webhookTarget(url, alertAllowPrivate) })
      if (named.email && mail !== undefined) await ensureMailChannel(database, account.id)
      const settings = { ...SUBSCRIPTION_DEFAULTS, channels, ...(minSeverity !== undefined && { minSeverity }) }
      const made = await insertSubscription(database, account.id, target, settings)
      // The operator's own command has no limit of new contracts.
      if (made === 'full' || made === 'new_contracts_full')
        throw new RefusedError(`An account has at most ${MAX_SUBSCRIPTIONS} subscriptions. Delete one first.`)
      const before = made === undefined ? await findSubscriptionOn(database, account.id, target) : undefined
      const subscription =
        made ?? (before && (await changeSubscription(database, account.id, before.id, { channels, minSeverity })))
      if (subscription === undefined) throw new RefusedError('Another request deleted the subscription. Try again.')
      const there = new Set((await getChannels(database, account.id)).map(({ kind }) => kind))
      const missing = CHANNEL_KINDS.filter((kind) => named[kind] && !there.has(kind))
      const secret = url === undefined ? undefined : (await ensureSecret(database, account.id)).secret
      return {
        json: { ...subscription, ...(secret !== undefined && { webhookSecret: secret }) },
        lines: [
          CHANNEL_KINDS.some((kind) => subscription.channels[kind] && there.has(kind))
            ? `${email} receives alerts about ${chain.slug} ${address} of severity ${subscription.minSeverity} or higher.`
            : `${email} is subscribed to ${chain.slug} ${address}, but has no channel: no alerts are sent.`,
          ...missing.map((kind) =>
            kind === 'email' && mail === undefined
              ? 'This service sends no e-mail. Set SMTP_URL and MAIL_FROM where it runs.'
              : `The account has no ${kind} channel yet. Set it up in the account settings of the web app.`,
          ),
          ...(secret === undefined ? [] : [`Webhook signing secret: ${secret}`]),
          ...noteIfUnread(chain),
        ],
      }
    })
  },
}

function webhookTarget(url: string, allowPrivate: boolean): string {
  try {
    return checkTarget(url, { allowPrivate })
  } catch (error) {
    throw new RefusedError(`--webhook-url: ${reasonOf(error)}.`)
  }
}
