/**
 * Test receivers of alerts: a mail server, a server with Telegram's documented bot API, and a webhook receiver.
 */
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { ParsedMail } from 'mailparser'
import { keepSecretOfTest } from './log.ts'

/** Longer than any step takes on a busy machine, so that a failed wait ends with a message. */
const LONGEST_WAIT_MS = 240_000
/** Rare enough that waits of several files leave the cores to those that work. */
const POLL_MS = 30

/** Waits until `find` returns a value. */
export async function eventually<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const giveUpAt = Date.now() + LONGEST_WAIT_MS
  while (Date.now() < giveUpAt) {
    const found = await find()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error(`this never returned a value: ${find.toString()}`)
}

export async function serve(handler: RequestListener): Promise<string> {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  after(() => server.closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const bodyOf = async (request: Parameters<RequestListener>[0]): Promise<string> => {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
  return body
}

export type MailSink = { readonly url: string; readonly mails: ParsedMail[]; refuseWith: string | undefined }

export async function mailSink(): Promise<MailSink> {
  // Loaded here, because most tests use only other functions of this module.
  const [{ simpleParser }, { SMTPServer }] = await Promise.all([import('mailparser'), import('smtp-server')])
  const mails: ParsedMail[] = []
  const sink: MailSink = { url: '', mails, refuseWith: undefined }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: (_address, _session, done) => {
      if (sink.refuseWith === undefined) done()
      else done(Object.assign(new Error(sink.refuseWith), { responseCode: 451 }))
    },
    onData: (stream, _session, done) => {
      simpleParser(stream, (error, mail) => {
        if (error === null || error === undefined) mails.push(mail)
        done(error)
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => new Promise<void>((resolve) => server.close(resolve)))
  return Object.assign(sink, { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}` })
}

type Keyboard = { readonly inline_keyboard: readonly (readonly { text: string; callback_data: string }[])[] }
export type BotMessage = {
  readonly chat_id: number
  readonly text: string
  readonly parse_mode?: string
  readonly reply_markup?: Keyboard
}
export type Refusal = { readonly error_code: number; readonly description: string; readonly parameters?: object }

export type BotServer = {
  readonly url: string
  readonly token: string
  readonly sent: (BotMessage & { readonly at: number })[]
  /** Responses for the next messages, used before messages are accepted. */
  readonly refusals: Refusal[]
  /** A user or a group writes to the bot. */
  readonly write: (chat: object, text: string) => void
  /** A member of a chat presses the button below a message. */
  readonly press: (chat: object, data: string) => void
  /** The texts of answers to presses, and of the buttons that replaced pressed ones. */
  readonly answers: string[]
  readonly polls: () => number
}

/** https://core.telegram.org/bots/api: getMe, getUpdates with offset and long polling, sendMessage with its limits, buttons. */
export async function botServer(): Promise<BotServer> {
  const token = keepSecretOfTest('123456:TEST-token_of_a_bot')
  const sent: BotServer['sent'] = []
  const refusals: Refusal[] = []
  const answers: string[] = []
  let updates: ({ update_id: number } & Record<string, unknown>)[] = []
  let [nextId, polls] = [1000, 0]
  let arrived = () => {}

  const getUpdates = async ({ offset, timeout }: { offset?: number; timeout?: number }): Promise<unknown> => {
    polls += 1
    if (offset !== undefined) updates = updates.filter((update) => update.update_id >= offset)
    if (updates.length === 0 && timeout !== undefined && timeout > 0)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeout * 1_000)
        arrived = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    return updates
  }
  const sendMessage = (message: BotMessage): unknown => {
    const refusal = refusals.shift()
    if (refusal !== undefined) return refusal
    const plain = message.text.replaceAll(/<[^>]*>/g, '')
    if (plain.length > 4_096) return { error_code: 400, description: 'Bad Request: message is too long' }
    if (/<(?!\/?(b|i|code|a)\b)/.test(message.text))
      return { error_code: 400, description: "Bad Request: can't parse entities" }
    if (hasBadButton(message.reply_markup)) return { error_code: 400, description: 'Bad Request: BUTTON_DATA_INVALID' }
    sent.push({ ...message, at: Date.now() })
    return undefined
  }
  const hasBadButton = (keyboard: Keyboard | undefined): boolean =>
    keyboard?.inline_keyboard.flat().some(({ text, callback_data: data }) => text === '' || data.length > 64) === true
  const url = await serve((request, response) => {
    void (async () => {
      const parameters = JSON.parse((await bodyOf(request)) || '{}')
      const answer = (status: number, body: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      if (!(request.url ?? '').startsWith(`/bot${token}/`))
        return answer(401, { ok: false, error_code: 401, description: 'Unauthorized' })
      const method = (request.url ?? '').split('/').at(-1)
      if (method === 'getMe')
        return answer(200, { ok: true, result: { id: 1, is_bot: true, username: 'gatewatch_bot' } })
      if (method === 'getUpdates') return answer(200, { ok: true, result: await getUpdates(parameters) })
      if (method === 'answerCallbackQuery') answers.push(`answer: ${parameters.text}`)
      if (method === 'editMessageReplyMarkup')
        answers.push(`button: ${parameters.reply_markup.inline_keyboard[0][0].text}`)
      if (method !== 'sendMessage') return answer(200, { ok: true, result: true })
      const refusal = sendMessage(parameters) as Refusal | undefined
      if (refusal !== undefined) return answer(refusal.error_code, { ok: false, ...refusal })
      return answer(200, { ok: true, result: { message_id: sent.length } })
    })()
  })
  return {
    url,
    token,
    sent,
    refusals,
    write: (chat, text) => {
      nextId += 1
      updates.push({ update_id: nextId, message: { message_id: nextId, date: 0, chat, text } })
      arrived()
    },
    press: (chat, data) => {
      nextId += 1
      const message = { message_id: nextId, date: 0, chat }
      const from = { id: 5, is_bot: false, first_name: 'Ada', username: 'ada' }
      updates.push({ update_id: nextId, callback_query: { id: String(nextId), from, message, data } })
      arrived()
    },
    answers,
    polls: () => polls,
  }
}

export type Hook = {
  readonly body: string
  readonly headers: Record<string, string>
  readonly at: number
  readonly path: string
}

export type HookReceiver = {
  readonly url: string
  readonly calls: Hook[]
  /** Response status by path. */
  readonly answers: Map<string, number>
  /** Response headers by path. */
  readonly headers: Map<string, Readonly<Record<string, string>>>
}

export async function hookReceiver(): Promise<HookReceiver> {
  const calls: Hook[] = []
  const answers = new Map<string, number>()
  const answerHeaders: HookReceiver['headers'] = new Map()
  const url = await serve((request, response) => {
    void (async () => {
      const path = request.url ?? '/'
      const headers = request.headers as IncomingHttpHeaders & Record<string, string>
      calls.push({ body: await bodyOf(request), headers, at: Date.now(), path })
      response.writeHead(answers.get(path) ?? 204, answerHeaders.get(path)).end()
    })()
  })
  return { url, calls, answers, headers: answerHeaders }
}
