/** Response schemas of the search and of known names. */
import { z } from 'zod'
import { instant } from '../../lib/http/params.ts'
import { label, tone } from './schemas.ts'

export const knownName = z
  .object({
    chainSlug: z.string(),
    address: z.string(),
    name: z.string(),
    token: z.object({ symbol: z.string(), decimals: z.int() }).optional().describe('Of a contract that is a token'),
  })
  .meta({ id: 'KnownName' })

const foundContract = z.object({
  chainId: z.int(),
  chainSlug: z.string(),
  address: z.string(),
  name: z.string().nullable(),
  protocol: z.string().nullable(),
  kind: z.string(),
  label,
  labelText: z.string(),
  tone,
})

export const searchResults = z
  .object({
    contracts: z.array(foundContract),
    protocols: z.array(z.object({ protocol: z.string(), slug: z.string(), contracts: z.int() })),
    accounts: z
      .array(
        z.object({
          chainId: z.int(),
          chainSlug: z.string(),
          address: z.string(),
          controls: z.int().describe('Contracts that the account controls'),
        }),
      )
      .describe('Accounts that control contracts and are not watched themselves'),
    names: z
      .array(z.object({ name: z.string(), chainId: z.int(), chainSlug: z.string(), address: z.string() }))
      .describe('The address of an ENS name, for each chain whose registry has it'),
    eventKinds: z.array(z.object({ key: z.string(), category: z.string() })),
    transactions: z.array(
      z.object({
        chainId: z.int(),
        chainSlug: z.string(),
        hash: z.string(),
        events: z.int(),
        blockTime: instant,
      }),
    ),
    isComplete: z
      .boolean()
      .describe('False if the search for the transaction timed out, or the name could not be looked up'),
  })
  .meta({ id: 'SearchResults' })
