/** The control paths as a nested list, for visitors who prefer text to the drawing. */
import { TextWithAccounts } from '../../components/account.tsx'
import { LabelPill, TonePill } from '../../components/tone-pill.tsx'
import type { ControlNode } from './control-graph.ts'
import styles from './control-list.module.css'

export function ControlList({ tree, chain }: { readonly tree: ControlNode; readonly chain: string }) {
  return (
    <details className={styles.details}>
      <summary>Show as list</summary>
      <ul className={styles.tree}>
        <Item node={tree} chain={chain} />
      </ul>
    </details>
  )
}

function Item({ node, chain }: { readonly node: ControlNode; readonly chain: string }) {
  const { role, text, label, notes, signers, paths } = node
  return (
    <li>
      <span className={styles.role}>{role}: </span>
      {text} {label === 'circular' ? <TonePill tone="grey">Circular</TonePill> : <LabelPill label={label} />}
      {notes.map((note) => (
        <div key={note} className={styles.notes}>
          <TextWithAccounts text={note} chain={chain} />
        </div>
      ))}
      {(paths.length > 0 || signers.length > 0) && (
        <ul className={styles.tree}>
          {signers.map((signer) => (
            <li key={signer.address}>
              <span className={styles.role}>Signer: </span>
              <TextWithAccounts text={signer.text} chain={chain} />
            </li>
          ))}
          {paths.map((path) => (
            <Item key={`${path.role} ${path.address}`} node={path} chain={chain} />
          ))}
        </ul>
      )}
    </li>
  )
}
