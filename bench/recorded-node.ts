/**
 * A JSON-RPC server that repeats recorded responses, so that a benchmark measures its readers and not a node.
 *
 * A call that it does not know is sent to the node once and recorded. The chain must not change meanwhile. It runs in a
 * process of its own, as a node does.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

type Call = { readonly id: unknown; readonly method: string; readonly params?: readonly unknown[] }

export type RecordedNode = { readonly url: string; readonly stop: () => Promise<void> }

export async function startRecordedNode(nodeUrl: string): Promise<RecordedNode> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), nodeUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    url: `http://127.0.0.1:${Number(port)}`,
    stop: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** Serves the responses of the node at `nodeUrl`, and prints the port. */
function serve(nodeUrl: string): void {
  /** The rest of a response after its id, by method and parameters. */
  const recorded = new Map<string, Promise<string>>()

  const ask = async (call: Call): Promise<string> => {
    const response = await fetch(nodeUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: call.method, params: call.params ?? [] }),
    })
    const { result, error } = (await response.json()) as { result?: unknown; error?: unknown }
    return error === undefined ? `"result":${JSON.stringify(result)}}` : `"error":${JSON.stringify(error)}}`
  }
  const answer = async (call: Call): Promise<string> => {
    const key = JSON.stringify([call.method, call.params ?? []])
    let rest = recorded.get(key)
    if (rest === undefined) {
      rest = ask(call)
      recorded.set(key, rest)
    }
    return `{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},${await rest}`
  }

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // The watcher also tries a websocket, which this server does not have.
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const calls = JSON.parse(await readBody(request)) as Call | readonly Call[]
    const body = Array.isArray(calls)
      ? `[${(await Promise.all(calls.map(answer))).join()}]`
      : await answer(calls as Call)
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  }
  const server = createServer((request, response) => void respond(request, response))
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}

const [, script, nodeUrl] = process.argv
if (script === fileURLToPath(import.meta.url) && nodeUrl !== undefined) serve(nodeUrl)
