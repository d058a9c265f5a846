/** Parameters that several routes take. */

import { z } from 'zod'
import { CATEGORIES } from '../../../../vocabulary/categories.ts'
import { SEVERITIES } from '../../../../vocabulary/severities.ts'
import type { Hex } from '../../lib/hex.ts'
import { flag, plainText, refuse, wholeNumber } from '../../lib/http/params.ts'
import { CHAINS, type Chain, findChain } from '../chains/chains.ts'
import { parseAddress } from '../chains/parse-address.ts'
import type { FeedPageRequest } from '../feed/feed-page.ts'

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
  .transform((text, context): Hex => {
    const parsed = parseAddress(text)
    return 'refusal' in parsed ? refuse(context, 'invalid_address', parsed.refusal) : parsed.address
  })

export const cursor = plainText(512).optional().describe('nextCursor of the previous page')

export const severity = z.enum(SEVERITIES, `must be one of ${SEVERITIES.join(', ')}`)
export const category = z.enum(CATEGORIES, `must be one of ${CATEGORIES.join(', ')}`)

export const eventsQuery = z.strictObject({
  chain: chain.optional(),
  address: address.optional(),
  severity: severity.optional().describe('Minimum severity'),
  key: plainText(128).optional().describe('Exact eventKey'),
  category: category.optional(),
  includeInit: flag,
  limit: wholeNumber(1, 200).default(50),
  cursor,
})

export function feedPageRequest(query: z.infer<typeof eventsQuery>): FeedPageRequest {
  const { chain, severity: minSeverity, address, key, category, includeInit, limit, cursor } = query
  return { filter: { chainId: chain?.id, address, minSeverity, key, category, includeInit }, limit, cursor }
}
