import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AbiEvent, encodeAbiParameters, encodeEventTopics, parseAbiItem } from 'viem'
import type { Hex } from '../../lib/hex.ts'
import { buildCatalog } from '../catalog/catalog.ts'
import { catalogRows } from '../catalog/events/rows.ts'
import type { Log } from '../rpc/parse.ts'
import type { RpcPool } from '../rpc/pool.ts'
import { NoEndpointError, RpcError, type RpcErrorKind } from '../rpc/rpc-error.ts'
import { interpret } from './interpret.ts'

const catalog = buildCatalog(catalogRows)
const word = (value: bigint | number): Hex => `0x${value.toString(16).padStart(64, '0')}`
const [ID, TX, BLOCK] = [word(0x1d), word(0x7), word(0xb)]
const ADDRESS: Hex = `0x${'ab'.repeat(20)}`
const TIME = 5_000

/** A node on which every contract is old and calls return the given words, or fail with the given kinds, one per node. */
function nodeThat(calls: Readonly<Record<string, Hex | readonly RpcErrorKind[]>>): RpcPool {
  return {
    chain: 'test',
    all: [0],
    available: () => [0],
    hostOf: () => 'node',
    close: () => {},
    request: async (rpcRequest) => {
      const [call] = rpcRequest.params as [{ data?: Hex }]
      const result =
        rpcRequest.method === 'eth_call' ? (calls[(call.data ?? '').slice(0, 10)] ?? ['reverted']) : undefined
      if (Array.isArray(result))
        throw new NoEndpointError(
          'test',
          0,
          result.map((kind: RpcErrorKind) => new RpcError('node', kind, 'no')),
        )
      return { value: rpcRequest.parse(result ?? (rpcRequest.method === 'eth_getCode' ? '0x60' : word(0))), from: 0 }
    },
  }
}

let nextIndex = 0
function log(key: string, values: Readonly<Record<string, unknown>>): Log {
  const row = catalogRows.find((candidate) => candidate.key === key)
  const event = parseAbiItem(`event ${row?.event}`) as AbiEvent
  const plain = event.inputs.filter((input) => input.indexed !== true)
  return {
    address: ADDRESS,
    topics: encodeEventTopics({ abi: [event], args: values } as never) as Hex[],
    data: encodeAbiParameters(
      plain,
      plain.map((input) => values[input.name ?? '']),
    ),
    blockNumber: 100,
    blockHash: BLOCK,
    txHash: TX,
    txIndex: 0,
    logIndex: nextIndex++,
    blockTime: undefined,
  }
}

async function read(node: RpcPool, ...logs: readonly Log[]) {
  const { events } = await interpret({ pool: node, catalog, store: { getFacts: async () => [] } }, logs, {
    kindOf: () => undefined,
    blockOf: () => ({ time: TIME * 1_000, parentHash: undefined }),
    isWatched: () => true,
  })
  return events.map(({ key, severity, isInit }) => [key, severity, isInit])
}

const executed = log('timelock.executed', { id: ID, index: 0n, target: ADDRESS, value: 0n, data: '0x' })
const severityOf = async (node: RpcPool, ...logs: readonly Log[]) => (await read(node, ...logs)).at(-1)?.[1]

test('the severity of an execution depends on the timelock state before it', async () => {
  const getTimestamp = '0xd45c4435'
  assert.equal(await severityOf(nodeThat({ [getTimestamp]: word(TIME) }), executed), 'info')
  assert.equal(await severityOf(nodeThat({ [getTimestamp]: word(TIME + 1) }), executed), 'critical')
  assert.equal(await severityOf(nodeThat({ [getTimestamp]: word(0) }), executed), 'critical')
  assert.equal(await severityOf(nodeThat({ [getTimestamp]: ['pruned'] }), executed), 'info', 'nothing known')
})

