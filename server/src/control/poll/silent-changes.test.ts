import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { at } from '../../../../testing/evm/sample-world.ts'
import { systemTiming } from '../../lib/clock.ts'
import { buildCatalog } from '../catalog/catalog.ts'
import { catalogRows } from '../catalog/events/rows.ts'
import { toWord } from '../profile/abi-values.ts'
import { SLOTS } from '../profile/slots.ts'
import type { Header } from '../rpc/parse.ts'
import { createRpcPool } from '../rpc/pool.ts'
import { createCodeAnalyzer } from './code-analyzer.ts'
import { findSilentChanges } from './silent-changes.ts'

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

const CHANGE = { field: 'implementation', previous: at('old'), current: at('new') } as const
const block: Header = {
  number: 100,
  hash: `0x${'11'.repeat(32)}`,
  parentHash: `0x${'10'.repeat(32)}`,
  time: 0,
  logsBloom: '0x',
  transactions: undefined,
}

const catalog = buildCatalog(catalogRows)
const codes = createCodeAnalyzer()
after(() => codes.close())

/** What endpoints show: the new logic, the old, no slots at all, or nothing. */
type Shown = 'new' | 'old' | 'no slots' | 'away'

function responseOf(shown: Shown, { method, params }: Call): object {
  const refused = { error: { code: 3, message: 'execution reverted' } }
  switch (method) {
    case 'eth_chainId':
      return { result: '0x1' }
    case 'eth_getLogs':
      return { result: [] }
    case 'eth_getCode':
      return { result: '0x6000' }
    case 'eth_getStorageAt':
      if (shown === 'no slots') return { error: { code: -32_000, message: 'missing trie node' } }
      return { result: toWord(params[1] === SLOTS.implementation ? at(shown) : 0n) }
    default:
      return params.length > 2 ? { error: { code: -32_602, message: 'too many arguments' } } : refused
  }
}

async function judged(shown: readonly Shown[], isOldEnough = false) {
  const pool = createRpcPool(
    { timing: systemTiming, report: () => {} },
    {
      chain: 'ethereum',
      chainId: 1,
      urls: shown.map((_, id) => `http://node${id}.example`),
      transport: (url) => ({
        send: async ({ payload }) => {
          const shows = shown[Number(/node(\d)/.exec(url)?.[1])] ?? 'away'
          if (shows === 'away') throw new Error('connect refused')
          const parsed = JSON.parse(payload) as Call | Call[]
          const responses = [parsed].flat().map((call) => ({ jsonrpc: '2.0', id: call.id, ...responseOf(shows, call) }))
          return { status: 200, body: Array.isArray(parsed) ? responses : responses[0] }
        },
        close: () => {},
      }),
    },
  )
  const [silent] = await findSilentChanges(
    { catalog, codes, poolOf: () => pool },
    { chainId: 1, address: at('contract') },
    block,
    [CHANGE],
    () => 90,
    { beacon: undefined, others: [], before: {}, isOldEnough: () => isOldEnough },
  )
  return silent?.isConfirmed === true ? 'confirmed' : silent?.isSingle === true ? 'alone' : 'doubted'
}

test('the first two endpoints that respond must show a change', async () => {
  assert.equal(await judged(['new']), 'confirmed')
  assert.equal(await judged(['new', 'new']), 'confirmed')
  for (const missing of ['away', 'no slots'] as const) {
    assert.equal(await judged([missing, 'new', 'new']), 'confirmed', missing)
    assert.equal(await judged(['new', missing, 'new']), 'confirmed', missing)
    assert.equal(await judged([missing, 'new', missing, 'new']), 'confirmed', missing)
    assert.equal(await judged(['new', missing, 'old']), 'doubted', missing)
  }
  assert.equal(await judged(['new', 'old', 'new']), 'doubted')
  assert.equal(await judged(['new', 'new', 'old']), 'confirmed')
})

test('a single observation counts once it is old enough', async () => {
  assert.equal(await judged(['new', 'away']), 'alone')
  assert.equal(await judged(['away', 'new', 'no slots']), 'alone')
  assert.equal(await judged(['new', 'away'], true), 'confirmed')
  assert.equal(await judged(['new', 'old'], true), 'doubted', 'another endpoint that responds always counts')
  assert.equal(await judged(['away', 'old'], true), 'doubted')
})
