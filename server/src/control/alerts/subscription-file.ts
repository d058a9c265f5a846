/** The file of `gatewatch apply`: all subscriptions of an account, and the changes that make the stored ones equal to it. */
import { z } from 'zod'
import { CATEGORIES } from '../../../../vocabulary/categories.ts'
import { EFFECTS } from '../../../../vocabulary/powers.ts'
import { SEVERITIES } from '../../../../vocabulary/severities.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Database } from '../../platform/database.ts'
import { CHANNEL_KINDS } from '../../platform/deliveries/channel-kinds.ts'
import { findChain, parseAddress } from '../chains/chains.ts'
import { findProtocol } from '../registry/contracts.ts'
import {
  changeSubscription,
  channelFlagsOf,
  deleteSubscription,
  getSubscriptions,
  insertSubscription,
  MAX_SUBSCRIPTIONS,
  type Subscription,
  type Target,
} from './subscriptions.ts'

const subscription = z
  .strictObject({
    chain: z
      .union([z.string(), z.int()], 'must be the slug or the id of a chain')
      .transform((given, context): number => {
        const chain = findChain(given)
        if (chain !== undefined) return chain.id
        context.addIssue('is not the slug or id of a chain of this installation')
        return z.NEVER
      })
      .optional(),
    address: z
      .string('must be an address in quotes')
      .transform((text, context): Hex => {
        const parsed = parseAddress(text)
        if ('address' in parsed) return parsed.address
        context.addIssue(parsed.refusal)
        return z.NEVER
      })
      .optional(),
    /** Label or slug. */
    protocol: z.string().min(1).max(128).optional(),
    minSeverity: z.enum(SEVERITIES, `must be one of ${SEVERITIES.join(', ')}`).default('info'),
    /** All channels of the account, if the list is missing. */
    channels: z.array(z.enum(CHANNEL_KINDS, `must be one of ${CHANNEL_KINDS.join(', ')}`)).default([...CHANNEL_KINDS]),
    includeControllers: z.boolean().default(true),
    powers: z.array(z.enum(EFFECTS, `must be one of ${EFFECTS.join(', ')}`)).default([]),
    categories: z.array(z.enum(CATEGORIES, `must be one of ${CATEGORIES.join(', ')}`)).default([]),
    eventKeys: z.array(z.string().min(3).max(100)).max(50).default([]),
    queuedChanges: z.boolean().default(false),
    paused: z.boolean().default(false),
  })
  .refine(
    ({ chain, address, protocol }) => (protocol === undefined) === (chain !== undefined && address !== undefined),
    'must have either chain and address, or protocol',
  )

export const subscriptionFile = z.strictObject({
  version: z.literal(1, 'must be 1'),
  /** The e-mail address of the account. */
  account: z.string().min(3).max(320),
  subscriptions: z.array(subscription).max(MAX_SUBSCRIPTIONS),
})

type Wanted = z.infer<typeof subscription>

export type AppliedChange = {
  readonly action: 'add' | 'change' | 'delete'
  /** `ethereum 0x…` or the slug of a protocol. */
  readonly target: string
  /** The settings that differ. */
  readonly fields: readonly string[]
}

export class SubscriptionFileError extends Error {}

/** Makes the subscriptions of an account equal to those of a file. With `isTrial` nothing is stored. */
export async function applySubscriptions(
  database: Database,
  accountId: string,
  wanted: readonly Wanted[],
  { isTrial }: { readonly isTrial: boolean },
): Promise<readonly AppliedChange[]> {
  const targets = new Map<string, { readonly wanted: Wanted; readonly target: Target }>()
  for (const one of wanted) {
    const { key, target } = await targetOf(database, one)
    if (targets.has(key)) throw new SubscriptionFileError(`${key} is there twice.`)
    targets.set(key, { wanted: one, target })
  }
  const stored = new Map((await getSubscriptions(database, accountId)).map((each) => [keyOf(each), each]))
  const changes: AppliedChange[] = []
  // Deletions come first, because the number of subscriptions is limited.
  for (const [key, { id }] of stored) {
    if (targets.has(key)) continue
    changes.push({ action: 'delete', target: key, fields: [] })
    if (!isTrial) await deleteSubscription(database, accountId, id)
  }
  for (const [key, { wanted: one, target }] of targets) {
    const before = stored.get(key)
    const fields = before === undefined ? [] : differences(before, one)
    if (before !== undefined && fields.length === 0) continue
    changes.push({ action: before === undefined ? 'add' : 'change', target: key, fields })
    if (!isTrial) await store(database, accountId, { before, wanted: one, target })
  }
  return changes
}

async function store(
  database: Database,
  accountId: string,
  {
    before,
    wanted,
    target,
  }: { readonly before: Subscription | undefined; readonly wanted: Wanted; readonly target: Target },
): Promise<void> {
  const { powers: powerEffects, paused, minSeverity, includeControllers, categories, eventKeys, queuedChanges } = wanted
  const rules = { powerEffects, categories, eventKeys, queuedChanges }
  const settings = { minSeverity, channels: flagsOf(wanted), includeControllers, ...rules }
  const made = before ?? (await insertSubscription(database, accountId, target, settings))
  if (made === 'full' || made === 'new_contracts_full')
    throw new SubscriptionFileError(`An account has at most ${MAX_SUBSCRIPTIONS} subscriptions.`)
  if (made === undefined)
    throw new SubscriptionFileError('The subscriptions were changed by another request. Try again.')
  if (before !== undefined || paused) await changeSubscription(database, accountId, made.id, { ...settings, paused })
}

async function targetOf(
  database: Database,
  { chain, address, protocol }: Wanted,
): Promise<{ readonly key: string; readonly target: Target }> {
  if (protocol === undefined && chain !== undefined && address !== undefined)
    return { key: `${findChain(chain)?.slug} ${address}`, target: { chainId: chain, address } }
  const found = await findProtocol(database, protocol ?? '')
  if (found === undefined) throw new SubscriptionFileError(`No protocol has the label or slug "${protocol}".`)
  return { key: found.slug, target: { protocolId: found.id } }
}

const keyOf = ({ protocol, chainSlug, address }: Subscription): string => protocol?.slug ?? `${chainSlug} ${address}`
const flagsOf = ({ channels }: Wanted) => channelFlagsOf((kind) => channels.includes(kind))

const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.toSorted().join() === other.toSorted().join()

function differences(before: Subscription, wanted: Wanted): readonly string[] {
  const same: Readonly<Record<string, boolean>> = {
    minSeverity: before.minSeverity === wanted.minSeverity,
    channels: CHANNEL_KINDS.every((kind) => before.channels[kind] === wanted.channels.includes(kind)),
    includeControllers: before.includeControllers === wanted.includeControllers,
    powers: isSameSet(before.powerEffects, wanted.powers),
    categories: isSameSet(before.categories, wanted.categories),
    eventKeys: isSameSet(before.eventKeys, wanted.eventKeys),
    queuedChanges: before.queuedChanges === wanted.queuedChanges,
    paused: (before.pausedAt !== null) === wanted.paused,
  }
  return Object.keys(same).filter((field) => same[field] === false)
}
