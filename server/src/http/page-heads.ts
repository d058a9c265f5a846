/**
 * What search engines and messengers show of a page: its title and one sentence, `robots.txt` and `sitemap.xml`.
 *
 * The web app renders in the browser, and these readers run no script.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { labelText } from '../../../vocabulary/labels.ts'
import { shortPowerText } from '../../../vocabulary/powers.ts'
import { limitVisitors, type ThrottleDeps } from '../accounts/throttling.ts'
import { getAddress } from '../coins/serve/address-view.ts'
import { formatAmount } from '../coins/serve/amounts.ts'
import { isSynced, type ServedChains } from '../coins/serve/served-chain.ts'
import { COIN_CHAINS } from '../config/config.ts'
import { type Badge, escapeXml, protocolBadge, shortAddress } from '../control/badge/badge.ts'
import { type Card, labelCard } from '../control/badge/card.ts'
import { findChain, parseAddress } from '../control/chains/chains.ts'
import { getProtocolList } from '../control/views/overview.ts'
import type { BadgeProfiles } from '../control/views/profile-view.ts'
import { getNames } from '../control/views/search.ts'
import type { ReadDatabase } from '../platform/database.ts'

export type PageHead = {
  readonly title: string
  readonly description: string
  /** Path of the image that a messenger shows with a link. */
  readonly image: string
}

/** What a page is about, for its head and its image. */
export type PageSubject = { readonly head: PageHead; readonly card: Card }

export type PageHeads = (request: FastifyRequest) => Promise<PageHead | undefined>

type HeadDeps = {
  readonly profiles: BadgeProfiles
  readonly coins: ServedChains
  /** Throws 429 if the client made too many requests. */
  readonly limit: (request: FastifyRequest) => Promise<void>
}

