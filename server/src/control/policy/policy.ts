/** The policy file of `gatewatch check`: what is expected of the control of each contract. */
import { z } from 'zod'
import { LABELS } from '../../../../vocabulary/labels.ts'
import { EFFECTS } from '../../../../vocabulary/powers.ts'
import type { Hex } from '../../lib/hex.ts'
import { type FieldPath, parseYamlFile } from '../../lib/yaml-file.ts'
import { parseAddress } from '../chains/chains.ts'

const address = z
  .string('must be an address in quotes')
  .transform((text, context): Hex => {
    const parsed = parseAddress(text)
    if ('address' in parsed) return parsed.address
    context.addIssue({ code: 'custom', message: parsed.refusal })
    return z.NEVER
  })
  .meta({ documentedAs: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' } })

const addresses = z.array(address).max(500)

/** An account of the contract's chain, or of another one as CHAIN:ADDRESS. */
const holder = z
  .string('must be an address in quotes')
  .transform((text, context): { readonly chain: string | undefined; readonly address: Hex } => {
    const [, chain, given = ''] = /^(?:([\w-]+):)?(.*)$/s.exec(text) ?? []
    const parsed = parseAddress(given)
    if ('address' in parsed) return { chain, address: parsed.address }
    context.addIssue({ code: 'custom', message: parsed.refusal })
    return z.NEVER
  })
  .meta({ documentedAs: { type: 'string', pattern: '^([\\w-]+:)?0x[0-9a-fA-F]{40}$' } })

const codeHash = z
  .string('must be a hash in quotes')
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hexadecimal digits')
  .toLowerCase()
const orNone = address.nullable()

const MAX_SECONDS = 1_000_000_000
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

const DURATION_TEXT = 'must be seconds, or 90s, 30m, 48h, 2d'

/** Seconds, or a number with a unit: 90s, 30m, 48h, 2d. */
export const duration = z
  .union([z.int().min(0).max(MAX_SECONDS), z.string().regex(/^\d{1,9}[smhd]$/)], DURATION_TEXT)
  .transform((given) =>
    typeof given === 'number' ? given : Number(given.slice(0, -1)) * (UNITS[given.slice(-1)] ?? 1),
  )
  .meta({
    documentedAs: {
      anyOf: [
        { type: 'integer', minimum: 0, maximum: MAX_SECONDS },
        { type: 'string', pattern: '^\\d{1,9}[smhd]$' },
      ],
    },
  })

/** An exact value, or the least that is accepted. */
const atLeast = <Item extends z.ZodType>(item: Item, text: string) =>
  z.union([item, z.strictObject({ atLeast: item })], `${text}; or atLeast with such a value`)

const label = atLeast(z.enum(LABELS), `must be one of ${LABELS.join(', ')}`)
const delay = atLeast(duration, DURATION_TEXT)
const count = atLeast(z.int().min(1).max(500), 'must be a whole number from 1 to 500')
const chain = z.union([z.string(), z.int()], 'must be the slug or the id of a chain')

const controller = z.strictObject({
  address,
  chain: chain.optional().describe('Chain of the account, if it is not that of the contract'),
  kind: z.string().max(64).optional().describe('What the account is, such as safe, timelock_oz or eoa'),
  threshold: count.optional().describe('Signatures that a multisig needs'),
  signers: addresses.optional().describe('All signers of a multisig'),
  delay: delay.optional().describe('Time that a change waits on the path up to this account'),
})

const power = z.strictObject({
  label: label.optional().describe('Label of the weakest holder'),
  delay: delay.optional().describe('Least time that a use of the power waits'),
  holders: z
    .array(holder)
    .max(500)
    .optional()
    .describe('All accounts that hold the power; CHAIN:ADDRESS for one of another chain'),
})

const contract = z.strictObject({
  chain: chain.describe('Slug or numeric id of the chain'),
  address,
  name: z.string().min(1).max(200).optional().describe('Name for the report'),
  label: label.optional().describe('Who can replace the code'),
  kind: z.string().max(64).optional().describe('Kind of the contract, such as proxy_transparent or safe'),
  codeHash: codeHash.optional().describe('Keccak-256 of the code at the address'),
  implementation: orNone.optional().describe('Address of the logic, also behind a beacon; null for none'),
  secondaryImplementation: orNone.optional().describe('Address of the second logic of a proxy; null for none'),
  admin: orNone.optional().describe('Admin of the proxy; null for none'),
  owner: orNone.optional().describe('Owner; null for none'),
  beacon: orNone.optional().describe('Beacon of the proxy; null for none'),
  facets: addresses.optional().describe('All facets, if it is a diamond'),
  singleton: orNone.optional().describe('Address of the logic, if it is a Safe'),
  modules: addresses.optional().describe('All modules, if it is a Safe'),
  guard: orNone.optional().describe('Guard of transactions, if it is a Safe; null for none'),
  fallbackHandler: orNone.optional().describe('Fallback handler, if it is a Safe; null for none'),
  threshold: count.optional().describe('Signatures that the contract needs, if it is a multisig'),
  signers: addresses.optional().describe('All signers of the contract, if it is a multisig'),
  delay: delay.optional().describe('Least time that an upgrade waits, or a call through a timelock'),
  controllers: z
    .array(controller)
    .max(500)
    .optional()
    .describe('All accounts on the paths to an upgrade, in any order'),
  powers: z
    .partialRecord(z.enum(EFFECTS), power)
    .optional()
    .describe('All powers of privileged callers; a power that is not listed is a difference'),
})

/** Fields with one address, in which a policy can also state that there is none. */
export const ADDRESS_FIELDS = [
  'implementation',
  'secondaryImplementation',
  'admin',
  'owner',
  'beacon',
  'singleton',
  'guard',
  'fallbackHandler',
] as const satisfies readonly (keyof z.infer<typeof contract>)[]

export const policySchema = z
  .strictObject({ version: z.literal(1, 'must be 1'), contracts: z.array(contract).min(1).max(10_000) })
  .meta({ title: 'Gatewatch policy', description: 'What `gatewatch check` expects of the control of contracts.' })

export type Policy = z.infer<typeof policySchema>
export type ExpectedContract = Policy['contracts'][number]

export type ParsedPolicy = {
  readonly policy: Policy
  readonly lineOf: (path: FieldPath) => number
}

export function parsePolicy(text: string): ParsedPolicy {
  const { data, lineOf } = parseYamlFile(text, policySchema)
  return { policy: data, lineOf }
}
