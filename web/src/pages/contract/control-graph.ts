/** Turns the control tree into a graph: one node for each account, one edge for each role in which it controls another. */
import type { Schemas } from 'gatewatch-client'
import { LABELS } from '../../../../vocabulary/labels.ts'
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
import { duration } from '../../../../vocabulary/time.ts'

export type ControlNode = Schemas['ControlNode']
export type PowerPath = Schemas['Control']['powerPaths'][number]

export type GraphNode = {
  readonly id: string
  readonly chainId: number
  readonly address: string
  readonly title: string
  /** The threshold or the delay. */
  readonly figure: string | undefined
  readonly label: ControlNode['label']
  readonly kind: string
  readonly signers: readonly string[]
  isWeakest: boolean
  /** Accounts behind this one that are folded away. */
  readonly hidden?: number
}

export type GraphEdge = {
  /** The controlled account. */
  readonly from: string
  /** The controller. */
  readonly to: string
  /** The role of the controller: Owner, Proposer, Module. */
  readonly role: string
  /** What the controller can do other than to upgrade. */
  readonly powers: readonly PowerEffect[]
  /** The delay that begins here. An account that delays shows it itself. */
  readonly delay: string | undefined
  isWeakest: boolean
}

export type ControlGraph = { readonly nodes: readonly GraphNode[]; readonly edges: readonly GraphEdge[] }

const KIND_TITLES: Readonly<Record<string, string>> = {
  none: 'No account',
  eoa: 'Single key',
  l1_alias: 'Alias of an L1 contract',
  safe: 'Safe',
  multisig: 'Multisig',
  timelock_oz: 'Timelock',
  timelock_compound: 'Timelock',
  timelock_other: 'Timelock',
  zodiac_delay: 'Delay module',
  wards: 'Wards',
  aragon_app: 'Aragon app',
  lido_timelock: 'Lido timelock',
  payloads_controller: 'Payloads controller',
  governor: 'Governor',
  proxy_admin: 'ProxyAdmin',
  executor: 'Executor',
  access_manager: 'AccessManager',
  ownable_contract: 'Contract',
  unknown_contract: 'Unrecognized contract',
  unjudged: 'Contract',
}

/** Weakest first. */
const ORDER: readonly ControlNode['label'][] = [...LABELS.toReversed(), 'circular']
const isWeaker = (a: ControlNode['label'], b: ControlNode['label']): boolean => ORDER.indexOf(a) < ORDER.indexOf(b)

const idOf = ({ chainId, address }: ControlNode): string => `${chainId}:${address}`

/** The threshold of a multisig, or the delay of a timelock. */
export function figureOf({ kind, threshold, owners, delaySeconds }: ControlNode): string | undefined {
  if (threshold !== null && owners !== null) return `${threshold} of ${owners}`
  return DELAYING.has(kind) && delaySeconds > 0 ? duration(delaySeconds) : undefined
}

const DELAYING: ReadonlySet<string> = new Set([
  'timelock_oz',
  'timelock_compound',
  'timelock_other',
  'zodiac_delay',
  'payloads_controller',
])

export const titleOf = (node: ControlNode): string => KIND_TITLES[node.kind] ?? 'Contract'

/** Holders of powers that are drawn. The list below the drawing has all. */
const MAX_HOLDERS = 12

/**
 * `paths`: holders of powers. `decisive`: the power that makes the tone worse than that of the label, whose path is then
 * the weakest.
 */
