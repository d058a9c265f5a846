/** The view of one protocol across chains. */
import type { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import type { Queryable } from '../../platform/database.ts'
import { findChain } from '../chains/chains.ts'
import { getEventsOf } from '../feed/feed.ts'
import { eventView } from '../registry/control-event.ts'
import { RECENT_EVENTS } from './contract-view.ts'
import { type ProfileView, profileView, summaryOfLabels } from './profile-view.ts'
import { findProtocol, getProtocolContracts, type ProtocolContract } from './protocol-view-rows.ts'
import type { protocolView } from './schemas.ts'

export type ProtocolView = z.input<typeof protocolView>

const DAY_MS = 86_400_000
const WINDOW_MS = 30 * DAY_MS

/** `text` is the label or slug of the protocol, in any case. Returns undefined if there is no such protocol. */
export async function findProtocolView(
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
  text: string,
): Promise<ProtocolView | undefined> {
  const protocol = await findProtocol(database, text)
  if (protocol === undefined) return undefined
  const contracts = await getProtocolContracts(database, protocol.id, new Date(clock.now() - WINDOW_MS))
  const events = await getEventsOf(database, ...newestOf(contracts))
  const profiles = contracts.map(({ profile }) => profileView(profile))
  return {
    protocol: protocol.label,
    slug: protocol.slug,
    contracts: contracts.map((contract, at) => contractOfProtocol(protocol.label, contract, profiles[at])),
    recentEvents: events.map(eventView),
    counts: {
      contracts: contracts.length,
      chains: new Set(contracts.map(({ chainId }) => chainId)).size,
      events30d: contracts.reduce((sum, { events }) => sum + events, 0),
      critical30d: contracts.reduce((sum, { critical }) => sum + critical, 0),
    },
    controlSummary: summaryOfLabels(profiles.map(({ label }) => label)),
  }
}

/** The 50 newest events belong to the 50 contracts with the newest last events, and are not older than those. */
function newestOf(
  contracts: readonly ProtocolContract[],
): [ProtocolContract[], { since: Date | undefined; limit: number }] {
  const newest = contracts
    .flatMap((contract) => (contract.lastEventAt === null ? [] : { contract, at: contract.lastEventAt }))
    .sort((a, b) => b.at.getTime() - a.at.getTime() || (b.contract.lastEventId ?? 0) - (a.contract.lastEventId ?? 0))
    .slice(0, RECENT_EVENTS)
  const since = newest[RECENT_EVENTS - 1]?.at
  return [newest.map(({ contract }) => contract), { since, limit: RECENT_EVENTS }]
}

function contractOfProtocol(
  protocol: string,
  { chainId, address, name, kind, verified, source, events, critical, lastEventAt, lastEventKey }: ProtocolContract,
  profile: ProfileView = profileView(undefined),
): ProtocolView['contracts'][number] {
  return {
    chainId,
    chainSlug: findChain(chainId)?.slug ?? String(chainId),
    address,
    name,
    protocol,
    kind,
    verified,
    source,
    events30d: events,
    critical30d: critical,
    lastEventAt: lastEventAt?.toISOString() ?? null,
    lastEventKey,
    controlProfile: { ...profile, reasons: [...profile.reasons] },
  }
}
