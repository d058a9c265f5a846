/**
 * The web app: its built files, and one page for each of its addresses.
 *
 * Files under `/assets` carry a hash of their content in their name and never change; the page itself is asked for
 * anew every time, so that a new version is seen at once.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const BUILT = join(import.meta.dirname, '..', '..', '..', 'web', 'dist')

/** First parts of the addresses the app has pages for. */
const PAGES = [
  'contracts',
  'protocols',
  'search',
  'badges',
  'status',
  'coins',
  'sign-in',
  'sign-up',
  'reset-password',
  'verify-email',
  'account',
  'operator',
]

/** What is there instead of a page when nobody has built the app. */
const NOT_BUILT =
  '<!doctype html><html lang="en"><title>Gatewatch</title><p>The web app is not built: run <code>node scripts/build-web.mjs</code>. The interfaces are described at <a href="/docs">/docs</a>.</p></html>'

export type WebPage = (reply: FastifyReply) => FastifyReply

export type WebPageOptions = {
  /** It knows a demo from the start: what is said of it would otherwise come in later and move everything. */
  readonly demo: boolean
  readonly folder?: string
}

/** The page every address of the app begins with. */
export function createWebPage({ demo, folder = BUILT }: WebPageOptions): WebPage {
  const file = join(folder, 'index.html')
  let page = ''
  let builtAt: number | undefined
  return (reply) => {
    const found = statSync(file, { throwIfNoEntry: false })?.mtimeMs
    // Built anew while we run, it names other files, and those of the last build are gone.
    if (found !== builtAt && found !== undefined)
      page = readFileSync(file, 'utf8').replace('<html', demo ? '<html data-demo' : '<html')
    builtAt = found ?? builtAt
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .serializer(String)
      .send(builtAt === undefined ? NOT_BUILT : page)
  }
}

export function webRoutes(page: WebPage) {
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
    const answer = (_request: FastifyRequest, reply: FastifyReply) => page(reply)
    app.get('/', unlisted, answer)
    for (const name of PAGES) {
      app.get(`/${name}`, unlisted, answer)
      app.get(`/${name}/*`, unlisted, answer)
    }
  }
}

/** Whether an address nobody knows was opened by a person: they get the app's own page for it. */
export const wantsPage = ({ method, url, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  !/^\/(v1|api|me|badge|public|docs|assets)(\/|\?|$)/.test(url) &&
  (headers.accept ?? '').includes('text/html')
