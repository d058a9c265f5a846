import assert from 'node:assert/strict'
import { test } from 'node:test'
import { controlNodeView } from '../../../../server/src/control/views/control-view.ts'
import { at, SampleWorld } from '../../../../testing/evm/sample-world.ts'
import { graphOf } from './control-graph.ts'
import { layoutGraph } from './graph-layout.ts'

const treeOf = (world: SampleWorld, target: `0x${string}`) => controlNodeView(world.profile(target).tree)

const world = new SampleWorld(1)
const safe = world.safe('safe', 2, [at('a'), at('b'), at('c')])
const timelock = world.timelock('timelock', 172_800, [safe])

test('the graph has each account once, with its threshold or delay, and delays on the edges', () => {
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
      ['Owner', '2 d', true],
      ['Proposer', '2 d', true],
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
