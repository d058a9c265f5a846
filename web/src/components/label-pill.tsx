import { LABEL_DESCRIPTIONS, LABEL_TEXTS, LABEL_TONES, type Label } from '../../../vocabulary/labels.ts'
import { TonePill } from './tone-pill.tsx'

/** A control label as a pill, with its description as the tooltip. */
export function LabelPill({ label, large = false }: { readonly label: Label; readonly large?: boolean }) {
  return (
    <TonePill tone={LABEL_TONES[label]} large={large} title={LABEL_DESCRIPTIONS[label]}>
      {LABEL_TEXTS[label]}
    </TonePill>
  )
}
