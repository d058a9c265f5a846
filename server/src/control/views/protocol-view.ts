/** A protocol across chains, for whoever may read it. */
import type { z } from 'zod'
import type { Label } from '../../../../vocabulary/labels.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Queryable } from '../../platform/database.ts'
import { findChain } from '../chains/chains.ts'
import { getEventsOf } from '../feed/feed.ts'
import { shownEvent } from '../feed/feed-page.ts'
import type { protocolView } from '../http/resources.ts'
import { RECENT_EVENTS } from './contract-view.ts'
import { findProtocol, getProtocolContracts, type ProtocolContract } from './protocol-view-rows.ts'
import { type ShownProfile, shownProfile } from './shown-profile.ts'

export type ProtocolView = z.input<typeof protocolView>

const DAY_MS = 86_400_000
const WINDOW_MS = 30 * DAY_MS

/** `text` is the protocol's label or slug, in any case; undefined where there is no such protocol. */
export async function findProtocolView(
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
  text: string,
): Promise<ProtocolView | undefined> {
  const protocol = await findProtocol(database, text)
  if (protocol === undefined) return undefined
  const contracts = await getProtocolContracts(database, protocol.id, new Date(clock.now() - WINDOW_MS))
  const events = await getEventsOf(database, ...newestOf(contracts))
  const profiles = contracts.map(({ profile }) => shownProfile(profile))
  return {
    protocol: protocol.label,
    slug: protocol.slug,
    contracts: contracts.map((contract, at) => shownContract(protocol.label, contract, profiles[at])),
    recentEvents: events.map(shownEvent),
    counts: {
      contracts: contracts.length,
      chains: new Set(contracts.map(({ chainId }) => chainId)).size,
      events30d: contracts.reduce((sum, { events }) => sum + events, 0),
      critical30d: contracts.reduce((sum, { critical }) => sum + critical, 0),
    },
    controlSummary: summaryOf(profiles),
  }
}

/** The newest fifty events are of the fifty contracts whose last event is newest, and none is older than the last of these. */
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

function shownContract(
  protocol: string,
  { chainId, address, name, kind, verified, source, events, critical, lastEventAt, lastEventKey }: ProtocolContract,
  profile: ShownProfile = shownProfile(undefined),
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

function summaryOf(profiles: readonly ShownProfile[]): ProtocolView['controlSummary'] {
  const count = (label: Label): number => profiles.filter((profile) => profile.label === label).length
  return {
    total: profiles.length,
    singleKey: count('single_key'),
    multisig: count('multisig'),
    shortTimelock: count('short_timelock'),
    timelocked: count('timelocked'),
    immutable: count('immutable'),
    unknown: count('unknown'),
  }
}
