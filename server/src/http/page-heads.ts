/**
 * What search engines and messengers show of a page: its title and one sentence, `robots.txt` and `sitemap.xml`.
 *
 * The web app renders in the browser, and these readers run no script.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { labelText } from '../../../vocabulary/labels.ts'
import { shortPowerText } from '../../../vocabulary/powers.ts'
import { limitVisitors, type ThrottleDeps } from '../accounts/throttling.ts'
import { type Badge, escapeXml, protocolBadge, shortAddress } from '../control/badge/badge.ts'
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
export type PageSubject = { readonly badge: Badge; readonly where: string; readonly image: string }

export type PageHeads = (request: FastifyRequest) => Promise<PageHead | undefined>

type HeadDeps = {
  readonly profiles: BadgeProfiles
  /** Throws 429 if the client made too many requests. */
  readonly limit: (request: FastifyRequest) => Promise<void>
}

/** Heads of the pages of contracts and protocols. Undefined for others, and whenever the data cannot be read. */
export function createPageHeads({ profiles, limit }: HeadDeps): PageHeads {
  return async (request) => {
    const [, page, first = '', second = ''] = request.url.split(/[/?#]/)
    if ((page !== 'contracts' && page !== 'protocols') || first === '') return undefined
    try {
      await limit(request)
      const subject =
        page === 'contracts'
          ? await findContractPage(profiles, first, second)
          : await findProtocolPage(profiles, decodeURIComponent(first))
      return subject === undefined ? undefined : headOf(subject)
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
  return { badge: { ...known, subject }, where: `on ${chain.name}`, image }
}

export async function findProtocolPage(profiles: BadgeProfiles, slug: string): Promise<PageSubject | undefined> {
  const known = await profiles.findProtocol(slug)
  if (known === undefined) return undefined
  const badge = protocolBadge(known.name, known.contracts)
  const where = badge.detail === undefined ? '' : `weakest of its contracts (${badge.detail})`
  return { badge, where, image: `/cards/protocols/${encodeURIComponent(slug)}.png` }
}

function headOf({ badge: { label, leader, power, subject }, where, image }: PageSubject): PageHead {
  const statements = [labelText(label, leader), ...(power === undefined ? [] : [shortPowerText(power)])]
  return {
    title: `${subject}: ${statements[0]}`,
    description: `Who controls ${subject}: ${statements.join('. ')}${where === '' ? '' : `, ${where}`}.`,
    image,
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
