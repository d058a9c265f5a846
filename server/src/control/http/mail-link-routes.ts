/**
 * The pages behind links in mails: confirm an address, unsubscribe. The token in the link authorizes the request.
 *
 * GET changes nothing, because mail programs open links in advance. Unsubscribing also takes the one-click POST of
 * RFC 8058.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Database } from '../../platform/database.ts'
import { deleteMailChannel, findConfirmation, findMailChannel, redeemConfirmation } from '../alerts/channels.ts'
import { escapeHtml } from '../alerts/mail-message.ts'

const query = z.strictObject({ token: z.string().regex(/^[\w-]{20,64}$/, 'is not a valid token') })

export function mailLinkRoutes({ database }: { readonly database: Database }) {
  return async (app: FastifyInstance): Promise<void> => {
    // Bodies are ignored: the token in the URL is enough.
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
      const confirmation = await findConfirmation(database, 'email', request.query.token)
      if (confirmation === undefined) return page(reply, 410, EXPIRED)
      return page(reply, 200, {
        title: 'Confirm this address',
        text: `Gatewatch will send alerts to ${confirmation.target ?? ''}.`,
        button: 'Confirm',
      })
    })
    app.post<{ Querystring: z.infer<typeof query> }>('/alerts/confirm', { schema }, async (request, reply) => {
      const isRedeemed = await redeemConfirmation(database, 'email', request.query.token)
      return isRedeemed
        ? page(reply, 200, { title: 'Confirmed', text: 'Gatewatch will send alerts to this address.' })
        : page(reply, 410, EXPIRED)
    })

    app.get<{ Querystring: z.infer<typeof query> }>('/alerts/unsubscribe', { schema }, async (request, reply) => {
      const channel = await findMailChannel(database, request.query.token)
      if (channel === undefined) return page(reply, 200, DONE)
      return page(reply, 200, {
        title: 'Unsubscribe',
        text: `Gatewatch will stop sending alerts to ${channel.target}.`,
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

const EXPIRED: Page = {
  title: 'This link is no longer valid',
  text: 'It was used already, replaced by a newer link, or is more than a day old. Request a new one on the channels page of your account.',
}
const DONE: Page = { title: 'Unsubscribed', text: 'Gatewatch sends no more alerts to this address.' }

function page(reply: FastifyReply, status: number, { title, text, button }: Page): FastifyReply {
  const form = button === undefined ? '' : `<form method="post"><button>${button}</button></form>`
  return reply
    .status(status)
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<title>${title} · Gatewatch</title><link rel="icon" href="/favicon.svg"><link rel="stylesheet" href="/mail-page.css">` +
        `<main><h1>${title}</h1><p>${escapeHtml(text)}</p>${form === '' ? '<a href="/account/channels">Your channels</a>' : form}</main></html>`,
    )
}
