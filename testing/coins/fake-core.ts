/** A stand-in for Bitcoin Core: it has the blocks and the waiting transactions that a test gives it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { type Block, hashHex } from '../../server/src/coins/parse/block.ts'
import { eventually } from '../support/receivers.ts'
import type { RecordedEntry } from './recorded-chain.ts'

export type FakeCore = {
  readonly url: string
  /** Its best chain, from the first block on. */
  chain: readonly Pick<Block, 'hash' | 'bytes'>[]
  /** What it lists as waiting. */
  waiting: readonly RecordedEntry[]
  /** Unconfirmed transactions whose bytes were asked for. */
  readonly fetched: string[]
  /** Resolves when whoever follows it has looked at it from beginning to end, more than once. */
  readonly looked: () => Promise<void>
  readonly stop: () => Promise<void>
}

type Call = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] }

/** A look asks for it twice: so many further ones hold three whole looks. */
const LOOKS = 8

export async function startFakeCore(): Promise<FakeCore> {
  let looks = 0
  const resultOf = ({ method, params: [first, , third] }: Call): unknown => {
    const find = () => core.waiting.find(({ txid }) => txid === first)
    const hashes = core.chain.map(({ hash }) => hashHex(hash))
    switch (method) {
      case 'getnetworkinfo':
        return { version: 300_000, subversion: '/Fake/' }
      case 'getblockhash':
        return hashes[Number(first)]
      case 'getblock':
        return core.chain[hashes.indexOf(String(first))]?.bytes.toString('hex')
      case 'getblockchaininfo': {
        const height = hashes.length - 1
        const tip = { blocks: height, headers: height, bestblockhash: hashes[height] }
        return { chain: 'regtest', ...tip, difficulty: 1, initialblockdownload: false }
      }
      case 'getmempoolinfo': {
        looks++
        return { loaded: true, size: core.waiting.length, bytes: 0, mempoolminfee: 0.00001, minrelaytxfee: 0.00001 }
      }
      case 'getrawmempool':
        return { txids: core.waiting.map(({ txid }) => txid), mempool_sequence: 1 }
      case 'getrawtransaction': {
        if (third !== undefined) return undefined
        core.fetched.push(String(first))
        return find()?.hex
      }
      case 'getmempoolentry':
        return find()?.entry
      default:
        return undefined
    }
  }
  const answer = (call: Call): object => {
    const result = resultOf(call)
    const error = result === undefined ? { code: -8, message: 'there is none' } : null
    return { id: call.id, result: result ?? null, error }
  }
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await json(request)) as Call | readonly Call[]
    response.end(JSON.stringify('map' in body ? body.map(answer) : answer(body)))
  }
  const server = createServer((request, response) => {
    // It has no REST interface.
    if (request.method !== 'POST') response.writeHead(404).end()
    else void reply(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  const core: FakeCore = {
    url: `http://someone:secret@127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`,
    chain: [],
    waiting: [],
    fetched: [],
    looked: async () => {
      const enough = looks + LOOKS
      await eventually(() => looks >= enough || undefined)
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return core
}
