/** Draws the control paths: the contract, then its controllers. The weakest path has the color of the label. */
import { curveBasis, line } from 'd3-shape'
import { type KeyboardEvent, useId, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { Tone } from '../../../../vocabulary/labels.ts'
import { type PowerEffect, SHORT_EFFECT_TEXTS } from '../../../../vocabulary/powers.ts'
import { plural } from '../../text/amounts.ts'
import { shortHex, shortName } from '../../text/names.ts'
import styles from './control-drawing.module.css'
import { type ControlNode, fold, graphOf, type PowerPath, type Step, stepFrom } from './control-graph.ts'
import { layoutGraph, MAX_SIGNERS, NODE_WIDTH, type PlacedEdge, type PlacedNode, type Point } from './graph-layout.ts'
import { NodeDetails, nodeText } from './node-details.tsx'

const curve = line<Point>(
  ({ x }) => x,
  ({ y }) => y,
).curve(curveBasis)

type DrawingProps = {
  readonly tree: ControlNode
  readonly paths: readonly PowerPath[]
  /** The power that makes the tone worse than that of the label. */
  readonly decisive: PowerEffect | undefined
  readonly tone: Tone
  readonly pageOf: (node: PlacedNode) => string | undefined
  readonly nameOf: (node: PlacedNode) => string | undefined
}

/** A drawing up to this width is scaled down on a phone. A wider one scrolls, because it would be unreadable. */
const MAX_SCALED_WIDTH = 420

export function ControlDrawing({ tree, paths, decisive, tone, pageOf, nameOf }: DrawingProps) {
  const isWide = useIsWide()
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<string>()
  const [current, setCurrent] = useState<string>()
  const boxes = useRef(new Map<string, SVGGElement>())
  const detailsId = useId()
  const graph = useMemo(() => fold(graphOf(tree, paths, decisive), unfolded), [tree, paths, decisive, unfolded])
  const { nodes, edges, width, height } = useMemo(() => layoutGraph(graph, isWide), [graph, isWide])
  const reached = nodes.find(({ id }) => id === current) ?? nodes[0]
  const open = nodes.find(({ id }) => id === opened)
  const toggle = ({ id, hidden }: PlacedNode) => {
    setCurrent(id)
    if (hidden !== undefined) setUnfolded(new Set([...unfolded, id]))
    setOpened(id === opened && hidden === undefined ? undefined : id)
  }
  const onKeyDown = (event: KeyboardEvent, node: PlacedNode) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      return toggle(node)
    }
    if (event.key === 'Escape') return setOpened(undefined)
    const step = STEPS[event.key]?.[isWide ? 0 : 1]
    const to = step === undefined ? undefined : stepFrom(node.id, step, graph)
    if (step === undefined) return
    event.preventDefault()
    if (to === undefined) return
    setCurrent(to)
    boxes.current.get(to)?.focus()
  }
  return (
    <>
      <section className={styles.scroll} aria-label="Control paths">
        <svg
          className={`${styles.drawing} ${!isWide && width <= MAX_SCALED_WIDTH ? styles.shrunk : ''}`}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="group"
          aria-label="Accounts and how they control each other. Arrow keys move along the lines, Enter shows an account. The list below has the same content."
        >
          {edges.map((edge) => (
            <Edge key={`${edge.from} ${edge.to} ${edge.role}`} edge={edge} tone={edge.isWeakest ? tone : undefined} />
          ))}
          {nodes.map((node) => (
            <g
              key={node.id}
              ref={(box) => {
                if (box === null) boxes.current.delete(node.id)
                else boxes.current.set(node.id, box)
              }}
              role="button"
              tabIndex={node === reached ? 0 : -1}
              aria-description={nodeText(node, edges)}
              aria-expanded={node === open}
              aria-controls={node === open ? detailsId : undefined}
              className={toned(styles.node, node.isWeakest ? tone : undefined)}
              transform={`translate(${node.x - node.width / 2} ${node.y - node.height / 2})`}
              data-node={node.address}
              onClick={() => toggle(node)}
              onFocus={() => setCurrent(node.id)}
              onKeyDown={(event) => onKeyDown(event, node)}
            >
              <Box node={node} name={nameOf(node)} />
            </g>
          ))}
        </svg>
      </section>
      {open !== undefined && (
        <NodeDetails
          id={detailsId}
          node={open}
          name={nameOf(open)}
          href={pageOf(open)}
          edges={edges.filter(({ to }) => to === open.id)}
        />
      )}
    </>
  )
}

