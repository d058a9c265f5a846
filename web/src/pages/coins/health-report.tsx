import type { Analysis } from '../../api/use-coins.ts'
import { Grade } from '../../components/grade.tsx'
import { codeName } from '../../text/names.ts'
import styles from './health-report.module.css'
import layout from './layout.module.css'

/** The health score of the UTXOs of an address, with its issues. */
export function HealthReport({ health }: { readonly health: Analysis['health'] }) {
  const { score, grade, issues } = health
  return (
    <>
      <Grade score={score} grade={grade} />
      {issues.length === 0 ? (
        <p className={`${layout.faint} ${layout.below}`}>No issues found.</p>
      ) : (
        <ul className={layout.notes}>
          {issues.map((issue) => (
            <Issue key={issue} issue={issue} />
          ))}
        </ul>
      )}
    </>
  )
}

/** `DUST_UTXOS: 3 of 7 …` is shown as the name of the code and the sentence. */
function Issue({ issue }: { readonly issue: string }) {
  const at = issue.indexOf(': ')
  const [code, text] = at < 0 ? ['', issue] : [issue.slice(0, at), issue.slice(at + 2)]
  return (
    <li className={styles.issue}>
      {code !== '' && <strong>{codeName(code)}</strong>}
      <span>{text}</span>
    </li>
  )
}
