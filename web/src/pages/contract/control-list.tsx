/** The control paths as a nested list, for visitors who prefer text to the drawing. */
import { LABEL_TONES } from '../../../../vocabulary/labels.ts'
import { EFFECT_TEXTS } from '../../../../vocabulary/powers.ts'
import { TextWithAccounts } from '../../components/account.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import type { ControlNode, PowerPath } from './control-graph.ts'
import styles from './control-list.module.css'

type ListProps = { readonly tree: ControlNode; readonly paths: readonly PowerPath[]; readonly chain: string }

export function ControlList({ tree, paths, chain }: ListProps) {
  return (
    <details className={styles.details}>
      <summary>Show as list</summary>
      <ul className={styles.tree}>
        <Item node={tree} chain={chain} />
        {paths.map(({ node, effects }) => (
          <Item key={`${node.chainId} ${node.address}`} node={node} chain={chain} effects={effects} />
        ))}
      </ul>
    </details>
  )
}

type ItemProps = {
  readonly node: ControlNode
  readonly chain: string
  /** What the account can do to the contract other than to upgrade it. */
  readonly effects?: PowerPath['effects']
}

function Item({ node, chain, effects = [] }: ItemProps) {
  const { role, text, label, labelText, multisig, notes, signers, paths } = node
  return (
    <li>
      <span className={styles.role}>{role}: </span>
      {text} <TonePill tone={label === 'circular' ? 'grey' : LABEL_TONES[label]}>{labelText}</TonePill>
      {effects.length > 0 && <div>Can {effects.map((effect) => EFFECT_TEXTS[effect]).join(', ')}</div>}
      {multisig?.sharedSigners.map((signer) => (
        <div key={signer.address} className={styles.notes}>
          <TextWithAccounts text={`${signer.address} signs for ${signer.multisigs} watched multisigs.`} chain={chain} />
        </div>
      ))}
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
