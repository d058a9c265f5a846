/** Posts notices to the vendors. */

import type { ChannelKind } from '../../../platform/deliveries/channel-kinds.ts'
import type { Outcome } from '../../../platform/deliveries/outcome.ts'
import { type PostDeps, postForOutcome } from '../../../platform/deliveries/post.ts'
import { custom } from './custom.ts'
import { discord } from './discord.ts'
import { readTarget } from './http-target.ts'
import { opsgenie } from './opsgenie.ts'
import { pagerduty } from './pagerduty.ts'
import { slack } from './slack.ts'
import { teams } from './teams.ts'
import type { Notice, PostContext, Vendor } from './vendor.ts'

export const VENDORS = { slack, discord, teams, pagerduty, opsgenie, custom } as const satisfies Partial<
  Record<ChannelKind, Vendor>
>
export type VendorKind = keyof typeof VENDORS
export const VENDOR_KINDS = Object.keys(VENDORS) as readonly VendorKind[]

export const isVendorKind = (kind: ChannelKind): kind is VendorKind => kind in VENDORS

/** `target` is the text of the channel's target. */
export async function postNotice(
  deps: PostDeps,
  kind: VendorKind,
  target: string,
  notice: Notice,
  { secrets }: Pick<PostContext, 'secrets'>,
): Promise<Outcome> {
  const parsed = readTarget(target)
  if (parsed === undefined)
    return { ok: false, reason: 'The key that seals this channel is lost. Set the channel again.' }
  const vendor: Vendor = VENDORS[kind]
  return await postForOutcome(deps, vendor.post(notice, parsed, { secrets, now: deps.clock.now() }), vendor)
}
