import { codeName } from '../../text/codes.ts'
import styles from './issue-text.module.css'

/** `DUST_UTXOS: 3 of 7 …` → its short name and the sentence. */
export function IssueText({ issue }: { readonly issue: string }) {
  const at = issue.indexOf(': ')
  const [code, text] = at < 0 ? ['', issue] : [issue.slice(0, at), issue.slice(at + 2)]
  return (
    <li className={styles.issue}>
      {code !== '' && <strong>{codeName(code)}</strong>}
      <span>{text}</span>
    </li>
  )
}