test('an operation scheduled in the same block is found with its delay', async () => {
  const scheduled = (delay: bigint): Log =>
    log('timelock.scheduled', {
      id: ID,
      index: 0n,
      target: ADDRESS,
      value: 0n,
      data: '0x',
      predecessor: word(0),
      delay,
    })
  const node = nodeThat({ '0xd45c4435': word(0) })
  assert.equal(await severityOf(node, scheduled(0n), executed), 'info')
  assert.equal(await severityOf(node, scheduled(1n), executed), 'critical')
})

test('Compound and Solady timelocks are read with their own getters', async () => {
  const compound = (eta: bigint): Log =>
    log('timelock.executed_tx', { txHash: ID, target: ADDRESS, value: 0n, signature: '', data: '0x', eta })
  assert.equal(await severityOf(nodeThat({ '0xf2b06537': word(1) }), compound(BigInt(TIME))), 'info')
  assert.equal(await severityOf(nodeThat({ '0xf2b06537': word(1) }), compound(BigInt(TIME + 1))), 'critical')
  assert.equal(await severityOf(nodeThat({ '0xf2b06537': word(0) }), compound(BigInt(TIME))), 'critical')
  const solady = log('timelock.executed_solady', { id: ID, mode: word(0), executionData: '0x' })
  assert.equal(await severityOf(nodeThat({ '0x7113e592': word(TIME) }), solady), 'info')
  assert.equal(await severityOf(nodeThat({ '0x7113e592': word(0) }), solady), 'critical')
})

test('a proposal of a control function is critical if no delay follows the vote', async () => {
  const proposal = log('governor.proposal_created', {
    proposalId: 7n,
    proposer: ADDRESS,
    targets: [ADDRESS],
    values: [0n],
    signatures: [''],
    calldatas: [`0x3659cfe6${word(1).slice(2)}`], // upgradeTo(address)
    voteStart: 1n,
    voteEnd: 2n,
    description: '',
  })
  const [timelock, delay, minDelay, needsQueuing] = ['0xd33219b4', '0x6a42b8f8', '0xf27a0c92', '0xa9a95294']
  const at = { [timelock]: word(5) }
  for (const [calls, severity] of [
    [{ ...at, [delay]: word(0) }, 'critical'],
    [{ ...at, [delay]: word(1) }, 'high'],
    [{ ...at, [minDelay]: word(0) }, 'critical'],
    [{ ...at, [minDelay]: word(86_400) }, 'high'],
    [at, 'high'],
    [{ [needsQueuing]: word(0) }, 'critical'],
    [{ [needsQueuing]: word(1) }, 'high'],
    [{}, 'high'],
    [{ [timelock]: ['pruned'] }, 'high'],
  ] as const) {
    assert.equal(await severityOf(nodeThat(calls), proposal), severity, JSON.stringify(calls))
  }
})

const setup = log('safe.setup', {
  initiator: ADDRESS,
  owners: [ADDRESS],
  threshold: 1n,
  initializer: ADDRESS,
  fallbackHandler: ADDRESS,
})
const addedOwner = log('safe.added_owner', { owner: ADDRESS })

test('a second setup of a Safe is not setup', async () => {
  assert.deepEqual(await read(nodeThat({ '0xe75235b8': word(2) }), setup, addedOwner), [
    ['safe.setup', 'critical', false],
    ['safe.added_owner', 'high', false],
  ])
  assert.deepEqual(await read(nodeThat({ '0xe75235b8': word(0) }), setup, addedOwner), [
    ['safe.setup', 'info', true],
    ['safe.added_owner', 'info', true],
  ])
})

test('a minter is new or known; an admin role without members is renounced', async () => {
  const minter = log('fiat.minter_configured', { minter: ADDRESS, minterAllowedAmount: 1n })
  assert.equal(await severityOf(nodeThat({ '0xaa271e1a': word(0) }), minter), 'critical')
  assert.equal(await severityOf(nodeThat({ '0xaa271e1a': word(1) }), minter), 'high')
  const revoked = log('access.role_revoked', { role: word(0), account: ADDRESS, sender: ADDRESS })
  assert.equal(await severityOf(nodeThat({ '0xca15c873': word(0) }), revoked), 'critical')
})

