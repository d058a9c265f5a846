import { LABEL_TEXTS, LABEL_TONES, type Label } from '../text/labels.ts'
import { TonePill } from './tone-pill.tsx'

/** A control label in its words and its tone. */
export function LabelPill({ label, large = false }: { readonly label: Label; readonly large?: boolean }) {
  return (
    <TonePill tone={LABEL_TONES[label]} large={large}>
      {LABEL_TEXTS[label]}
    </TonePill>
  )
}
