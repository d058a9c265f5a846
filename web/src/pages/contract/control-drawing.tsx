/** Draws the control paths: the contract, then its controllers. The weakest path has the color of the label. */
import { curveBasis, line } from 'd3-shape'
import { useMemo, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import type { Tone } from '../../../../vocabulary/labels.ts'
import { type PowerEffect, SHORT_EFFECT_TEXTS } from '../../../../vocabulary/powers.ts'
import { shortHex, shortName } from '../../text/names.ts'
import styles from './control-drawing.module.css'
import { type ControlNode, graphOf, type PowerPath } from './control-graph.ts'
import { layoutGraph, MAX_SIGNERS, NODE_WIDTH, type PlacedEdge, type PlacedNode, type Point } from './graph-layout.ts'

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
  const { nodes, edges, width, height } = useMemo(
    () => layoutGraph(graphOf(tree, paths, decisive), isWide),
    [tree, paths, decisive, isWide],
  )
  return (
    // Focusable, so that a keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles.scroll} tabIndex={0} aria-label="Control paths">
      <svg
        className={`${styles.drawing} ${!isWide && width <= MAX_SCALED_WIDTH ? styles.shrunk : ''}`}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label="Accounts and how they control each other. The list below has the same content."
      >
        {edges.map((edge) => (
          <Edge key={`${edge.from} ${edge.to} ${edge.role}`} edge={edge} tone={edge.isWeakest ? tone : undefined} />
        ))}
        {nodes.map((node) => (
          <Node
            key={node.id}
            node={node}
            name={nameOf(node)}
            href={pageOf(node)}
            tone={node.isWeakest ? tone : undefined}
          />
        ))}
      </svg>
    </section>
  )
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

type NodeProps = {
  readonly node: PlacedNode
  readonly name: string | undefined
  readonly href: string | undefined
  readonly tone: Tone | undefined
}

/** The longest name that fits a box. */
const MAX_NAME_LENGTH = 22

function Node({ node, name, href, tone }: NodeProps) {
  const { x, y, width, height, title, figure, address, signers } = node
  const shown = signers.slice(0, MAX_SIGNERS)
  const body = (
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
        <title>{name === undefined ? address : `${name}, ${address}`}</title>
        {name === undefined ? shortHex(address, 8, 6) : shortName(name, MAX_NAME_LENGTH)}
      </text>
      {shown.length > 0 && <line className={styles.rule} x1={14} x2={NODE_WIDTH - 14} y1={56} y2={56} />}
      {shown.map((signer, index) => (
        <text key={signer} className={styles.signer} x={14} y={73 + index * 18}>
          <title>{signer}</title>
          {shortHex(signer, 8, 6)}
        </text>
      ))}
      {signers.length > MAX_SIGNERS && (
        <text className={styles.signer} x={14} y={73 + MAX_SIGNERS * 18}>
          and {signers.length - MAX_SIGNERS} more
        </text>
      )}
    </>
  )
  return (
    <g
      className={toned(undefined, tone)}
      transform={`translate(${x - width / 2} ${y - height / 2})`}
      data-node={address}
    >
      {href === undefined ? (
        body
      ) : (
        <Link className={styles.link} href={href}>
          {body}
        </Link>
      )}
    </g>
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