test('a contract without isMinter is called twice, whatever the number of its minter events', async () => {
  const minters = Array.from({ length: 50 }, (_, n) =>
    log('fiat.minter_configured', { minter: `0x${word(n + 1).slice(-40)}`, minterAllowedAmount: 0n }),
  )
  const node = nodeThat({})
  let calls = 0
  const counted: RpcPool = {
    ...node,
    request: (rpcRequest, options) => {
      if (rpcRequest.method === 'eth_call') calls += 1
      return node.request(rpcRequest, options)
    },
  }
  assert.deepEqual(new Set((await read(counted, ...minters)).map(([, severity]) => severity)), new Set(['high']))
  assert.equal(calls, 2)
})

test('permanent errors of all nodes do not stop the block; a temporary one does', async () => {
  const mixed = nodeThat({ '0xd45c4435': ['pruned', 'reverted', 'unsupported'] })
  assert.equal(await severityOf(mixed, executed), 'info')
  await assert.rejects(severityOf(nodeThat({ '0xd45c4435': ['pruned', 'missing'] }), executed), NoEndpointError)
})

test('repeated events of one contract in one block cause few requests and never a lower severity', async () => {
  const node = nodeThat({ '0xd45c4435': word(TIME) })
  let sent = 0
  const counting: RpcPool = {
    ...node,
    request: (rpcRequest, options) => ((sent += 1), node.request(rpcRequest, options)),
  }
  const many = Array.from({ length: 500 }, (_, n) => n)
  const upgrades = many.map((n) => log('proxy.upgraded', { implementation: `0x${word(n + 1).slice(-40)}` }))
  const executions = many.map((n) =>
    log('timelock.executed', { id: word(n), index: 0n, target: ADDRESS, value: 0n, data: '0x' }),
  )
  const events = await read(counting, ...upgrades, ...executions)
  assert.ok(sent < 150, `${sent} requests`)
  assert.equal(events.length, 1_000)
  assert.equal(events[500]?.[1], 'info', 'announced')
  assert.equal(events.at(-1)?.[1], 'critical', 'perhaps announced')
})

test('equal requests about one block are sent once', async () => {
  const node = nodeThat({})
  let sent = 0
  const counting: RpcPool = {
    ...node,
    request: (rpcRequest, options) => ((sent += 1), node.request(rpcRequest, options)),
  }
  await read(counting, ...Array.from({ length: 500 }, () => log('proxy.initialized', { version: 2n })))
  assert.ok(sent < 5, `${sent} requests`)
})

test('what only a Safe or a Compound timelock logs decides the names of its other events', async () => {
  const cases = [
    [
      'access_control',
      'zodiac.enabled_module',
      { module: ADDRESS },
      'safe.exec_ok',
      { txHash: ID, payment: 0n },
      'safe.enabled_module',
    ],
    [
      'executor',
      'zodiac.disabled_module',
      { module: ADDRESS },
      'safe.exec_ok',
      { txHash: ID, payment: 0n },
      'safe.disabled_module',
    ],
    [
      'immutable',
      'op.liveness_removed_owner',
      { owner: ADDRESS },
      'safe.module_tx_ok',
      { module: ADDRESS },
      'safe.removed_owner',
    ],
    [
      'ownable',
      'vyper.new_admin',
      { admin: ADDRESS },
      'timelock.executed_tx',
      { txHash: ID, target: ADDRESS, value: 0n, signature: '', data: '0x', eta: 1n },
      'timelock.new_admin',
    ],
  ] as const
  for (const [kind, key, values, proof, proofValues, expected] of cases) {
    const keysOf = async (logs: readonly Log[]) => {
      const { events } = await interpret({ pool: nodeThat({}), catalog, store: { getFacts: async () => [] } }, logs, {
        kindOf: () => kind,
        blockOf: () => ({ time: TIME, parentHash: undefined }),
      })
      return events.map((event) => event.key)
    }
    assert.deepEqual(await keysOf([log(key, values)]), [key])
    // The proof comes after the event, as in the block.
    assert.deepEqual((await keysOf([log(key, values), log(proof, proofValues)]))[0], expected)
  }
})
