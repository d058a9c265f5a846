import { TONE_TEXTS, TONES, type Tone } from '../../../vocabulary/labels.ts'
import styles from './tone-bar.module.css'

/** A number of contracts for each tone. */
export type ToneCounts = Readonly<Record<Tone, number>>

const WORST_FIRST = TONES.toReversed()

const countsFrom = (countOf: (tone: Tone) => number): ToneCounts => ({
  green: countOf('green'),
  grey: countOf('grey'),
  amber: countOf('amber'),
  red: countOf('red'),
})

export const countTones = (tones: readonly Tone[]): ToneCounts =>
  countsFrom((tone) => tones.filter((each) => each === tone).length)

export const addTones = (all: readonly ToneCounts[]): ToneCounts =>
  countsFrom((tone) => all.reduce((sum, counts) => sum + counts[tone], 0))

/** One bar with a part for each tone, as long as the number of contracts that have it. */
export function ToneBar({ counts, large = false }: { readonly counts: ToneCounts; readonly large?: boolean }) {
  const present = WORST_FIRST.filter((tone) => counts[tone] > 0)
  const text = present.map((tone) => `${counts[tone]} ${TONE_TEXTS[tone]}`).join(', ') || 'No contracts'
  return (
    <div className={`${styles.bar} ${large ? styles.large : ''}`} role="img" aria-label={text} title={text}>
      {present.map((tone) => (
        <span key={tone} className={`${styles.part} ${styles[tone]}`} style={{ flexGrow: counts[tone] }} />
      ))}
    </div>
  )
}

export function ToneLegend({ counts }: { readonly counts: ToneCounts }) {
  return (
    <ul className={styles.legend}>
      {WORST_FIRST.map((tone) => (
        <li key={tone} className={counts[tone] === 0 ? styles.none : undefined}>
          <span className={`${styles.swatch} ${styles[tone]}`} aria-hidden="true" />
          {TONE_TEXTS[tone]}
          <b>{counts[tone]}</b>
        </li>
      ))}
    </ul>
  )
}
