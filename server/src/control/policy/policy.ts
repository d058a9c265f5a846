/** The policy file of `gatewatch check`: what is expected of the control of each contract. */
import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { z } from 'zod'
import { LABELS } from '../../../../vocabulary/labels.ts'
import { EFFECTS } from '../../../../vocabulary/powers.ts'
import { reasonOf } from '../../lib/errors.ts'
import type { Hex } from '../../lib/hex.ts'
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
const orNone = address.nullable()

const MAX_SECONDS = 1_000_000_000
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** Seconds, or a number with a unit: 90s, 30m, 48h, 2d. */
const duration = z
  .union(
    [z.int().min(0).max(MAX_SECONDS), z.string().regex(/^\d{1,9}[smhd]$/)],
    'must be seconds, or 90s, 30m, 48h, 2d',
  )
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
const atLeast = <Item extends z.ZodType>(item: Item) => z.union([item, z.strictObject({ atLeast: item })])

const label = z.enum(LABELS, `must be one of ${LABELS.join(', ')}`)
const count = z.int().min(1).max(500)

const controller = z.strictObject({
  address,
  chain: z.union([z.string(), z.int()]).optional().describe('Chain of the account, if it is not that of the contract'),
  kind: z.string().max(64).optional().describe('What the account is, such as safe, timelock_oz or eoa'),
  threshold: atLeast(count).optional().describe('Signatures that a multisig needs'),
  signers: addresses.optional().describe('All signers of a multisig'),
  delay: atLeast(duration).optional().describe('Time that a change waits on the path up to this account'),
})

const power = z.strictObject({
  label: atLeast(label).optional().describe('Label of the weakest holder'),
  delay: atLeast(duration).optional().describe('Least time that a use of the power waits'),
  holders: addresses.optional().describe('All accounts that hold the power'),
})

const contract = z.strictObject({
  chain: z.union([z.string(), z.int()]).describe('Slug or numeric id of the chain'),
  address,
  name: z.string().min(1).max(200).optional().describe('Name for the report'),
  label: atLeast(label).optional().describe('Who can replace the code'),
  kind: z.string().max(64).optional().describe('Kind of the contract, such as proxy_transparent or safe'),
  implementation: orNone.optional().describe('Address of the logic; null for none'),
  admin: orNone.optional().describe('Admin of the proxy; null for none'),
  owner: orNone.optional().describe('Owner; null for none'),
  beacon: orNone.optional().describe('Beacon of the proxy; null for none'),
  threshold: atLeast(count).optional().describe('Signatures that the contract needs, if it is a multisig'),
  signers: addresses.optional().describe('All signers of the contract, if it is a multisig'),
  delay: atLeast(duration).optional().describe('Least time that an upgrade waits, or a call through a timelock'),
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

export const policySchema = z
  .strictObject({ version: z.literal(1, 'must be 1'), contracts: z.array(contract).min(1).max(10_000) })
  .meta({ title: 'Gatewatch policy', description: 'What `gatewatch check` expects of the control of contracts.' })

export type Policy = z.infer<typeof policySchema>
export type ExpectedContract = Policy['contracts'][number]
export type FieldPath = readonly (string | number)[]

export type ParsedPolicy = {
  readonly policy: Policy
  /** The line of a field, or of the nearest field around it. */
  readonly lineOf: (path: FieldPath) => number
}

/** All faults of the file, each with its line. */
export class PolicyFaults extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

const HEX_INTEGER = 'HEX'

/** Addresses without quotes stay texts: as integers they would lose digits. */
export function readDocument(text: string) {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    customTags: (tags) =>
      tags.filter((tag) => typeof tag === 'string' || !('format' in tag) || tag.format !== HEX_INTEGER),
  })
  return { document, lines }
}

export function parsePolicy(text: string): ParsedPolicy {
  const { document, lines } = readDocument(text)
  const syntax = document.errors.map(({ message }) => message.split('\n')[0] ?? message)
  if (syntax.length > 0) throw new PolicyFaults(syntax)
  const lineOf = (path: FieldPath): number => lines.linePos(offsetOf(document.contents, path)).line || 1
  const parsed = policySchema.safeParse(valueOf(document))
  if (parsed.success) return { policy: parsed.data, lineOf }
  throw new PolicyFaults(
    parsed.error.issues.map((issue) => {
      const path = issue.path.filter((part) => typeof part !== 'symbol')
      return `line ${lineOf(path)}: ${path.length === 0 ? 'the file' : path.join('.')}: ${issue.message}`
    }),
  )
}

/** Anchors that repeat each other can stand for a value that no memory holds. */
function valueOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw new PolicyFaults([reasonOf(error)])
  }
}

function offsetOf(root: unknown, path: FieldPath): number {
  let [offset, node] = [0, root]
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))
      if (pair === undefined) break
      offset = (pair.key as Node).range?.[0] ?? offset
      node = pair.value
    } else if (isSeq(node) && typeof part === 'number') {
      node = node.items[part]
      offset = (node as Node | undefined)?.range?.[0] ?? offset
    } else break
  }
  return offset
}
