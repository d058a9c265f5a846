/**
 * Known contracts: the built-in list, and the reading of lists an operator adds.
 *
 * Owns what a row must be. Every fault of a list is reported with the row it is in, because a list is corrected by a
 * person in one go. Knows no database: importing rows without losing an operator's edits is `store/`'s work.
 */

import type { Hex } from 'viem'
import { type ContractKind, isContractKind } from '../../../../vocabulary/contract-kinds.ts'
import { findChain } from '../chains/chains.ts'
import builtIn from './contracts.json' with { type: 'json' }
import { protocolSlug } from './protocol.ts'
import { type RegistryFault, RowFields } from './row-fields.ts'

export type RegistryContract = {
  readonly chainId: number
  /** Lower case. */
  readonly address: Hex
  readonly name: string
  /** The protocol's label. */
  readonly protocol: string
  readonly kind: ContractKind
  /** Where the author read it. */
  readonly source: string
  /** How sure the author is. */
  readonly confidence: Confidence
  /** Whether the source code is published, where the author vouches for it. */
  readonly verified?: boolean
  readonly symbol?: string
  readonly decimals?: number
  /** Block of its creation: a backfill need not look before it. */
  readonly deployBlock?: number
  readonly notes?: string
}

export const CONFIDENCES = ['high', 'medium', 'low'] as const
export type Confidence = (typeof CONFIDENCES)[number]

export type RegistryReading = {
  readonly contracts: readonly RegistryContract[]
  /** Empty, or the list should not be used: a part of a list may leave out what it was made for. */
  readonly faults: readonly RegistryFault[]
}

/** A list as parsed from JSON: rows of `chain` (slug or id), `address`, `name`, `protocol`, `kind`, `source`, … */
export function parseRegistry(input: unknown): RegistryReading {
  if (!Array.isArray(input)) return { contracts: [], faults: [{ reason: 'not a list of contracts' }] }
  const contracts: RegistryContract[] = []
  const faults: RegistryFault[] = []
  const seen = { addresses: new Map<string, number>(), labels: new Map<string, string>() }
  for (const [index, row] of (input as readonly unknown[]).entries()) {
    const fields = new RowFields(row, index + 1, faults)
    const contract = readContract(fields)
    if (contract === undefined) continue
    contracts.push(contract)
    const place = `${contract.chainId}:${contract.address}`
    const earlier = seen.addresses.get(place)
    if (earlier !== undefined) fields.fault('address', `is already in row ${earlier}`)
    else seen.addresses.set(place, index + 1)
    const slug = protocolSlug(contract.protocol)
    const label = seen.labels.get(slug) ?? contract.protocol
    if (label !== contract.protocol)
      fields.fault('protocol', `cannot be told from "${label}": both are found as ${slug}`)
    seen.labels.set(slug, label)
  }
  return { contracts, faults }
}

/** One line for a person. */
export function describeFault({ row, field, reason }: RegistryFault): string {
  return [row === undefined ? undefined : `row ${row}`, field, reason].filter((part) => part !== undefined).join(': ')
}

function readContract(fields: RowFields): RegistryContract | undefined {
  if (!fields.isRow) return undefined
  const chain = findChain(fields.chain() ?? '')
  if (chain === undefined) fields.fault('chain', 'is not the slug or id of a chain under watch')
  const address = fields.address()
  const kind = fields.text('kind', true)
  if (kind !== undefined && !isContractKind(kind)) fields.fault('kind', `"${kind}" is no kind of contract`)
  const confidence = fields.text('confidence') ?? 'high'
  if (!isConfidence(confidence)) fields.fault('confidence', `is none of ${CONFIDENCES.join(', ')}`)
  const protocol = fields.text('protocol', true)
  if (protocol !== undefined && protocolSlug(protocol) === '') fields.fault('protocol', 'has no letter and no digit')
  const [name, source] = [fields.text('name', true), fields.text('source', true)]
  const optional = {
    ...optionally('verified', fields.flag('verified')),
    ...optionally('symbol', fields.text('symbol')),
    ...optionally('decimals', fields.count('decimals', 255)),
    ...optionally('deployBlock', fields.count('deployBlock', Number.MAX_SAFE_INTEGER)),
    ...optionally('notes', fields.text('notes')),
  }
  fields.refuseUnread()
  if (fields.isFaulty || chain === undefined || address === undefined) return undefined
  if (kind === undefined || !isContractKind(kind) || !isConfidence(confidence)) return undefined
  if (name === undefined || source === undefined || protocol === undefined) return undefined
  return { chainId: chain.id, address, name, protocol, kind, source, confidence, ...optional }
}

function isConfidence(text: string): text is Confidence {
  return CONFIDENCES.some((confidence) => confidence === text)
}

function optionally<Name extends string, Value>(name: Name, value: Value | undefined): { [key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [key in Name]?: Value })
}

/** The contracts this program knows by itself. */
export function builtInRegistry(): RegistryReading {
  return parseRegistry(builtIn)
}
