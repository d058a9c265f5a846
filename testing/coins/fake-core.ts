/** A fake Bitcoin Core node with the blocks and the mempool that a test sets. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { type Block, hashHex } from '../../server/src/coins/parse/block.ts'
import { eventually } from '../support/receivers.ts'
import type { RecordedEntry } from './recorded-chain.ts'

export type FakeCore = {
  readonly url: string
  /** Its best chain, from the genesis block on. */
  chain: readonly Pick<Block, 'hash' | 'bytes'>[]
  mempool: readonly RecordedEntry[]
  /** Txids of unconfirmed transactions whose bytes were requested. */
  readonly fetched: string[]
  /** What it responds instead of results; undefined while it works. */
  fault: FakeFault | undefined
  /** Its version, and whether it is in initial download. */
  version: string
  isDownloading: boolean
  /** Responds from now on as a node that has just started. */
  readonly restart: () => void
  /** Resolves after the client has polled it completely more than once. */
  readonly polled: () => Promise<void>
  readonly stop: () => Promise<void>
}

export type FakeFault =
  /** An HTTP status with a body. */
  | { readonly status: number; readonly body?: string }
  /** An RPC error, of one method or of all. */
  | { readonly code: number; readonly message: string; readonly method?: string }
  /** A result that is no result of any method, of one method or of all. */
  | { readonly result: unknown; readonly method?: string }
  /** Nothing. */
  | 'hangs'

type Call = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] }

/** A poll calls getmempoolinfo twice, so this many further calls include three complete polls. */
const CALLS_OF_THREE_POLLS = 8

export async function startFakeCore(): Promise<FakeCore> {
  let mempoolInfoCalls = 0
  // An hour ago, so that a restart is a visible change.
  let startedAt = performance.now() - 3_600_000
  const resultOf = ({ method, params: [first, , third] }: Call): unknown => {
    const find = () => core.mempool.find(({ txid }) => txid === first)
    const hashes = core.chain.map(({ hash }) => hashHex(hash))
    switch (method) {
      case 'uptime':
        return Math.floor((performance.now() - startedAt) / 1_000)
      case 'getnetworkinfo':
        return { version: 300_000, subversion: core.version }
      case 'getblockhash':
        return hashes[Number(first)]
      case 'getblock':
        return core.chain[hashes.indexOf(String(first))]?.bytes.toString('hex')
      case 'getblockchaininfo': {
        const height = hashes.length - 1
        const tip = { blocks: height, headers: height, bestblockhash: hashes[height] }
        return { chain: 'regtest', ...tip, difficulty: 1, initialblockdownload: core.isDownloading }
      }
      case 'getmempoolinfo': {
        mempoolInfoCalls++
        return { loaded: true, size: core.mempool.length, bytes: 0, mempoolminfee: 0.00001, minrelaytxfee: 0.00001 }
      }
      case 'getrawmempool':
        return { txids: core.mempool.map(({ txid }) => txid), mempool_sequence: 1 }
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
  const responseTo = (call: Call): object => {
    const { fault } = core
    const isHit = typeof fault === 'object' && 'method' in fault ? fault.method === call.method : true
    if (isHit && typeof fault === 'object' && 'code' in fault)
      return { id: call.id, result: null, error: { code: fault.code, message: fault.message } }
    if (isHit && typeof fault === 'object' && 'result' in fault)
      return { id: call.id, result: fault.result, error: null }
    const result = resultOf(call)
    const error = result === undefined ? { code: -8, message: 'not found' } : null
    return { id: call.id, result: result ?? null, error }
  }
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await json(request)) as Call | readonly Call[]
    response.end(JSON.stringify('map' in body ? body.map(responseTo) : responseTo(body)))
  }
  const server = createServer((request, response) => {
    // The fake node has no REST interface.
    const { fault } = core
    if (fault === 'hangs') return
    if (fault !== undefined && 'status' in fault) response.writeHead(fault.status).end(fault.body)
    else if (request.method !== 'POST') response.writeHead(404).end()
    else void reply(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  const core: FakeCore = {
    url: `http://someone:secret@127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`,
    chain: [],
    mempool: [],
    fetched: [],
    fault: undefined,
    version: '/Fake/',
    isDownloading: false,
    restart: () => {
      startedAt = performance.now()
    },
    polled: async () => {
      const enough = mempoolInfoCalls + CALLS_OF_THREE_POLLS
      await eventually(() => mempoolInfoCalls >= enough || undefined)
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return core
}
