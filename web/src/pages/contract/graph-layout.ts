/** Lays out a control graph with dagre. */
import { Graph, layout } from '@dagrejs/dagre'
import type { ControlGraph, GraphEdge, GraphNode } from './control-graph.ts'

export const NODE_WIDTH = 176
const HEAD_HEIGHT = 58
const SIGNER_HEIGHT = 18
export const MAX_SIGNERS = 6
const LABEL_WIDTH = 92
const MARGIN = 12

export type Point = { readonly x: number; readonly y: number }
export type PlacedNode = GraphNode & Point & { readonly width: number; readonly height: number }
export type PlacedEdge = GraphEdge & { readonly points: readonly Point[]; readonly middle: Point }
export type Drawing = {
  readonly nodes: readonly PlacedNode[]
  readonly edges: readonly PlacedEdge[]
  readonly width: number
  readonly height: number
}

const LINE_HEIGHT = 16

/** The lines of text on an edge: the role, what the account can do, the delay. */
const linesOf = ({ powers, delay }: GraphEdge): number => 1 + Number(powers.length > 0) + Number(delay !== undefined)

/** The lines below the head of a box: signers, and how many more there are. */
const linesBelow = ({ signers, hidden }: GraphNode): number =>
  Math.min(signers.length, MAX_SIGNERS) + Number(signers.length > MAX_SIGNERS) + Number(hidden !== undefined)

const heightOf = (node: GraphNode): number => {
  const lines = linesBelow(node)
  return lines === 0 ? HEAD_HEIGHT : HEAD_HEIGHT + 10 + lines * SIGNER_HEIGHT
}

/** Lays out the graph from left to right if `isHorizontal`, else from top to bottom. */
export function layoutGraph({ nodes, edges }: ControlGraph, isHorizontal: boolean): Drawing {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({
    rankdir: isHorizontal ? 'LR' : 'TB',
    nodesep: 20,
    ranksep: isHorizontal ? 24 : 20,
    marginx: MARGIN,
    marginy: MARGIN,
  })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const node of nodes) graph.setNode(node.id, { width: NODE_WIDTH, height: heightOf(node) })
  for (const [index, edge] of edges.entries()) {
    const height = linesOf(edge) * LINE_HEIGHT + 4
    graph.setEdge(edge.from, edge.to, { width: LABEL_WIDTH, height, labelpos: 'c' }, String(index))
  }
  layout(graph)
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number }
  return {
    nodes: nodes.map((node) => ({ ...node, ...(graph.node(node.id) as Omit<PlacedNode, keyof GraphNode>) })),
    edges: edges.map((edge, index) => {
      const { points, x, y } = graph.edge(edge.from, edge.to, String(index)) as {
        points: Point[]
        x: number
        y: number
      }
      return { ...edge, points, middle: { x, y } }
    }),
    width,
    height,
  }
}
