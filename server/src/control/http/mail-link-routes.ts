/**
 * The two pages behind links in mails: confirming an address, and unsubscribing. No session: the link is the proof.
 *
 * Opening one changes nothing, because mail programs open links to look at them; a button does. Unsubscribing also
 * takes the one-click POST of RFC 8058, which mail programs offer themselves.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Database } from '../../platform/database.ts'
import { deleteMailChannel, findClaim, findMailChannel, redeemClaim } from '../alerts/channels.ts'
import { escapeHtml } from '../alerts/escape-html.ts'

const query = z.strictObject({ token: z.string().regex(/^[\w-]{20,64}$/, 'is not one of ours') })

export function mailLinkRoutes({ database }: { readonly database: Database }) {
  return async (app: FastifyInstance): Promise<void> => {
    // A form sends its fields, a mail program `List-Unsubscribe=One-Click`: the link itself says all that counts.
    app.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'multipart/form-data'],
      { parseAs: 'string', bodyLimit: 4_096 },
      (_request, _body, done) => done(null, undefined),
    )
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
    })
    const schema = { hide: true, querystring: query }

    app.get<{ Querystring: z.infer<typeof query> }>('/alerts/confirm', { schema }, async (request, reply) => {
      const claim = await findClaim(database, 'email', request.query.token)
      if (claim === undefined) return page(reply, 410, SPENT)
      return page(reply, 200, {
        title: 'Confirm this address',
        text: `Alerts of Gatewatch will be sent to ${claim.target ?? ''}.`,
        button: 'Confirm',
      })
    })
    app.post<{ Querystring: z.infer<typeof query> }>('/alerts/confirm', { schema }, async (request, reply) => {
      const isDone = await redeemClaim(database, 'email', request.query.token)
      return isDone
        ? page(reply, 200, { title: 'Confirmed', text: 'Alerts will be sent here.' })
        : page(reply, 410, SPENT)
    })

    app.get<{ Querystring: z.infer<typeof query> }>('/alerts/unsubscribe', { schema }, async (request, reply) => {
      const channel = await findMailChannel(database, request.query.token)
      if (channel === undefined) return page(reply, 200, DONE)
      return page(reply, 200, {
        title: 'Stop these mails?',
        text: `No more alerts will be sent to ${channel.target}.`,
        button: 'Unsubscribe',
      })
    })
    app.post<{ Querystring: z.infer<typeof query> }>('/alerts/unsubscribe', { schema }, async (request, reply) => {
      await deleteMailChannel(database, request.query.token)
      return page(reply, 200, DONE)
    })
  }
}

type Page = { readonly title: string; readonly text: string; readonly button?: string }

const SPENT: Page = {
  title: 'This link is spent',
  text: 'It was used, replaced by a newer one, or is more than a day old. Ask for another in your settings.',
}
const DONE: Page = { title: 'Unsubscribed', text: 'No more alerts are sent to this address.' }

function page(reply: FastifyReply, status: number, { title, text, button }: Page): FastifyReply {
  const form = button === undefined ? '' : `<form method="post"><button>${button}</button></form>`
  return reply
    .status(status)
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<title>${title} · Gatewatch</title><link rel="icon" href="/favicon.svg"><link rel="stylesheet" href="/letter.css">` +
        `<main><h1>${title}</h1><p>${escapeHtml(text)}</p>${form === '' ? '<a href="/account/channels">Your channels</a>' : form}</main></html>`,
    )
}
