/** Response schemas of subscriptions and deliveries. */
import { z } from 'zod'
import { instant } from '../../lib/http/params.ts'
import { CHANNEL_KINDS, type ChannelKind } from '../../platform/deliveries/channel-kinds.ts'
import { deliveryFields } from '../../platform/deliveries/delivery-schemas.ts'
import { account, contractName, event, severity } from './schemas.ts'

/** A boolean for each kind of channel. */
export const channelFlags = z.object(
  Object.fromEntries(CHANNEL_KINDS.map((kind) => [kind, z.boolean()])) as Record<ChannelKind, z.ZodBoolean>,
)

export const subscription = z
  .object({
    id: z.int(),
    chainId: z.int(),
    chainSlug: z.string(),
    address: account,
    source: z.string(),
    minSeverity: severity,
    channels: channelFlags,
    createdAt: instant,
    pausedAt: instant.nullable(),
    contract: contractName,
  })
  .meta({ id: 'Subscription' })

export const delivery = z.object({ ...deliveryFields, event }).meta({ id: 'Delivery' })