/** Heads of the pages of contracts, protocols and coin addresses. Undefined for others, and whenever the data cannot be read. */
export function createPageHeads({ profiles, coins, limit }: HeadDeps): PageHeads {
  return async (request) => {
    const [, page, first = '', second = '', third = ''] = request.url.split(/[/?#]/)
    const isCoinAddress = page === 'coins' && second === 'address'
    if ((page !== 'contracts' && page !== 'protocols' && !isCoinAddress) || first === '') return undefined
    try {
      await limit(request)
      const subject = isCoinAddress
        ? findCoinPage(coins, first, third)
        : page === 'contracts'
          ? await findContractPage(profiles, first, second)
          : await findProtocolPage(profiles, decodeURIComponent(first))
      return subject?.head
    } catch {
      // The page itself works without a head, and reports what fails.
      return undefined
    }
  }
}

export async function findContractPage(
  profiles: BadgeProfiles,
  slug: string,
  text: string,
): Promise<PageSubject | undefined> {
  const chain = findChain(slug)
  const parsed = parseAddress(text)
  if (chain === undefined || 'refusal' in parsed) return undefined
  const known = await profiles.findProfile(chain.id, parsed.address)
  if (known === undefined) return undefined
  const subject = known.name ?? shortAddress(parsed.address)
  const image = `/cards/contracts/${chain.slug}/${parsed.address}.png`
  return subjectOf({ ...known, subject }, `on ${chain.name}`, image)
}

export async function findProtocolPage(profiles: BadgeProfiles, slug: string): Promise<PageSubject | undefined> {
  const known = await profiles.findProtocol(slug)
  if (known === undefined) return undefined
  const badge = protocolBadge(known.name, known.contracts)
  const where = badge.detail === undefined ? '' : `weakest of its contracts (${badge.detail})`
  return subjectOf(badge, where, `/cards/protocols/${encodeURIComponent(slug)}.png`)
}

function subjectOf(badge: Badge, where: string, image: string): PageSubject {
  const { label, leader, power, subject } = badge
  const statements = [labelText(label, leader), ...(power === undefined ? [] : [shortPowerText(power)])]
  const title = `${subject}: ${statements[0]}`
  const description = `Who controls ${subject}: ${statements.join('. ')}${where === '' ? '' : `, ${where}`}.`
  return { head: { title, description, image }, card: labelCard(badge, where) }
}

/** The page of a coin address. Undefined while the index is not synced: its balance would be wrong. */
export function findCoinPage(coins: ServedChains, slug: string, text: string): PageSubject | undefined {
  const chain = COIN_CHAINS.find((known) => known === slug)
  const served = chain === undefined ? undefined : coins.find(chain)
  if (chain === undefined || served === undefined || !isSynced(served)) return undefined
  const { address, balance, txCount } = getAddress(served, text)
  const { chainName, symbol, name } = served.network
  const where = `on ${chainName}${name === 'main' ? '' : ` (${name})`}`
  const subject = address.length > 26 ? `${address.slice(0, 14)}…${address.slice(-8)}` : address
  const statements = [
    `${formatAmount(balance)} ${symbol}`,
    `${txCount.toLocaleString('en-US')} confirmed ${txCount === 1 ? 'transaction' : 'transactions'}`,
  ]
  return {
    head: {
      title: `${subject}: ${statements[0]}`,
      description: `Address ${address} ${where}: ${statements.join(', ')}. Coins, fees to spend them, privacy and history.`,
      image: `/cards/coins/${chain}/${address}.png`,
    },
    card: { tone: 'grey', subject, where, statements },
  }
}

/** Puts the title and the tags of link previews into a page. Names of contracts are texts that anyone can write. */
export function withHead(
  html: string,
  { title, description, image }: PageHead,
  { publicUrl, path }: { readonly publicUrl: string; readonly path: string },
): string {
  const [shownTitle, shownDescription] = [escapeXml(`${title} · Gatewatch`), escapeXml(description)]
  const tags = [
    `<title>${shownTitle}</title>`,
    `<meta property="og:site_name" content="Gatewatch" />`,
    `<meta property="og:type" content="website" />`,
    `<meta property="og:title" content="${escapeXml(title)}" />`,
    `<meta property="og:description" content="${shownDescription}" />`,
    `<meta property="og:url" content="${escapeXml(publicUrl + path)}" />`,
    `<meta property="og:image" content="${escapeXml(publicUrl + image)}" />`,
    `<meta property="og:image:width" content="1200" />`,
    `<meta property="og:image:height" content="630" />`,
    `<meta name="twitter:card" content="summary_large_image" />`,
  ]
  return html
    .replace(/<meta name="description"[^>]*>/, () => `<meta name="description" content="${shownDescription}" />`)
    .replace(/<title>[^<]*<\/title>/, () => tags.join(''))
}

export type SitemapDeps = ThrottleDeps & {
  readonly database: ReadDatabase
  readonly publicUrl: string
  /** Invented data must not be found by search engines. */
  readonly demo: boolean
}

const STATIC_PAGES = ['', '/feed', '/pending', '/protocols', '/coins', '/badges', '/docs', '/plans', '/status']
const MAX_AGE_SECONDS = 3_600

export function sitemapRoutes(deps: SitemapDeps) {
  const { database, publicUrl, demo } = deps
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onRequest', limitVisitors(deps, 'rate_limited'))
    const unlisted = { schema: { hide: true }, exposeHeadRoute: true }
    app.get('/robots.txt', unlisted, async (_request, reply) => {
      const rules = demo
        ? ['Disallow: /']
        : ['account', 'operator', 'sign-in', 'sign-up', 'search', 'me', 'api', 'v1', 'public'].map(
            (page) => `Disallow: /${page}`,
          )
      const lines = ['User-agent: *', ...rules, ...(demo ? [] : [`Sitemap: ${publicUrl}/sitemap.xml`])]
      return reply
        .type('text/plain; charset=utf-8')
        .header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`)
        .serializer(String)
        .send(`${lines.join('\n')}\n`)
    })
    app.get('/sitemap.xml', unlisted, async (_request, reply) => {
      const [protocols, contracts] = demo
        ? [[], []]
        : await Promise.all([getProtocolList({ database }), getNames({ database })])
      const paths = [
        ...STATIC_PAGES,
        ...protocols.map(({ slug }) => `/protocols/${encodeURIComponent(slug)}`),
        ...contracts.map(({ chainSlug, address }) => `/contracts/${chainSlug}/${address}`),
      ]
      const entries = paths.map((path) => `<url><loc>${escapeXml(publicUrl + path)}</loc></url>`)
      return reply
        .type('application/xml; charset=utf-8')
        .header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`)
        .serializer(String)
        .send(
          `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`,
        )
    })
  }
}