export function graphOf(root: ControlNode, paths: readonly PowerPath[] = [], decisive?: PowerEffect): ControlGraph {
  const nodes = new Map<string, GraphNode>()
  const edges = new Map<string, GraphEdge>()

  const addNode = (node: ControlNode, isWeakest: boolean) => {
    const id = idOf(node)
    const known = nodes.get(id)
    if (known !== undefined) {
      known.isWeakest ||= isWeakest
      // A repeated account keeps the details of its first occurrence, because later ones lack them.
      if (node.label !== 'circular' && isWeaker(node.label, known.label)) nodes.set(id, { ...known, label: node.label })
    } else {
      nodes.set(id, {
        id,
        chainId: node.chainId,
        address: node.address,
        title: node === root ? 'This contract' : titleOf(node),
        figure: figureOf(node),
        label: node.label,
        kind: node.kind,
        signers: node.signers.map(({ address }) => address),
        isWeakest,
      })
    }
    const weakest = weakestPathOf(node)
    for (const path of node.paths) {
      const isNext = isWeakest && path === weakest
      addEdge(node, path, isNext)
      addNode(path, isNext)
    }
  }
  const addEdge = (
    from: ControlNode,
    path: ControlNode,
    isWeakest: boolean,
    powers: readonly PowerEffect[] = [],
  ): void => {
    const isDelayedHere = path.delaySeconds > (from === root ? 0 : from.delaySeconds)
    const edge: GraphEdge = {
      from: idOf(from),
      to: idOf(path),
      role: path.role,
      powers,
      delay: isDelayedHere && figureOf(path) === undefined ? duration(path.delaySeconds) : undefined,
      isWeakest,
    }
    const key = `${edge.from} ${edge.to} ${path.role}`
    const known = edges.get(key)
    if (known === undefined) edges.set(key, edge)
    else edges.set(key, { ...known, powers: [...known.powers, ...powers], isWeakest: known.isWeakest || isWeakest })
  }

  addNode(root, decisive === undefined)
  const self = nodes.get(idOf(root))
  if (self !== undefined) self.isWeakest = true
  const [weakest] = paths
    .filter(({ effects }) => decisive !== undefined && effects.includes(decisive))
    .toSorted((a, b) => ORDER.indexOf(a.node.label) - ORDER.indexOf(b.node.label))
  for (const path of paths.slice(0, MAX_HOLDERS)) {
    addEdge(root, path.node, path === weakest, path.effects)
    addNode(path.node, path === weakest)
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()] }
}

/** The path that determines the label of the account. */
const weakestPathOf = ({ paths }: ControlNode): ControlNode | undefined =>
  paths.reduce<ControlNode | undefined>(
    (weakest, path) => (weakest === undefined || isWeaker(path.label, weakest.label) ? path : weakest),
    undefined,
  )

/** A graph up to this size is drawn as a whole. */
const MAX_UNFOLDED = 10
/** Accounts farther from the contract are folded away in a larger graph. */
const MAX_DISTANCE = 2

/**
 * Leaves out the accounts that are far from the contract, except on the weakest path and behind the accounts in
 * `unfolded`. The account in front of them counts them.
 */
export function fold({ nodes, edges }: ControlGraph, unfolded: ReadonlySet<string>): ControlGraph {
  const [root] = nodes
  if (root === undefined || nodes.length <= MAX_UNFOLDED) return { nodes, edges }
  const isWeakest = (id: string): boolean => nodes.some((node) => node.id === id && node.isWeakest)
  const shown = new Map([[root.id, 0]])
  for (const [id, distance] of shown)
    for (const { from, to } of edges)
      if (from === id && !shown.has(to) && (distance < MAX_DISTANCE || unfolded.has(id) || isWeakest(to)))
        shown.set(to, distance + 1)
  return {
    nodes: nodes
      .filter(({ id }) => shown.has(id))
      .map((node) => {
        const isLast = edges.some(({ from, to }) => from === node.id && !shown.has(to))
        return isLast ? { ...node, hidden: behind(node.id, edges).filter((id) => !shown.has(id)).length } : node
      }),
    edges: edges.filter(({ from, to }) => shown.has(from) && shown.has(to)),
  }
}

/** Every account behind one, each once. */
function behind(id: string, edges: readonly GraphEdge[]): readonly string[] {
  const found = new Set([id])
  for (const each of found) for (const { from, to } of edges) if (from === each) found.add(to)
  found.delete(id)
  return [...found]
}

/** A step from one account to another: to a controller, to what it controls, or to another controller of the same. */
export type Step = 'controller' | 'controlled' | 'next' | 'previous'

/** The account that a step leads to, along the edges; undefined if there is none. */
export function stepFrom(id: string, step: Step, { nodes, edges }: ControlGraph): string | undefined {
  if (step === 'controller') return edges.find(({ from }) => from === id)?.to
  const controlled = edges.find(({ to }) => to === id)?.from
  if (step === 'controlled') return controlled
  const siblings = nodes.filter((node) => edges.some(({ from, to }) => from === controlled && to === node.id))
  return siblings[siblings.findIndex((node) => node.id === id) + (step === 'next' ? 1 : -1)]?.id
}
