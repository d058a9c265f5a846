import type { Analysis } from '../../api/use-coins.ts'
import { Grade } from '../../components/grade.tsx'
import { IssueText } from './issue-text.tsx'
import layout from './layout.module.css'

/** How well the coins can be spent, and what speaks against more. */
export function HealthReport({ health }: { readonly health: Analysis['health'] }) {
  const { score, grade, issues } = health
  return (
    <>
      <Grade score={score} grade={grade} />
      {issues.length === 0 ? (
        <p className={`${layout.faint} ${layout.below}`}>Nothing speaks against these coins.</p>
      ) : (
        <ul className={layout.notes}>
          {issues.map((issue) => (
            <IssueText key={issue} issue={issue} />
          ))}
        </ul>
      )}
    </>
  )
}
