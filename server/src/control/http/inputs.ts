/** What a caller may write for a chain, an address, a page: parsed once, refused by name. */

import { z } from 'zod'
import { CATEGORIES } from '../../../../vocabulary/categories.ts'
import { SEVERITIES } from '../../../../vocabulary/severities.ts'
import { plainText, refuse } from '../../lib/params.ts'
import { CHAINS, type Chain, findChain } from '../chains/chains.ts'
import { parseAddress } from '../chains/parse-address.ts'

export const chain = z
  .string()
  .describe(`Chain slug or numeric chain id: ${CHAINS.map(({ slug, id }) => `${slug} (${id})`).join(', ')}`)
  .transform(
    (text, context): Chain =>
      findChain(text) ??
      refuse(context, 'unknown_chain', `must be one of ${CHAINS.map(({ slug }) => slug).join(', ')}, or its chain id`),
  )

export const address = z
  .string()
  .describe('0x and 40 hexadecimal characters; mixed case must carry a valid EIP-55 checksum')
  .transform((text, context): string => {
    const parsed = parseAddress(text)
    return 'refusal' in parsed ? refuse(context, 'invalid_address', parsed.refusal) : parsed.address
  })

export const cursor = plainText(512).optional().describe('nextCursor of the page before')

export const severity = z.enum(SEVERITIES, `must be one of ${SEVERITIES.join(', ')}`)
export const category = z.enum(CATEGORIES, `must be one of ${CATEGORIES.join(', ')}`)
