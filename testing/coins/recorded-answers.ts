/**
 * Records what a Bitcoin node answers to a test, and replays it to the same test where no node is installed.
 *
 * A call that changes the node has its answers in the order of the recording. Between two such calls, a read has one
 * answer. `node testing/coins/record-answers.ts` records again.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type CoreDaemon, coreClient, startCoreDaemon } from './core-daemon.ts'
import { bitcoindPath } from './core-payments.ts'

type Reply = { readonly status: number; readonly body: Buffer }
/** A reply, and how many changes the node had seen before it. The body is text, or base64 of REST. */
type Recorded = readonly [changes: number, status: number, body: string]
type Recording = Readonly<Record<string, readonly Recorded[]>>

const isRecording = process.env['RECORD_ANSWERS'] === '1'
const fileOf = (name: string): string => join(import.meta.dirname, '..', 'fixtures', 'btc-answers', `${name}.json.gz`)

/** Where the answers of a test come from: a recording, and the `bitcoind` on the PATH. */
export const bitcoinNodes = (name: string) => [
  {
    source: 'recorded answers',
    skip: isRecording && 'they are being recorded',
    start: () => replay(name),
  },
  {
    source: 'a real node',
    skip: bitcoindPath === undefined && 'no bitcoind on the PATH; the recorded answers are checked instead',
    start: async (optionsFor: (program: string) => readonly string[]): Promise<CoreDaemon> => {
      const program = bitcoindPath ?? 'bitcoind'
      const daemon = await startCoreDaemon(program, optionsFor(program))
      return isRecording ? record(daemon, name) : daemon
    },
  },
]

const READS =
  /^(get(?!newaddress|rawchangeaddress)|list|test|decode|derive|createraw|finalize|sign|walletprocess|uptime|verify|estimate|sync)/

type Request = { readonly key: string; readonly body: Buffer; readonly isRead: boolean; readonly isRest: boolean }

async function readRequest(incoming: IncomingMessage): Promise<Request> {
  const body = await buffer(incoming)
  const isRest = incoming.method === 'GET'
  const call: unknown = isRest ? [] : JSON.parse(body.toString())
  const method = typeof call === 'object' && call !== null && 'method' in call ? String(call.method) : undefined
  // Batches are reads.
  return { key: `${incoming.url} ${body.toString()}`, body, isRest, isRead: method === undefined || READS.test(method) }
}

async function listen(
  answer: (incoming: IncomingMessage) => Promise<Reply>,
): Promise<{ url: string; stop: () => void }> {
  const server = createServer((incoming, outgoing) => {
    answer(incoming).then(
      ({ status, body }) => outgoing.writeHead(status).end(body),
      (error: unknown) => outgoing.destroy(error as Error),
    )
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://user:p%40ss@127.0.0.1:${port}`,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Passes all calls on to the node, and writes the recording when the node is removed. */
async function record(daemon: CoreDaemon, name: string): Promise<CoreDaemon> {
  const recording: Record<string, Recorded[]> = {}
  let changes = 0
  const node = new URL(daemon.url)
  const proxy = await listen(async (incoming) => {
    const { key, body, isRead, isRest } = await readRequest(incoming)
    const response = await fetch(`http://${node.host}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: { authorization: incoming.headers.authorization ?? '' },
      ...(isRest ? {} : { body }),
    })
    const reply = { status: response.status, body: Buffer.from(await response.arrayBuffer()) }
    const text = reply.body.toString(isRest ? 'base64' : 'utf8')
    recording[key] ??= []
    const last = recording[key].at(-1)
    if (!isRead || last?.[1] !== reply.status || last[2] !== text) recording[key].push([changes, reply.status, text])
    if (!isRead) changes++
    return reply
  })
  const { close, ...client } = coreClient(proxy.url)
  return {
    ...daemon,
    ...client,
    remove: async () => {
      close()
      proxy.stop()
      await daemon.remove()
      writeFileSync(fileOf(name), gzipSync(JSON.stringify(recording), { level: 9 }))
    },
  }
}

async function replay(name: string): Promise<CoreDaemon> {
  const recording = JSON.parse(gunzipSync(readFileSync(fileOf(name))).toString()) as Recording
  let changes = 0
  const used = new Map<string, number>()
  const server = await listen(async (incoming) => {
    const { key, isRead, isRest } = await readRequest(incoming)
    const replies = recording[key] ?? []
    const turn = used.get(key) ?? 0
    const found = isRead ? replies.findLast(([after]) => after <= changes) : replies[turn]
    if (found === undefined) {
      const message = `no recorded answer to ${key.slice(0, 200)}; run node testing/coins/record-answers.ts`
      return { status: 500, body: Buffer.from(JSON.stringify({ result: null, error: { code: -1, message }, id: 0 })) }
    }
    if (!isRead) {
      used.set(key, turn + 1)
      changes++
    }
    const [, status, text] = found
    return { status, body: Buffer.from(text, isRest ? 'base64' : 'utf8') }
  })
  const { close, ...client } = coreClient(server.url)
  const cannot = (): Promise<void> => Promise.reject(new Error('a recorded node does not restart'))
  return {
    ...client,
    folder: '',
    blocksFolder: '',
    start: cannot,
    stop: cannot,
    remove: () => {
      close()
      server.stop()
      return Promise.resolve()
    },
  }
}
