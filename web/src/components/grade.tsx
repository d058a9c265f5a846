import type { Tone } from '../../../vocabulary/labels.ts'
import styles from './grade.module.css'

const TONES: Readonly<Record<string, Tone>> = { A: 'green', B: 'green', C: 'amber', D: 'red', F: 'red' }

/** A score from 0 to 100 with its grade and a bar. */
export function Grade({ score, grade }: { readonly score: number; readonly grade: string }) {
  const tone = TONES[grade] ?? 'grey'
  return (
    <div className={styles.grade}>
      <span className={`${styles.letter} ${styles[tone]}`}>{grade}</span>
      <div className={styles.score}>
        <span>
          <strong>{score}</strong> of 100
        </span>
        <span className={styles.track}>
          <span className={`${styles.reach} ${styles[tone]}`} style={{ width: `${score}%` }} />
        </span>
      </div>
    </div>
  )
}
