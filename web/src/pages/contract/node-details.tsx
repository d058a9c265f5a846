/** What is known about one account of the drawing. */
import { Link } from 'wouter'
import { EFFECT_TEXTS } from '../../../../vocabulary/powers.ts'
import { Hash } from '../../components/hash.tsx'
import type { GraphEdge, GraphNode } from './control-graph.ts'
import styles from './node-details.module.css'

type Edges = readonly GraphEdge[]

/** The roles of the account and what is behind it, for screen readers. Its box has the rest. */
export function nodeText({ id, signers, hidden }: GraphNode, edges: Edges): string {
  return [
    ...edges.filter(({ to }) => to === id).map(roleText),
    ...(signers.length > 0 ? [`${signers.length} signers`] : []),
    ...(hidden === undefined ? [] : [`${hidden} more accounts behind it`]),
  ].join(', ')
}

const roleText = ({ role, powers, delay }: GraphEdge): string =>
  [
    role,
    ...(powers.length === 0 ? [] : [`can ${powers.map((effect) => EFFECT_TEXTS[effect]).join(', ')}`]),
    ...(delay === undefined ? [] : [`delay ${delay}`]),
  ].join(', ')

type NodeDetailsProps = {
  readonly id: string
  readonly node: GraphNode
  readonly name: string | undefined
  readonly href: string | undefined
  /** The roles of the account. */
  readonly edges: Edges
}

export function NodeDetails({ id, node, name, href, edges }: NodeDetailsProps) {
  const { title, figure, address, signers } = node
  return (
    <section id={id} className={styles.details} aria-label={`Account ${name ?? title}`}>
      <h3>
        {name ?? title}
        {figure !== undefined && ` · ${figure}`}
      </h3>
      <Hash text={address} what="address" full />
      {edges.length > 0 && (
        <ul>
          {edges.map((edge) => (
            <li key={`${edge.from} ${edge.role}`}>{roleText(edge)}</li>
          ))}
        </ul>
      )}
      {signers.length > 0 && (
        <ul aria-label="Signers">
          {signers.map((signer) => (
            <li key={signer}>
              <Hash text={signer} what="signer" full />
            </li>
          ))}
        </ul>
      )}
      {href !== undefined && <Link href={href}>Open the page of this account</Link>}
    </section>
  )
}
