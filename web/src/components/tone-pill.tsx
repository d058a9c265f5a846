import type { ReactNode } from 'react'
import { LABEL_DESCRIPTIONS, LABEL_TEXTS, LABEL_TONES, type Label, type Tone } from '../../../vocabulary/labels.ts'
import styles from './tone.module.css'

type TonePillProps = {
  readonly tone: Tone
  readonly large?: boolean
  readonly title?: string
  readonly children: ReactNode
}

/** A short text in the color of a tone. */
export function TonePill({ tone, large = false, title, children }: TonePillProps) {
  return (
    <span className={`${styles.pill} ${styles[tone]} ${large ? styles.large : ''}`} title={title}>
      <span className={styles.dot} aria-hidden="true" />
      {children}
    </span>
  )
}

type LabelPillProps = {
  readonly label: Label
  /** The usual one, unless a vote decides. */
  readonly text?: string
  /** That of the label, unless a power makes it worse. */
  readonly tone?: Tone
  readonly large?: boolean
}

/** A control label as a pill, with its description as the tooltip. */
export function LabelPill({
  label,
  text = LABEL_TEXTS[label],
  tone = LABEL_TONES[label],
  large = false,
}: LabelPillProps) {
  return (
    <TonePill tone={tone} large={large} title={LABEL_DESCRIPTIONS[label]}>
      {text}
    </TonePill>
  )
}
