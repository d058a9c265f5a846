/** What an address can do to watched contracts: itself, as a signer, and through accounts that act for it. */
import type { Schemas } from 'gatewatch-client'
import { Link } from 'wouter'
import { EFFECT_TEXTS } from '../../../../vocabulary/powers.ts'
import { duration } from '../../../../vocabulary/time.ts'
import { Account } from '../../components/account.tsx'
import { Card } from '../../components/card.tsx'
import { ChainName } from '../../components/chain-name.tsx'
import { Figures } from '../../components/figures.tsx'
import { plural, wholeNumber } from '../../text/amounts.ts'
import { countContracts, type HeldPowers, heldPowers } from '../../text/held-powers.ts'
import { shortHex } from '../../text/names.ts'
import styles from './address-powers.module.css'

type View = Schemas['AddressView']

/** Contracts listed at once. The rest follow on request. */
const MAX_LISTED = 12

type AddressPowersProps = {
  readonly view: View
  /** It acts by its own rules, which the rest of its page shows. */
  readonly isContract?: boolean
}

/** Nothing where the address has no power over another contract. */
export function AddressPowers({ view, isContract = false }: AddressPowersProps) {
  const held = heldPowers(view)
  if (held.length === 0) return null
  const [listed, rest] = [held.slice(0, MAX_LISTED), held.slice(MAX_LISTED)]
  return (
    <Card
      title="What this address can do"
      flush
      aside={`${plural(countContracts(held), 'contract')}${view.isComplete ? '' : ', and more'}`}
    >
      <PowerRows held={listed} isContract={isContract} />
      {rest.length > 0 && (
        <details className={styles.rest}>
          <summary>{rest.length} more</summary>
          <PowerRows held={rest} isContract={isContract} />
        </details>
      )}
    </Card>
  )
}

/** How far the control of an address reaches, at the top of its page. */
export function PowerFigures({ view }: { readonly view: View }) {
  const held = heldPowers(view)
  const isAlone = ({ signaturesNeeded }: HeldPowers) => signaturesNeeded <= 1
  const figure = (holds?: (one: HeldPowers) => boolean) => wholeNumber(countContracts(held, holds))
  return (
    <Figures
      variant="tiles"
      items={[
        { name: 'Contracts it can act on', value: figure() },
        { name: 'Alone', value: figure(isAlone) },
        { name: 'Alone and without delay', value: figure((one) => isAlone(one) && one.delaySeconds === 0) },
        { name: 'With other signers', value: figure((one) => !isAlone(one)) },
      ]}
    />
  )
}

function PowerRows({ held, isContract }: { readonly held: readonly HeldPowers[]; readonly isContract: boolean }) {
  return (
    <ul>
      {held.map((each) => (
        <li key={`${each.chainId} ${each.address} ${each.through.join()} ${each.delaySeconds}`} className={styles.row}>
          <div>
            <div>
              <Link href={`/contracts/${each.chainSlug}/${each.address}`} className={styles.name}>
                {each.name ?? shortHex(each.address)}
              </Link>{' '}
              <span className={styles.faint}>
                {each.protocol !== null && `${each.protocol} · `}
                <ChainName slug={each.chainSlug} />
              </span>
            </div>
            <p>Can {each.effects.map((effect) => EFFECT_TEXTS[effect]).join(', ')}</p>
            <p className={styles.faint}>
              <Path of={each} />
            </p>
          </div>
          <div className={styles.side}>
            {!isContract && <span>{signersText(each)}</span>}
            <span className={styles.faint}>
              {each.delaySeconds > 0 ? `After ${duration(each.delaySeconds)}` : 'At once'}
            </span>
          </div>
        </li>
      ))}
    </ul>
  )
}

const signersText = ({ signaturesNeeded }: HeldPowers): string =>
  signaturesNeeded > 1 ? `With ${plural(signaturesNeeded - 1, 'other signer')}` : 'Alone'

/** The accounts in between. A multisig that its signer makes act is the contract itself. */
function Path({ of: { address, role, through, chainSlug } }: { readonly of: HeldPowers }) {
  if (through.length === 0) return role
  if (through.at(-1) === address && through.length === 1) return 'As a signer'
  return through.map((account, at) => (
    <span key={account}>
      {at === 0 ? 'Through ' : ', '}
      <Account chain={chainSlug} text={account} copy={false} />
    </span>
  ))
}
