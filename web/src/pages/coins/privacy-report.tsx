import type { Analysis } from '../../api/use-coins.ts'
import { Grade } from '../../components/grade.tsx'
import { Hash } from '../../components/hash.tsx'
import { wholeNumber } from '../../text/amounts.ts'
import { type CoinChain, codeName } from '../../text/names.ts'
import layout from './layout.module.css'
import styles from './privacy-report.module.css'

const CONFIDENCE = {
  deterministic: 'Certain',
  high: 'Very likely',
  medium: 'Likely',
  low: 'Possible',
} as const

type PrivacyReportProps = Pick<Analysis, 'privacy' | 'coverage'> & { readonly chain: CoinChain }

/** What the chain reveals about the owner of the address. */
export function PrivacyReport({ chain, privacy, coverage }: PrivacyReportProps) {
  const { score, grade, factors } = privacy
  return (
    <>
      <Grade score={score} grade={grade} />
      {factors.length === 0 && <p className={`${layout.faint} ${layout.below}`}>No privacy issues found.</p>}
      <ul className={layout.notes}>
        {factors.map(({ code, impact, confidence, evidence, text }) => (
          <li key={code} className={styles.factor}>
            <span className={styles.impact}>{impact > 0 ? `+${impact}` : String(impact).replace('-', '−')}</span>
            <div>
              <strong>{codeName(code)}</strong> <span className={styles.sure}>{CONFIDENCE[confidence]}</span>
              <p>{text}</p>
              {evidence.length > 0 && (
                <p className={styles.evidence}>
                  {evidence.map((txid) => (
                    <Hash key={txid} text={txid} what="transaction" href={`/coins/${chain}/tx/${txid}`} copy={false} />
                  ))}
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
      {coverage.truncated && (
        <p className={`${layout.faint} ${layout.below}`}>
          Based on {wholeNumber(coverage.txsExamined)} of {wholeNumber(coverage.txsTotal)} confirmed transactions.
        </p>
      )}
    </>
  )
}
