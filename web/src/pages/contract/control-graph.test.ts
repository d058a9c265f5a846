import assert from 'node:assert/strict'
import { test } from 'node:test'
import { controlNodeView } from '../../../../server/src/control/views/control-node-view.ts'
import { at, SampleWorld } from '../../../../testing/evm/sample-world.ts'
import { type ControlGraph, fold, graphOf, stepFrom } from './control-graph.ts'
import { layoutGraph } from './graph-layout.ts'

const treeOf = (world: SampleWorld, target: `0x${string}`) => controlNodeView(world.profile(target).tree, new Map())

const world = new SampleWorld(1)
const safe = world.safe('safe', 2, [at('a'), at('b'), at('c')])
const timelock = world.timelock('timelock', 172_800, [safe])

test('the graph has each account once, with its threshold or delay, and the delay of a path once', () => {
  const { nodes, edges } = graphOf(treeOf(world, world.transparent('proxy', world.proxyAdmin('admin', timelock))))
  assert.deepEqual(
    nodes.map(({ title, figure }) => [title, figure]),
    [
      ['This contract', undefined],
      ['ProxyAdmin', undefined],
      ['Timelock', '2 d'],
      ['Safe', '2 of 3'],
    ],
  )
  assert.deepEqual(
    edges.map(({ role, delay, isWeakest }) => [role, delay, isWeakest]),
    [
      ['Proxy admin', undefined, true],
      ['Owner', undefined, true],
      ['Proposer', undefined, true],
    ],
  )
  assert.equal(nodes.at(-1)?.signers.length, 3)
})

test('only the weakest of several paths is marked', () => {
  const two = world.timelock('two paths', 172_800, [safe, at('mallory')])
  const { nodes, edges } = graphOf(treeOf(world, world.transparent('proxy 2', world.proxyAdmin('admin 2', two))))
  const weakest = edges.filter(({ isWeakest }) => isWeakest).map(({ to }) => to)
  assert.ok(weakest.includes(`1:${at('mallory')}`))
  assert.ok(!weakest.includes(`1:${safe}`))
  assert.equal(nodes.find(({ address }) => address === safe)?.isWeakest, false)
})

test('holders of powers are drawn with what they can do, and the power that sets the tone is the weakest path', () => {
  const root = treeOf(world, world.transparent('proxy 4', world.proxyAdmin('admin 4', timelock)))
  const node = (kind: string, address: string, label: 'single_key' | 'timelocked', delaySeconds: number) => ({
    ...root,
    paths: [],
    role: 'Owner',
    kind,
    address,
    label,
    delaySeconds,
  })
  const paths = [
    { effects: ['mint' as const, 'pause' as const], node: node('eoa', at('minter'), 'single_key', 0) },
    { effects: ['set_terms' as const], node: node('eoa', at('manager'), 'timelocked', 86_400) },
  ]
  const { nodes, edges } = graphOf(root, paths, 'mint')
  const drawn = edges.filter(({ powers }) => powers.length > 0)
  assert.deepEqual(
    drawn.map(({ powers, delay, isWeakest }) => [powers, delay, isWeakest]),
    [
      [['mint', 'pause'], undefined, true],
      [['set_terms'], '1 d', false],
    ],
  )
  assert.equal(nodes.find(({ address }) => address === timelock)?.isWeakest, false)
  assert.equal(nodes.find(({ address }) => address === at('minter'))?.isWeakest, true)
})

test('the drawing contains every box in both directions', () => {
  const graph = graphOf(treeOf(world, world.transparent('proxy 3', world.proxyAdmin('admin 3', timelock))))
  for (const isHorizontal of [true, false]) {
    const { nodes, edges, width, height } = layoutGraph(graph, isHorizontal)
    for (const box of nodes) {
      assert.ok(box.x - box.width / 2 >= 0 && box.x + box.width / 2 <= width, box.title)
      assert.ok(box.y - box.height / 2 >= 0 && box.y + box.height / 2 <= height, box.title)
    }
    for (const { points } of edges) assert.ok(points.length >= 2)
  }
})

/** A tree in which `name` controls the part of its name before the last dot. */
function graphNamed(text: string): ControlGraph {
  const names = text.split(' ')
  const node = (id: string) => ({
    id,
    chainId: 1,
    address: id,
    title: id,
    figure: undefined,
    label: 'multisig' as const,
    kind: 'safe',
    signers: [],
    isWeakest: id.startsWith('c.w'),
  })
  const edge = (to: string) => ({
    from: to.slice(0, to.lastIndexOf('.')),
    to,
    role: 'Owner',
    powers: [],
    delay: undefined,
    isWeakest: false,
  })
  return { nodes: ['c', ...names].map(node), edges: names.map(edge) }
}

const wide = graphNamed('c.a c.a.b c.a.b.d c.a.b.d.e c.a.b.f c.w c.w.x c.w.x.y c.w.x.y.z c.g c.h')

test('a large graph folds accounts that are far away, except those of the weakest path, until one is unfolded', () => {
  const { nodes, edges } = fold(wide, new Set())
  assert.deepEqual(
    nodes.map(({ id, hidden }) => (hidden === undefined ? id : `${id} +${hidden}`)),
    ['c', 'c.a', 'c.a.b +3', 'c.w', 'c.w.x', 'c.w.x.y', 'c.w.x.y.z', 'c.g', 'c.h'],
  )
  assert.equal(edges.length, 8)
  const unfolded = fold(wide, new Set(['c.a.b']))
  assert.deepEqual(
    unfolded.nodes.filter(({ hidden }) => hidden !== undefined).map(({ id, hidden }) => `${id} +${hidden}`),
    ['c.a.b.d +1'],
  )
})

test('steps follow the edges: to a controller, back, and to other controllers of the same account', () => {
  const steps = (id: string) =>
    (['controller', 'controlled', 'next', 'previous'] as const).map((step) => stepFrom(id, step, wide))
  assert.deepEqual(steps('c'), ['c.a', undefined, undefined, undefined])
  assert.deepEqual(steps('c.w'), ['c.w.x', 'c', 'c.g', 'c.a'])
  assert.deepEqual(steps('c.h'), [undefined, 'c', undefined, 'c.g'])
})
