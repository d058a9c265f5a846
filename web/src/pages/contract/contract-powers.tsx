/** What privileged callers can do with a contract, most harmful first, and who they are. */
import type { Schemas } from 'gatewatch-client'
import { LABEL_TONES } from '../../../../vocabulary/labels.ts'
import { EFFECT_TEXTS, functionText, powerTone } from '../../../../vocabulary/powers.ts'
import { duration } from '../../../../vocabulary/time.ts'
import { Account } from '../../components/account.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { capitalized } from '../../text/names.ts'
import styles from './contract-powers.module.css'

type Power = Schemas['Power']

/** Powers that no account holds, or that change nothing of weight. */
const isMinor = ({ class: of, label }: Power): boolean => of === 'info' || label === 'immutable'

export function ContractPowers({
  powers,
  chain,
}: {
  readonly powers: readonly Power[] | null
  readonly chain: string
}) {
  const [major, minor] = [(powers ?? []).filter((power) => !isMinor(power)), (powers ?? []).filter(isMinor)]
  return (
    <div className={styles.powers}>
      <h3>What they can do</h3>
      {major.length === 0 && (
        <p className={styles.none}>
          {powers === null ? 'Not analyzed yet.' : 'No function is reserved to an account that could do harm.'}
        </p>
      )}
      <PowerList powers={major} chain={chain} />
      {minor.length > 0 && (
        <details className={styles.minor}>
          <summary>Powers that no account holds, and minor ones</summary>
          <PowerList powers={minor} chain={chain} />
        </details>
      )}
    </div>
  )
}

function PowerList({ powers, chain }: { readonly powers: readonly Power[]; readonly chain: string }) {
  return (
    <ul className={styles.list}>
      {powers.map((power) => (
        <li key={`${power.effect} ${power.class}`}>
          <div className={styles.head}>
            <TonePill tone={power.effect === 'upgrade' ? LABEL_TONES[power.label] : powerTone(power)}>
              {capitalized(EFFECT_TEXTS[power.effect])}
            </TonePill>
            {power.delaySeconds > 0 && <span className={styles.faint}>after {duration(power.delaySeconds)}</span>}
          </div>
          {power.holders.length > 0 && (
            <ul className={styles.holders}>
              {power.holders.map(({ address, role, label, labelText, threshold, owners }) => (
                <li key={address}>
                  <span className={styles.faint}>{role}</span> <Account chain={chain} text={address} />{' '}
                  {threshold !== null && owners !== null && (
                    <span className={styles.faint}>
                      {threshold} of {owners}
                    </span>
                  )}{' '}
                  <TonePill tone={LABEL_TONES[label]}>{labelText}</TonePill>
                </li>
              ))}
            </ul>
          )}
          {power.holders.length === 0 && !power.isOpen && power.unknown === null && (
            <div className={styles.faint}>{power.summary}</div>
          )}
          {power.isOpen && (
            <div className={styles.faint}>Every caller, by the code or by a simulated call from a new account.</div>
          )}
          {power.unknown !== null && <div className={styles.faint}>Not all holders are known: {power.unknown}.</div>}
          {power.functions.length > 0 && (
            <div className={styles.functions}>
              {power.functions.map((each) => (
                <code key={each.selector}>{functionText(each)}</code>
              ))}
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}
