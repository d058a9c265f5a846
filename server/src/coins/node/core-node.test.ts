/** Features of newer nodes and faults of nodes, tested with a fake node. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { recordedBlocks } from '../../../../testing/coins/fixtures.ts'
import { bitcoinRegtest } from '../networks/bitcoin.ts'
import { hashHex, parseBlock } from '../parse/block.ts'
import { connectNode } from './core-node.ts'
import { parseAmount } from './core-responses.ts'
import { createCoreRpc } from './core-rpc.ts'
import { NodeResponseError, NodeRpcError, NodeUnreachableError } from './node-errors.ts'

const blocks = recordedBlocks().map((bytes) => parseBlock(bytes, { mweb: false }))
const byHash = new Map(blocks.map((block) => [hashHex(block.hash), block]))
const tip = hashHex(blocks.at(-1)?.hash ?? Buffer.alloc(0))

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }
type Fault = 'none' | 'cut off' | 'no json' | 'wrong shape' | 'warming up' | 'disconnects'

const requested: string[] = []
let fault: Fault = 'none'

function resultOf({ method, params }: Call): unknown {
  requested.push(method)
  if (method === 'getblockhash') return hashHex(blocks[Number(params[0])]?.hash ?? Buffer.alloc(0))
  if (method === 'uptime') return 1
  if (method === 'getnetworkinfo') return { version: 319_900, subversion: '/Satoshi:31.99.0/' }
  if (method !== 'getblockchaininfo') return null
  if (fault === 'wrong shape') return { blocks: 'many' }
  return {
    chain: 'regtest',
    blocks: 515,
    headers: 515,
    bestblockhash: tip,
    difficulty: 4.6e-10,
    initialblockdownload: true,
  }
}

function respondRest(path: string, response: ServerResponse): void {
  requested.push(path.split('/')[2] ?? '')
  const url = new URL(path, 'http://node')
  const hash = /([0-9a-f]{64})\.bin$/.exec(url.pathname)?.[1] ?? ''
  const bytes = byHash.get(hash)?.bytes
  if (bytes === undefined) {
    response.writeHead(404).end('not found')
  } else if (url.pathname.startsWith('/rest/blockpart/')) {
    const offset = Number(url.searchParams.get('offset'))
    response.end(bytes.subarray(offset, offset + Number(url.searchParams.get('size'))))
  } else {
    response.end(url.pathname.startsWith('/rest/headers/') ? bytes.subarray(0, 80) : bytes)
  }
}

function respondRpc(request: IncomingMessage, response: ServerResponse): void {
  let text = ''
  request.on('data', (chunk) => {
    text += String(chunk)
  })
  request.on('end', () => {
    if (fault === 'disconnects') return request.socket.destroy()
    if (fault === 'no json') return response.writeHead(500).end('<html>')
    if (fault === 'cut off') {
      response.writeHead(200, { 'content-length': 100 })
      response.write('{"result":')
      return setImmediate(() => response.destroy())
    }
    const call = JSON.parse(text) as Call | readonly Call[]
    const respond = (one: Call): object =>
      fault === 'warming up'
        ? { id: one.id, result: null, error: { code: -28, message: 'Loading block index…' } }
        : { id: one.id, result: resultOf(one), error: null }
    return response.end(JSON.stringify('method' in call ? respond(call) : call.map(respond)))
  })
}

const server = createServer((request, response) => {
  const path = request.url ?? ''
  if (path.startsWith('/rest/')) respondRest(path, response)
  else respondRpc(request, response)
})
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve)
})
const bound = server.address()
const port = typeof bound === 'object' && bound !== null ? bound.port : 0
const rpc = createCoreRpc({ url: `http://someone:secret@127.0.0.1:${port}` })
after(() => {
  rpc.close()
  server.close()
  server.closeAllConnections()
})

test('a current node serves blocks and parts of blocks as bytes', async () => {
  const node = await connectNode(rpc, 'btc')
  assert.equal(node.network, bitcoinRegtest)
  assert.deepEqual(node.features, { rest: true, blockPart: true })
  requested.length = 0
  const block = blocks[510]
  assert.ok(block !== undefined)
  assert.deepEqual(await node.getBlock(hashHex(block.hash)), block.bytes)
  const refs = block.txs.start.map((offset, i) => ({
    txid: hashHex(block.txids.subarray(i * 32, i * 32 + 32)),
    blockHash: hashHex(block.hash),
    offset,
    size: (block.txs.end[i] ?? 0) - offset,
  }))
  const txs = await node.getTxs(refs)
  assert.deepEqual(
    txs,
    refs.map(({ offset, size }) => block.bytes.subarray(offset, offset + size)),
  )
  assert.deepEqual(new Set(requested), new Set(['block', 'blockpart']))
})

test('a local network does not count as in initial block download', async () => {
  const node = await connectNode(rpc, 'btc')
  assert.equal((await node.getChainInfo()).initialblockdownload, false)
})

test('each fault of a node has its error, and all of them are retryable', async () => {
  const node = await connectNode(rpc, 'btc')
  for (const [kind, error, retryable] of [
    ['cut off', NodeUnreachableError, true],
    ['no json', NodeUnreachableError, true],
    ['disconnects', NodeUnreachableError, true],
    ['wrong shape', NodeResponseError, true],
    ['warming up', NodeRpcError, true],
  ] as const) {
    fault = kind
    await assert.rejects(node.getTip(), (thrown) => {
      assert.ok(thrown instanceof error, kind)
      assert.equal(thrown.retryable, retryable)
      assert.doesNotMatch(thrown.message, /secret|someone/)
      return true
    })
  }
  fault = 'none'
  assert.equal((await node.getTip()).height, 515)
})

test('amounts are exact in every notation', () => {
  for (const [text, units] of [
    ['0.00000001', 1],
    ['1e-8', 1],
    ['1E-08', 1],
    ['20999999.9769', 2_099_999_997_690_000],
    ['83999999.99999999', 8_399_999_999_999_999],
    ['50', 5_000_000_000],
    ['-0.5', -50_000_000],
    ['0', 0],
  ] as const) {
    assert.equal(parseAmount(text), units, text)
  }
  assert.equal(parseAmount('many'), undefined)
})
