import { SEVERITIES } from '../../../../vocabulary/severities.ts'
import { findAccount } from '../../accounts/accounts.ts'
import { ensureMailChannel, ensureSecret, getChannels, saveChannel } from '../../control/alerts/channels.ts'
import {
  CHANNEL_KINDS,
  changeSubscription,
  findSubscriptionOn,
  insertSubscription,
  MAX_SUBSCRIPTIONS,
} from '../../control/alerts/subscriptions.ts'
import { CHAINS, findChain } from '../../control/chains/chains.ts'
import { parseAddress } from '../../control/chains/parse-address.ts'
import { SUBSCRIPTION_DEFAULTS } from '../../control/http/subscription-routes.ts'
import { reasonOf } from '../../lib/errors.ts'
import { checkTarget } from '../../platform/outbound.ts'
import { type Command, chooseFrom, onGround, RefusedError, UsageError } from '../command.ts'

export const subscribeCommand: Command = {
  words: 'subscribe',
  positionals: ['EMAIL', 'CHAIN', 'ADDRESS'],
  summary: 'Subscribes an account to a contract and what controls it, or changes how it is told',
  options: {
    'min-severity': { type: 'string', value: 'S', help: 'info (usual), high or critical' },
    telegram: { type: 'boolean', help: 'tell by Telegram, once the account has linked a chat' },
    email: { type: 'boolean', help: "tell by mail, to the account's own address unless it set another" },
    webhook: { type: 'boolean', help: 'tell by webhook, to the URL the account set' },
    'webhook-url': { type: 'string', value: 'URL', help: "sets the account's webhook first and prints its secret" },
  },
  run: async (given) => {
    const [email = '', slug = '', text = ''] = given.positionals
    const chain = findChain(slug)
    if (chain === undefined)
      throw new UsageError(`CHAIN must be one of ${CHAINS.map((known) => known.slug).join(', ')}, or its chain id`)
    const parsed = parseAddress(text)
    if ('refusal' in parsed) throw new UsageError(`ADDRESS ${parsed.refusal}`)
    const minSeverity = chooseFrom('min-severity', given.text('min-severity'), SEVERITIES)
    const url = given.text('webhook-url')
    const named = {
      telegram: given.flag('telegram'),
      email: given.flag('email'),
      webhook: given.flag('webhook') || url !== undefined,
    }
    // No channel named: all of them, whichever the account has.
    const channels = Object.values(named).some(Boolean) ? named : SUBSCRIPTION_DEFAULTS.channels
    const target = { chainId: chain.id, address: parsed.address }
    return onGround(async ({ database, alertAllowPrivate }) => {
      const account = await findAccount(database, email)
      if (account === undefined) throw new RefusedError(`There is no account for ${email}.`)
      if (url !== undefined)
        await saveChannel(database, account.id, 'webhook', { target: webhookTarget(url, alertAllowPrivate) })
      if (named.email) await ensureMailChannel(database, account.id)
      const wishes = { ...SUBSCRIPTION_DEFAULTS, channels, ...(minSeverity !== undefined && { minSeverity }) }
      const made = await insertSubscription(database, account.id, target, wishes)
      if (made === 'full')
        throw new RefusedError(`An account has at most ${MAX_SUBSCRIPTIONS} subscriptions; end one first.`)
      const before = made === undefined ? await findSubscriptionOn(database, account.id, target) : undefined
      const subscription =
        made ?? (before && (await changeSubscription(database, account.id, before.id, { channels, minSeverity })))
      if (subscription === undefined)
        throw new RefusedError('The subscription was ended at the same moment; try again.')
      const there = new Set((await getChannels(database, account.id)).map(({ kind }) => kind))
      const missing = CHANNEL_KINDS.filter((kind) => named[kind] && !there.has(kind))
      const secret = url === undefined ? undefined : (await ensureSecret(database, account.id)).secret
      return {
        json: { ...subscription, ...(secret !== undefined && { webhookSecret: secret }) },
        lines: [
          `${email} is told of ${chain.slug} ${parsed.address} from severity ${subscription.minSeverity} on.`,
          ...missing.map(
            (kind) => `The account has no ${kind} channel yet; it is set up in the settings of the web app.`,
          ),
          ...(secret === undefined ? [] : [`Webhooks are signed with ${secret}`]),
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
