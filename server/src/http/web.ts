/**
 * Serves the built web app: its files, and `index.html` for each of its routes.
 *
 * Files under `/assets` have a content hash in their name and are cached for good. The page itself is revalidated every
 * time, so that browsers load a new version at once.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type PageHeads, withHead } from './page-heads.ts'

const BUILT = join(import.meta.dirname, '..', '..', '..', 'web', 'dist')

/** First path segments of the routes of the web app. */
const PAGES = [
  'contracts',
  'docs',
  'feed',
  'pending',
  'transactions',
  'protocols',
  'search',
  'badges',
  'plans',
  'status',
  'coins',
  'sign-in',
  'sign-up',
  'reset-password',
  'verify-email',
  'account',
  'operator',
]

/** Served if the app has not been built. */
const NOT_BUILT =
  '<!doctype html><html lang="en"><title>Gatewatch</title><p>The web app has not been built. Run <code>node scripts/build-web.mjs</code>. The API is described at <a href="/openapi.json">/openapi.json</a>.</p></html>'

export type WebPage = (reply: FastifyReply, head?: HeadOf) => FastifyReply
/** Changes the page before it is sent. */
type HeadOf = (html: string) => string

export type WebPageOptions = {
  /** Marks the page as a demo before the first render, so that the demo notice does not shift the layout later. */
  readonly demo: boolean
  readonly folder?: string
}

/** Creates the response with `index.html`. It is read again when the app is rebuilt, because it names other files then. */
export function createWebPage({ demo, folder = BUILT }: WebPageOptions): WebPage {
  const file = join(folder, 'index.html')
  let page = ''
  let builtAt: number | undefined
  return (reply, head = (html) => html) => {
    const found = statSync(file, { throwIfNoEntry: false })?.mtimeMs
    if (found !== builtAt && found !== undefined)
      page = readFileSync(file, 'utf8').replace('<html', demo ? '<html data-demo' : '<html')
    builtAt = found ?? builtAt
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .serializer(String)
      .send(builtAt === undefined ? NOT_BUILT : head(page))
  }
}

type WebDeps = { readonly page: WebPage; readonly headOf: PageHeads; readonly publicUrl: string }

export function webRoutes({ page, headOf, publicUrl }: WebDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    if (existsSync(BUILT)) {
      await app.register(fastifyStatic, {
        root: join(BUILT, 'assets'),
        prefix: '/assets/',
        immutable: true,
        maxAge: '1y',
        preCompressed: true,
      })
      await app.register(fastifyStatic, {
        root: BUILT,
        wildcard: false,
        globIgnore: ['assets/**', 'index.html'],
        index: false,
        maxAge: '1h',
        decorateReply: false,
      })
    }
    const unlisted = { schema: { hide: true }, exposeHeadRoute: true }
    const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
      const head = await headOf(request)
      return page(reply, (html) => (head === undefined ? html : withHead(html, head, { publicUrl, path: request.url })))
    }
    app.get('/', unlisted, sendPage)
    for (const name of PAGES) {
      app.get(`/${name}`, unlisted, sendPage)
      app.get(`/${name}/*`, unlisted, sendPage)
    }
  }
}

/** Reports whether a browser opened an unknown path: then the web app shows its own page for it. */
export const wantsPage = ({ method, url, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  !/^\/(v1|api|me|badge|cards|public|assets)(\/|\?|$)/.test(url) &&
  (headers.accept ?? '').includes('text/html')
