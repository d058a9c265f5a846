/** Turns the control tree into a graph: one node for each account, one edge for each role in which it controls another. */
import type { Schemas } from 'gatewatch-client'
import { LABELS } from '../../../../vocabulary/labels.ts'
import { duration } from '../../../../vocabulary/time.ts'

export type ControlNode = Schemas['ControlNode']

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
}

export type GraphEdge = {
  /** The controlled account. */
  readonly from: string
  /** The controller. */
  readonly to: string
  /** The role of the controller: Owner, Proposer, Module. */
  readonly role: string
  /** The delay of every change on this path. */
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

export function graphOf(root: ControlNode): ControlGraph {
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
      addEdge(id, path, isNext)
      addNode(path, isNext)
    }
  }
  const addEdge = (from: string, path: ControlNode, isWeakest: boolean) => {
    const edge = {
      from,
      to: idOf(path),
      role: path.role,
      delay: path.delaySeconds > 0 ? duration(path.delaySeconds) : undefined,
      isWeakest,
    }
    const key = `${from} ${edge.to} ${path.role}`
    const known = edges.get(key)
    if (known === undefined) edges.set(key, edge)
    else known.isWeakest ||= isWeakest
  }

  addNode(root, true)
  return { nodes: [...nodes.values()], edges: [...edges.values()] }
}

/** The path that determines the label of the account. */
const weakestPathOf = ({ paths }: ControlNode): ControlNode | undefined =>
  paths.reduce<ControlNode | undefined>(
    (weakest, path) => (weakest === undefined || isWeaker(path.label, weakest.label) ? path : weakest),
    undefined,
  )