/** What an arrow key does in a drawing from left to right, and in one from top to bottom. */
const STEPS: Readonly<Record<string, readonly [Step, Step]>> = {
  ArrowRight: ['controller', 'next'],
  ArrowLeft: ['controlled', 'previous'],
  ArrowDown: ['next', 'controller'],
  ArrowUp: ['previous', 'controlled'],
}

const MAX_ROLE_LENGTH = 15

const toned = (base: string | undefined, tone: Tone | undefined): string =>
  [base, ...(tone === undefined ? [] : [styles.weakest, styles[tone]])].filter(Boolean).join(' ')

function Edge({ edge, tone }: { readonly edge: PlacedEdge; readonly tone: Tone | undefined }) {
  const { points, middle, role, powers, delay } = edge
  const [first, ...others] = powers
  const [tip, next] = points
  return (
    <g>
      <path className={toned(styles.edge, tone)} d={curve(points) ?? ''} />
      {tip !== undefined && next !== undefined && <path className={toned(styles.arrow, tone)} d={arrowAt(tip, next)} />}
      <text className={styles.role} x={middle.x} y={middle.y - 6}>
        <title>{role}</title>
        {shortName(role, MAX_ROLE_LENGTH)}
      </text>
      {first !== undefined && (
        <text className={styles.power} x={middle.x} y={middle.y + 9}>
          <title>{powers.map((effect) => SHORT_EFFECT_TEXTS[effect]).join(', ')}</title>
          {SHORT_EFFECT_TEXTS[first]}
          {others.length > 0 && ` + ${others.length}`}
        </text>
      )}
      {delay !== undefined && (
        <text className={styles.delay} x={middle.x} y={middle.y + (first === undefined ? 9 : 24)}>
          delay {delay}
        </text>
      )}
    </g>
  )
}

/** A triangle at `tip` that points away from `next`. The line begins at the controlled account. */
function arrowAt(tip: Point, next: Point): string {
  const length = Math.hypot(tip.x - next.x, tip.y - next.y) || 1
  const [dx, dy] = [(tip.x - next.x) / length, (tip.y - next.y) / length]
  const [bx, by] = [tip.x - dx * 9, tip.y - dy * 9]
  return `M${tip.x} ${tip.y} L${bx - dy * 4.5} ${by + dx * 4.5} L${bx + dy * 4.5} ${by - dx * 4.5} Z`
}

/** The longest name that fits a box. */
const MAX_NAME_LENGTH = 22

function Box({ node, name }: { readonly node: PlacedNode; readonly name: string | undefined }) {
  const { width, height, title, figure, address, signers, hidden } = node
  const lines = [
    ...signers.slice(0, MAX_SIGNERS).map((signer) => shortHex(signer, 8, 6)),
    ...(signers.length > MAX_SIGNERS ? [`and ${signers.length - MAX_SIGNERS} more`] : []),
    ...(hidden === undefined ? [] : [`+ ${plural(hidden, 'account')}`]),
  ]
  return (
    <>
      <rect className={styles.box} width={width} height={height} rx={8} />
      <text className={styles.title} x={14} y={25}>
        {title}
      </text>
      {figure !== undefined && (
        <text className={styles.figure} x={NODE_WIDTH - 14} y={25}>
          {figure}
        </text>
      )}
      <text className={name === undefined ? styles.address : styles.name} x={14} y={44}>
        {name === undefined ? shortHex(address, 8, 6) : shortName(name, MAX_NAME_LENGTH)}
      </text>
      {lines.length > 0 && <line className={styles.rule} x1={14} x2={NODE_WIDTH - 14} y1={56} y2={56} />}
      {lines.map((text, index) => (
        <text key={`${index} ${text}`} className={styles.signer} x={14} y={73 + index * 18}>
          {text}
        </text>
      ))}
    </>
  )
}

const wideQuery = () => window.matchMedia('(min-width: 56rem)')

const subscribeToWidth = (notify: () => void): (() => void) => {
  const query = wideQuery()
  query.addEventListener('change', notify)
  return () => query.removeEventListener('change', notify)
}

/** Whether the window has room for a drawing from left to right. */
const useIsWide = (): boolean => useSyncExternalStore(subscribeToWidth, () => wideQuery().matches)
