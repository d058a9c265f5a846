/** The answers only the pages ask for. */
import type { z } from 'zod'
import { LABELS, type Label } from '../../../../vocabulary/labels.ts'
import { SEVERITIES } from '../../../../vocabulary/severities.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Queryable, ReadDatabase } from '../../platform/database.ts'
import { findChain } from '../chains/chains.ts'
import { parseAddress } from '../chains/parse-address.ts'
import type { control, knownName, listedProtocol, overview, searchResults } from '../http/public-resources.ts'
import { unprofiled } from '../profile/profile.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { findControl, getLabelChanges, getSeenStates } from './control-history.ts'
import { countEventsSince, countLabels, getProtocols } from './overview.ts'
import {
  type FoundContract,
  findChainsOfEmitter,
  findContractsByAddress,
  findContractsByName,
  findEventsOfTransaction,
  findProtocolsByName,
  getKnownNames,
} from './search.ts'
import { shownProfile } from './shown-profile.ts'

const MOST_CHANGES = 100
const MOST_FOUND = 12
/** More would be a burden for a page; an account without a name is shown by its address. */
const MOST_NAMES = 5_000
const DAY_MS = 86_400_000

const labelOf = (text: string | null): Label => LABELS.find((known) => known === text) ?? 'unknown'
const slugOf = (chainId: number): string => findChain(chainId)?.slug ?? String(chainId)

/** Undefined before the first look at the contract. */
export async function findControlPage(
  { database }: { readonly database: Queryable },
  ref: ContractRef,
): Promise<z.input<typeof control> | undefined> {
  const [found, labels, states] = await Promise.all([
    findControl(database, ref),
    getLabelChanges(database, ref, MOST_CHANGES),
    getSeenStates(database, ref, MOST_CHANGES),
  ])
  if (found === undefined) return undefined
  const profile = shownProfile(found)
  return {
    profile: { ...profile, reasons: [...profile.reasons] },
    stale: found.stale,
    kind: found.kind,
    blockNumber: found.blockNumber,
    updatedAt: found.updatedAt.toISOString(),
    // As it was judged; the schema of the answer takes from it what pages show.
    tree: { ...unprofiled(ref).tree, ...(found.tree as object) } as unknown as z.input<typeof control>['tree'],
    labels: labels.map(({ at, from, to, cause, ...change }) => ({
      ...change,
      at: at.toISOString(),
      from: from === null ? null : labelOf(from),
      to: labelOf(to),
      cause: cause as z.input<typeof control>['labels'][number]['cause'],
    })),
    states: states.map(({ takenAt, seenAt, ...state }) => ({
      ...state,
      fields: { ...state.fields },
      takenAt: takenAt.toISOString(),
      seenAt: seenAt.toISOString(),
    })),
  }
}

export async function getNames({ database }: { readonly database: Queryable }): Promise<z.input<typeof knownName>[]> {
  const names = await getKnownNames(database, MOST_NAMES)
  return names.map(({ chainId, ...known }) => ({ ...known, chainSlug: slugOf(chainId) }))
}

export async function getProtocolList({
  database,
}: {
  readonly database: Queryable
}): Promise<z.input<typeof listedProtocol>[]> {
  const protocols = await getProtocols(database)
  return protocols.map(({ labels, lastEventAt, ...protocol }) => ({
    ...protocol,
    lastEventAt: lastEventAt?.toISOString() ?? null,
    summary: summaryOf(
      Map.groupBy(labels, (label) => label),
      ({ length }) => length,
    ),
  }))
}

export async function getOverview({
  database,
  clock,
}: {
  readonly database: Queryable
  readonly clock: Clock
}): Promise<z.input<typeof overview>> {
  const [labels, events] = await Promise.all([
    countLabels(database),
    countEventsSince(database, new Date(clock.now() - DAY_MS)),
  ])
  const ofSeverity = (severity: (typeof SEVERITIES)[number]) => events.get(SEVERITIES.indexOf(severity)) ?? 0
  const summary = summaryOf(labels, (count) => count)
  return {
    contracts: summary.total,
    summary,
    events24h: { info: ofSeverity('info'), high: ofSeverity('high'), critical: ofSeverity('critical') },
  }
}

/** What was never looked at is unknown. */
function summaryOf<Value>(byLabel: ReadonlyMap<string | null, Value>, countOf: (value: Value) => number) {
  const counts = new Map<Label, number>()
  for (const [label, value] of byLabel) counts.set(labelOf(label), (counts.get(labelOf(label)) ?? 0) + countOf(value))
  const count = (label: Label): number => counts.get(label) ?? 0
  return {
    total: [...counts.values()].reduce((sum, each) => sum + each, 0),
    singleKey: count('single_key'),
    multisig: count('multisig'),
    shortTimelock: count('short_timelock'),
    timelocked: count('timelocked'),
    immutable: count('immutable'),
    unknown: count('unknown'),
  }
}

export async function search(
  { database }: { readonly database: ReadDatabase },
  text: string,
): Promise<z.input<typeof searchResults>> {
  const nothing = { contracts: [], protocols: [], transactions: [], isComplete: true }
  if (/^0x[0-9a-f]{64}$/i.test(text)) {
    const found = await findEventsOfTransaction(database, text.toLowerCase() as Hex)
    const transactions = (found ?? []).map(({ blockTime, ...event }) => ({
      ...event,
      chainSlug: slugOf(event.chainId),
      blockTime: blockTime.toISOString(),
    }))
    return { ...nothing, transactions, isComplete: found !== undefined }
  }
  const parsed = parseAddress(text)
  if ('address' in parsed) return { ...nothing, contracts: await contractsAt(database, parsed.address) }
  const [contracts, protocols] = await Promise.all([
    findContractsByName(database, text, MOST_FOUND),
    findProtocolsByName(database, text, MOST_FOUND),
  ])
  return { ...nothing, contracts: contracts.map(shownContract), protocols: [...protocols] }
}

/** Also where nobody entered it but its events were seen. */
async function contractsAt(database: Queryable, address: Hex) {
  const [known, chains] = await Promise.all([
    findContractsByAddress(database, address),
    findChainsOfEmitter(database, address),
  ])
  const entered = new Set(known.map(({ chainId }) => chainId))
  const unnamed = { address, name: null, protocol: null, kind: 'unknown', label: null }
  const seen = chains.filter((chainId) => !entered.has(chainId)).map((chainId) => ({ ...unnamed, chainId }))
  return [...known, ...seen].map(shownContract)
}

const shownContract = ({ label, ...contract }: FoundContract) => ({
  ...contract,
  chainSlug: slugOf(contract.chainId),
  label: labelOf(label),
})
