/** Response schemas of `/public` that `/v1` does not have: control tree, history, lists, search. */
import { z } from 'zod'
import { LABELS } from '../../../../vocabulary/labels.ts'
import { controlProfile, controlSummary, instant } from './schemas.ts'

const label = z.enum(LABELS)
export const controlNode = z
  .object({
    chainId: z.int(),
    address: z.string(),
    role: z.string().describe('What the account is to the account it controls'),
    kind: z.string(),
    text: z.string(),
    label: z.enum([...LABELS, 'circular']),
    threshold: z.int().nullable().describe('Signatures a multisig needs'),
    owners: z.int().nullable().describe('Number of owners of a multisig'),
    delaySeconds: z
      .number()
      .describe('Seconds that every change on this path must wait, up to and including this account'),
    notes: z.array(z.string()),
    signers: z.array(z.object({ address: z.string(), text: z.string() })).describe('Owners of a multisig'),
    get paths() {
      return z.array(controlNode)
    },
  })
  .meta({ id: 'ControlNode' })

export const control = z
  .object({
    profile: controlProfile,
    stale: z.boolean().describe('The last poll could not read everything'),
    kind: z.string(),
    blockNumber: z.int(),
    updatedAt: instant,
    tree: controlNode,
    labels: z.array(
      z.object({
        at: instant,
        blockNumber: z.int(),
        from: label.nullable(),
        to: label,
        cause: z.array(z.record(z.string(), z.unknown())),
      }),
    ),
    states: z.array(
      z.object({
        takenAt: instant,
        blockNumber: z.int(),
        polledAt: instant,
        polledBlock: z.int(),
        fields: z.record(z.string(), z.string().nullable()),
      }),
    ),
  })
  .meta({ id: 'Control' })

export const knownName = z
  .object({ chainSlug: z.string(), address: z.string(), name: z.string() })
  .meta({ id: 'KnownName' })

export const listedProtocol = z
  .object({
    protocol: z.string(),
    slug: z.string(),
    contracts: z.int(),
    chains: z.int(),
    lastEventAt: instant.nullable(),
    summary: controlSummary,
  })
  .meta({ id: 'ListedProtocol' })

export const overview = z
  .object({
    contracts: z.int(),
    summary: controlSummary,
    events24h: z.object({ info: z.int(), high: z.int(), critical: z.int() }),
  })
  .meta({ id: 'Overview' })

const foundContract = z.object({
  chainId: z.int(),
  chainSlug: z.string(),
  address: z.string(),
  name: z.string().nullable(),
  protocol: z.string().nullable(),
  kind: z.string(),
  label,
})

export const searchResults = z
  .object({
    contracts: z.array(foundContract),
    protocols: z.array(z.object({ protocol: z.string(), slug: z.string(), contracts: z.int() })),
    transactions: z.array(
      z.object({
        chainId: z.int(),
        chainSlug: z.string(),
        address: z.string(),
        eventKey: z.string(),
        blockTime: instant,
      }),
    ),
    isComplete: z.boolean().describe('False if the search for the transaction timed out'),
  })
  .meta({ id: 'SearchResults' })
