/** Serves a recorded chain over the JSON-RPC methods of Core that Gatewatch uses. */
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { BITCOIN, type RecordedChain } from './recorded-chains.ts'
import { scanTxOutSet, txOutSetInfo } from './recorded-coins.ts'
import { openRecording, type Recording, type Waiting } from './recording.ts'

export type RecordedNode = {
  readonly url: string
  /** Stops the arrival of blocks. */
  readonly hold: () => void
  readonly stop: () => Promise<void>
}

/** Core's minimum relay fee, in coins per 1,000 bytes. */
const MIN_RELAY_FEE = 0.00001

type ErrorObject = { readonly code: number; readonly message: string }
type Method = (recording: Recording, ...params: readonly (string | undefined)[]) => unknown

class RpcError extends Error {
  readonly object: ErrorObject
  constructor(code: number, message: string) {
    super(message)
    this.object = { code, message }
  }
}

const METHODS: Readonly<Record<string, Method>> = {
  uptime: () => Math.floor(process.uptime()),
  getnetworkinfo: ({ chain }) => ({
    version: chain.nodeVersion,
    subversion: '/Gatewatch demo (recorded regtest)/',
  }),
  getblockchaininfo: (recording) => ({
    chain: 'regtest',
    blocks: recording.height(),
    headers: recording.height(),
    bestblockhash: recording.block(recording.height())?.hash,
    difficulty: 4.656542373906925e-10,
    initialblockdownload: false,
    pruned: false,
  }),
  getnetworkhashps: () => 0,
  getblockhash: (recording, height) => recording.block(Number(height))?.hash ?? fail(-8, 'Block height out of range'),
  getblock: (recording, hash) => recording.find(hash ?? '')?.bytes.toString('hex') ?? fail(-5, 'Block not found'),
  getmempoolinfo: (recording) => {
    const waiting = [...recording.mempool().values()]
    const bytes = waiting.reduce((sum, { vsize }) => sum + vsize, 0)
    return { loaded: true, size: waiting.length, bytes, mempoolminfee: MIN_RELAY_FEE, minrelaytxfee: MIN_RELAY_FEE }
  },
  getrawmempool: (recording) => ({ txids: [...recording.mempool().keys()], mempool_sequence: recording.height() }),
  getmempoolentry: (recording, txid) => {
    const { vsize, weight, fee, spends, since } = waitingTx(recording, txid)
    const depends = spends.filter((parent) => recording.mempool().has(parent))
    return { vsize, weight, time: since, fees: { base: (fee / 1e8).toFixed(8) }, depends: [...new Set(depends)] }
  },
  getrawtransaction: (recording, txid, _, blockHash) =>
    (blockHash === undefined
      ? waitingTx(recording, txid)
      : (recording.find(blockHash)?.txs.find((tx) => tx.txid === txid) ?? fail(-5, 'No such transaction'))
    ).bytes.toString('hex'),
  gettxoutsetinfo: (recording) => txOutSetInfo(recording),
  // String() has joined the list of descriptors with commas.
  scantxoutset: (recording, _, descriptors = '') => scanTxOutSet(recording, descriptors.split(',')),
  estimatesmartfee: () => ({ errors: ['Insufficient data or no feerate found'], blocks: 2 }),
}

const fail = (code: number, message: string): never => {
  throw new RpcError(code, message)
}

const waitingTx = (recording: Recording, txid = ''): Waiting =>
  recording.mempool().get(txid) ?? fail(-5, 'Transaction not in mempool')

const seconds = (): number => Math.floor(Date.now() / 1_000)

export async function startRecordedNode(chain: RecordedChain = BITCOIN): Promise<RecordedNode> {
  const recording = openRecording(chain, seconds())
  const server = createServer((request, response) => {
    const respond = async () => {
      if (request.method !== 'POST') return response.writeHead(404).end() // it has no REST interface
      const body = (await json(request)) as Call | readonly Call[]
      const results = 'map' in body ? body.map((call) => callMethod(recording, call)) : callMethod(recording, body)
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(results))
    }
    respond().catch(() => response.writeHead(400).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  let timer: NodeJS.Timeout | undefined
  const scheduleBlock = () => {
    const pauseMs = recording.pauseMs()
    if (pauseMs === undefined) return
    timer = setTimeout(() => {
      recording.next(seconds())
      scheduleBlock()
    }, pauseMs)
  }
  scheduleBlock()
  return {
    url: `http://demo:demo@127.0.0.1:${port}`,
    hold: () => clearInterval(timer),
    stop: async () => {
      clearTimeout(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Call = { readonly id?: unknown; readonly method?: string; readonly params?: readonly unknown[] }

function callMethod(recording: Recording, { id, method, params = [] }: Call): object {
  try {
    const known = METHODS[method ?? ''] ?? fail(-32_601, 'Method not found')
    return { result: known(recording, ...params.map(String)), error: null, id }
  } catch (error) {
    if (error instanceof RpcError) return { result: null, error: error.object, id }
    throw error
  }
}
