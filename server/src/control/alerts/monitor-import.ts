/**
 * Carries the configuration of OpenZeppelin Monitor over to the file of `gatewatch apply`. Pure.
 *
 * A monitor becomes one subscription for each network and address. Whatever Gatewatch cannot do the same way is refused
 * by name, so that no alert is lost without notice.
 */
import { toEventSignature } from 'viem/utils'
import { SEVERITIES, type Severity, severityRank } from '../../../../vocabulary/severities.ts'
import type { ChannelKind } from '../../platform/deliveries/channel-kinds.ts'
import { catalogRows } from '../catalog/events/rows.ts'
import { parseEvent } from '../catalog/layout.ts'
import { findChain, parseAddress } from '../chains/chains.ts'

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The parsed files of the folders `monitors`, `networks` and `triggers`. */
export type MonitorConfig = {
  readonly monitors: readonly unknown[]
  readonly networks: readonly unknown[]
  readonly triggers: readonly unknown[]
}

export type ImportedSubscription = {
  readonly chain: string
  readonly address: string
  readonly minSeverity: Severity
  readonly channels: readonly ChannelKind[]
  readonly paused: boolean
}

export type ImportedMonitors = {
  readonly subscriptions: readonly ImportedSubscription[]
  /** What is not carried over: `monitor "Name": …`. */
  readonly refusals: readonly string[]
  /** What works otherwise than before. */
  readonly notes: readonly string[]
}

const CHANNELS: Readonly<Record<string, ChannelKind>> = {
  slack: 'slack',
  discord: 'discord',
  telegram: 'telegram',
  email: 'email',
  webhook: 'webhook',
}

/** The least severity that an event of the catalog can have, by its signature. */
const severities: ReadonlyMap<string, Severity> = new Map(
  catalogRows
    .filter(({ note }) => note !== true)
    .map((row): [string, Severity] => [toEventSignature(parseEvent(row)), row.severity])
    .toSorted(([, a], [, b]) => severityRank(b) - severityRank(a)),
)

export function importMonitors({ monitors, networks, triggers }: MonitorConfig): ImportedMonitors {
  const refusals: string[] = []
  const notes = new Set<string>()
  const chains = new Map(networks.filter(isFields).map((network) => [textOf(network.slug), network]))
  // A trigger file holds triggers by name.
  const named = new Map(triggers.filter(isFields).flatMap((file) => Object.entries(file)))
  const subscriptions = new Map<string, ImportedSubscription>()

  for (const monitor of monitors.filter(isFields)) {
    const about = `monitor "${textOf(monitor.name)}"`
    const found: string[] = []
    const minSeverity = severityOf(monitor.match_conditions, found)
    if (listOf(monitor.trigger_conditions).length > 0) found.push('filter scripts are not run')
    const channels = listOf(monitor.triggers).flatMap((name): ChannelKind[] => {
      const trigger = named.get(textOf(name))
      const type = isFields(trigger) ? textOf(trigger.trigger_type) : undefined
      const channel = type === undefined ? undefined : CHANNELS[type]
      if (channel === undefined)
        found.push(
          type === undefined ? `there is no trigger "${textOf(name)}"` : `triggers of the type "${type}" do not exist`,
        )
      return channel === undefined ? [] : [channel]
    })
    const slugs = listOf(monitor.networks)
      .map(textOf)
      .flatMap((slug) => chainOf(slug, chains.get(slug), found))
    const addresses = listOf(monitor.addresses).flatMap((given) => {
      const text = isFields(given) ? textOf(given.address) : ''
      const parsed = parseAddress(text)
      if ('refusal' in parsed) found.push(`the address "${text}" ${parsed.refusal}`)
      return 'address' in parsed ? [parsed.address] : []
    })
    if (addresses.length === 0) found.push('it names no contract')
    refusals.push(...found.map((reason) => `${about}: ${reason}`))
    if (minSeverity === undefined || channels.length === 0) continue
    notes.add(`${about} also reports other control events of its contracts with the severity ${minSeverity} or higher`)
    for (const chain of slugs)
      for (const address of addresses) {
        const key = `${chain} ${address}`
        const before = subscriptions.get(key)
        subscriptions.set(
          key,
          combined(before, { chain, address, minSeverity, channels, paused: monitor.paused === true }),
        )
      }
  }
  if (subscriptions.size > 0) {
    notes.add('messages have the form of Gatewatch; the texts of triggers are not carried over')
    notes.add(
      'endpoints, intervals and confirmations of networks are not carried over; they are settings of the service',
    )
  }
  for (const kind of new Set([...subscriptions.values()].flatMap(({ channels }) => channels)))
    notes.add(`the account must set up its ${kind} channel; addresses and secrets of triggers are not carried over`)
  return { subscriptions: [...subscriptions.values()], refusals, notes: [...notes] }
}

/** The severity that includes every event; undefined if no event is known. */
function severityOf(conditions: unknown, found: string[]): Severity | undefined {
  const { events, functions, transactions } = isFields(conditions) ? conditions : {}
  for (const call of listOf(functions).filter(isFields))
    found.push(`calls of ${textOf(call.signature)} are not matched; only events and state are`)
  for (const condition of listOf(transactions).filter(isFields))
    if (textOf(condition.expression) !== '' || textOf(condition.status) === 'Failure')
      found.push('conditions about transactions are not matched')
  const known = listOf(events)
    .filter(isFields)
    .flatMap(({ signature, expression }): Severity[] => {
      const text = textOf(signature).replaceAll(' ', '')
      const severity = severities.get(text)
      if (severity === undefined) found.push(`${textOf(signature)} is not a control event`)
      else if (textOf(expression) !== '') found.push(`the expression of ${text} is not evaluated`)
      return severity === undefined ? [] : [severity]
    })
  if (listOf(events).length === 0) found.push('it matches no event')
  return SEVERITIES.find((severity) => known.includes(severity))
}

function chainOf(slug: string, network: Fields | undefined, found: string[]): readonly string[] {
  if (network === undefined) found.push(`there is no network "${slug}"`)
  else if (textOf(network.network_type).toUpperCase() !== 'EVM')
    found.push(`the network "${slug}" is of the type "${textOf(network.network_type)}"`)
  else {
    const chain = findChain(Number(network.chain_id))
    if (chain !== undefined) return [chain.slug]
    found.push(
      `the network "${slug}" has the chain id ${String(network.chain_id)}, which is not configured here: see CHAINS_FILE`,
    )
  }
  return []
}

/** Two monitors of one contract are one subscription, which reports what either did. */
const combined = (before: ImportedSubscription | undefined, next: ImportedSubscription): ImportedSubscription =>
  before === undefined
    ? next
    : {
        ...next,
        minSeverity:
          SEVERITIES.find((each) => [before.minSeverity, next.minSeverity].includes(each)) ?? next.minSeverity,
        channels: [...new Set([...before.channels, ...next.channels])],
        paused: before.paused && next.paused,
      }
