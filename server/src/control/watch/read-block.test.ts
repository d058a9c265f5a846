import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from '../../lib/hex.ts'
import type { Header } from '../rpc/parse.ts'
import type { RpcPool } from '../rpc/pool.ts'
import type { RpcRequest } from '../rpc/requests.ts'
import { NoEndpointError, RpcError, type RpcErrorKind } from '../rpc/rpc-error.ts'
import { bloomOf } from './bloom-check.ts'
import { IncompleteLogsError, readBlockLogs } from './read-block.ts'

const hash = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`
const [WANTED, OTHER] = [hash(0xa), hash(0xb)]
const emitter: Hex = `0x${'ab'.repeat(20)}`

const log = (logIndex: number, topic: Hex): Record<string, unknown> => ({
  address: emitter,
  topics: [topic],
  data: '0x',
  blockNumber: '0x7',
  blockHash: hash(7),
  transactionHash: hash(900),
  transactionIndex: '0x0',
  logIndex: `0x${logIndex.toString(16)}`,
})
const receipt = (...logs: readonly object[]): object => ({
  transactionHash: hash(900),
  transactionIndex: '0x0',
  blockHash: hash(7),
  contractAddress: null,
  logs,
})
const headerOf = (...topics: readonly Hex[]): Header => ({
  number: 7,
  hash: hash(7),
  parentHash: hash(6),
  time: 0,
  logsBloom: bloomOf(topics.map((topic) => ({ address: emitter, topics: [topic] }))),
  transactions: 1,
})

type Script = (method: string, filter: { topics?: unknown }) => unknown

/** Endpoints with scripted results. A string is the kind of an error. */
function poolOf(...scripts: readonly Script[]): RpcPool {
  const ids = scripts.map((_, id) => id)
  return {
    chain: 'ethereum',
    all: ids,
    available: () => ids,
    hostOf: (id) => `node${id}`,
    close: () => {},
    request: async <T>(rpcRequest: RpcRequest<T>, { only }: { only?: number | undefined } = {}) => {
      const errors: RpcError[] = []
      for (const id of only === undefined ? ids : [only]) {
        const result = scripts[id]?.(rpcRequest.method, rpcRequest.params[0] as { topics?: unknown })
        if (typeof result !== 'string') return { value: rpcRequest.parse(result), from: id }
        errors.push(new RpcError(`node${id}`, result as RpcErrorKind, result))
      }
      throw new NoEndpointError('ethereum', 0, errors)
    },
  }
}

const read = async (pool: RpcPool, header: Header): Promise<number> =>
  (await readBlockLogs({ pool }, header, { topics: [WANTED], prefer: undefined })).length

test('receipts supply a log that the log index lost', async () => {
  const deaf: Script = (method) => (method === 'eth_getLogs' ? [] : [receipt(log(0, WANTED))])
  assert.equal(await read(poolOf(deaf), headerOf(WANTED)), 1)
})

test('an endpoint that requires addresses is read through receipts', async () => {
  const strict: Script = (method) =>
    method === 'eth_getLogs' ? 'unsupported' : [receipt(log(0, OTHER), log(1, WANTED))]
  assert.equal(await read(poolOf(strict), headerOf(OTHER, WANTED)), 1)
})

test('a block with too many logs for one response is read through receipts', async () => {
  const small: Script = (method) => (method === 'eth_getLogs' ? 'range' : [receipt(log(0, WANTED))])
  assert.equal(await read(poolOf(small), headerOf(WANTED)), 1)
})

test('a false positive of the bloom filter does not stop the block', async () => {
  const bloom: Hex = `0x${'f'.repeat(512)}`
  const honest: Script = (method, { topics }) =>
    method === 'eth_getLogs' ? (topics === undefined ? [log(0, OTHER)] : []) : [receipt(log(0, OTHER))]
  assert.equal(await read(poolOf(honest), { ...headerOf(), logsBloom: bloom }), 0)
})

test('logs that neither bloom filter nor receipts confirm are read again', async () => {
  const early: Script = (method) => (method === 'eth_getLogs' ? [] : [])
  await assert.rejects(read(poolOf(early), headerOf(WANTED)), IncompleteLogsError)
  const without: Script = (method) => (method === 'eth_getLogs' ? [] : 'unsupported')
  await assert.rejects(read(poolOf(without), headerOf(WANTED)), IncompleteLogsError)
})

test('another endpoint supplies the logs that one lost', async () => {
  const deaf: Script = (method) => (method === 'eth_getLogs' ? [] : 'unsupported')
  const good: Script = (method) => (method === 'eth_getLogs' ? [log(0, WANTED)] : 'unsupported')
  assert.equal(await read(poolOf(deaf, good), headerOf(WANTED)), 1)
})

test('one of two equal logs that the index lost is found by its number', async () => {
  const deaf: Script = (method, { topics }) => {
    if (method !== 'eth_getLogs') return [receipt(log(0, WANTED), log(1, WANTED))]
    return topics === undefined ? [log(1, WANTED)] : []
  }
  assert.equal(await read(poolOf(deaf), headerOf(WANTED)), 2)
})

test('receipts may be in any order', async () => {
  const strict: Script = (method) =>
    method === 'eth_getLogs' ? 'unsupported' : [receipt(log(1, WANTED)), receipt(log(0, OTHER))]
  assert.equal(await read(poolOf(strict), headerOf(OTHER, WANTED)), 1)
})
