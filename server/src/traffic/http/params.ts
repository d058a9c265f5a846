/** The query parameters of the analytics API. */
import { z } from 'zod'
import { COIN_CHAINS, EVM_CHAINS } from '../../config/config.ts'
import { plainText, refuse, wholeNumber } from '../../lib/http/params.ts'

const isInstant = (text: string): boolean =>
  z.union([z.iso.datetime({ offset: true }), z.iso.date()]).safeParse(text).success

/** A time outside these bounds is a mistake, such as seconds given as milliseconds. */
const [EARLIEST, LATEST] = [Date.UTC(2000, 0, 1), Date.UTC(2100, 0, 1)]

const instant = z
  .string()
  .transform((text, context): number => {
    const at = isInstant(text) ? Date.parse(text) : Number.NaN
    return at >= EARLIEST && at < LATEST
      ? at
      : refuse(context, 'INVALID_PARAMETER', 'must be an ISO 8601 instant or date, such as 2026-03-01T12:00:00Z')
  })
  .meta({ documentedAs: { type: 'string', examples: ['2026-03-01T12:00:00Z'] } })

export const scope = {
  scope: z
    .enum(['own', 'all'], 'must be own or all')
    .default('own')
    .describe('`own`: requests of your own keys. `all`: requests of all accounts, for operators only.'),
  key: z.uuid('must be the id of a key (a UUID)').optional().describe('Id of a key; only its requests are included'),
}

export const range = {
  from: instant
    .optional()
    .describe('Start of the range. Default: 24 hours before the end, 30 days in the daily chart.'),
  to: instant.optional().describe('End of the range, exclusive. Default: now.'),
}

export const status = z
  .string()
  .regex(/^[1-5](\d\d|xx)$/, 'must be a status such as 404 or a class such as 4xx')
  .transform((text): readonly [number, number] => [Number(text.replace('xx', '00')), Number(text.replace('xx', '99'))])
  .meta({ documentedAs: { type: 'string', pattern: '^[1-5](\\d\\d|xx)$' } })

const CHAINS = [...COIN_CHAINS, ...EVM_CHAINS] as const
export const chain = z.enum(CHAINS, `must be one of ${CHAINS.join(', ')}`)
export const endpoint = plainText(200).describe('A route as listed by `/endpoints`, such as /api/v2/tx/{txid}')
export const page = {
  page: wholeNumber(1, 1_000_000)
    .default(1)
    .describe('Page number within the first 10,000 entries. Use `cursor` beyond them.'),
  pageSize: wholeNumber(1, 100).default(25),
  cursor: z.string().max(512).optional().describe('`nextCursor` of the previous page. `page` is then ignored.'),
}
