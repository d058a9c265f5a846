/**
 * The list of known contracts: validates the built-in list and the lists an operator imports. A row needs a chain and an
 * address.
 *
 * Every error names its row and field, so that an operator can correct a list in one pass. `contracts.ts` imports the
 * rows into the database.
 */

import { z } from 'zod'
import { type ContractKind, isContractKind } from '../../../../vocabulary/contract-kinds.ts'
import type { Hex } from '../../lib/hex.ts'
import { findChain, parseAddress } from '../chains/chains.ts'
import builtIn from './contracts.json' with { type: 'json' }
import { protocolSlug } from './contracts.ts'

const CONFIDENCES = ['high', 'medium', 'low'] as const

const orMissing =
  (message: string) =>
  ({ input }: { readonly input: unknown }): string =>
    input === undefined ? 'is missing' : message

/** Up to 200 characters without control characters, because names appear in alerts and images. */
const text = z
  .string({ error: orMissing('is not a text') })
  .max(200, 'is longer than 200 characters')
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'contains a control character')
  .trim()
  .min(1, 'is empty')

const count = (max: number) => {
  const message = `is not an integer from 0 to ${max}`
  return z.int(message).min(0, message).max(max, message)
}

const chainId = z
  .union([z.string(), z.number()], { error: orMissing('is not a text or a number') })
  .transform((value, context): number => {
    const chain = findChain(value)
    if (chain !== undefined) return chain.id
    context.addIssue('is not the slug or id of a supported chain')
    return z.NEVER
  })

const address = z.string({ error: orMissing('is not a text') }).transform((value, context): Hex => {
  const parsed = parseAddress(value)
  if ('address' in parsed && !/^0x0+$/.test(parsed.address)) return parsed.address
  context.addIssue('refusal' in parsed ? parsed.refusal : 'is the zero address')
  return z.NEVER
})

const registryRow = z
  .strictObject(
    {
      /** Slug or id. */
      chain: chainId,
      address,
      name: text.exactOptional(),
      /** The protocol's label. */
      protocol: text.refine((label) => protocolSlug(label) !== '', 'has no letter and no digit').exactOptional(),
      /** Without it, the first poll finds the kind. */
      kind: z
        .custom<ContractKind>(
          (value) => typeof value === 'string' && isContractKind(value),
          'is not a kind of contract',
        )
        .exactOptional(),
      /** Where the author found the address. */
      source: text.exactOptional(),
      confidence: z.enum(CONFIDENCES, `is not one of ${CONFIDENCES.join(', ')}`).default('high'),
      /** Whether the source code is published, as far as the author knows. */
      verified: z.boolean('is not true or false').exactOptional(),
      symbol: text.exactOptional(),
      decimals: count(255).exactOptional(),
      /** The block of its creation, where its history starts. */
      deployBlock: count(Number.MAX_SAFE_INTEGER).exactOptional(),
      notes: text.exactOptional(),
    },
    'is not an object',
  )
  .transform(({ chain, ...row }) => ({ chainId: chain, ...row }))

export type RegistryContract = Readonly<z.output<typeof registryRow>>

/** `row` counts from 1. Without it the error concerns the whole list. */
export type RegistryError = { readonly row?: number; readonly field?: string; readonly message: string }

export type ParsedRegistry = {
  readonly contracts: readonly RegistryContract[]
  /** If not empty, the list should not be used: valid rows alone may be incomplete. */
  readonly errors: readonly RegistryError[]
}

/** Validates a list as parsed from JSON. */
export function parseRegistry(input: unknown): ParsedRegistry {
  if (!Array.isArray(input)) return { contracts: [], errors: [{ message: 'is not a list of contracts' }] }
  const contracts: RegistryContract[] = []
  const errors: RegistryError[] = []
  const rowOfAddress = new Map<string, number>()
  const labelOfSlug = new Map<string, string>()
  for (const [index, value] of (input as readonly unknown[]).entries()) {
    const row = index + 1
    const { success, data: contract, error } = registryRow.safeParse(value)
    if (!success) {
      errors.push(...error.issues.flatMap((issue) => errorsOf(issue, row)))
      continue
    }
    contracts.push(contract)
    const key = `${contract.chainId}:${contract.address}`
    const earlier = rowOfAddress.get(key)
    if (earlier !== undefined) errors.push({ row, field: 'address', message: `is already in row ${earlier}` })
    else rowOfAddress.set(key, row)
    if (contract.protocol === undefined) continue
    const slug = protocolSlug(contract.protocol)
    const label = labelOfSlug.get(slug) ?? contract.protocol
    if (label !== contract.protocol)
      errors.push({ row, field: 'protocol', message: `has the same slug as "${label}": ${slug}` })
    labelOfSlug.set(slug, label)
  }
  return { contracts, errors }
}

function errorsOf(issue: z.core.$ZodIssue, row: number): readonly RegistryError[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((field) => ({ row, field, message: 'is not a field of a row' }))
  const [field] = issue.path
  return [{ row, ...(field === undefined ? {} : { field: String(field) }), message: issue.message }]
}

/** One line for the operator. */
export function describeRegistryError({ row, field, message }: RegistryError): string {
  return [row === undefined ? undefined : `row ${row}`, field, message].filter((part) => part !== undefined).join(': ')
}

/** The contracts that are part of the program. */
export function builtInRegistry(): ParsedRegistry {
  return parseRegistry(builtIn)
}
