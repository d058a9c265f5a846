/** What an address can do to watched contracts: itself, as a signer, and through accounts that act for it. */
import type { Schemas } from 'gatewatch-client'
import { Link } from 'wouter'
import { EFFECT_TEXTS } from '../../../../vocabulary/powers.ts'
import { duration } from '../../../../vocabulary/time.ts'
import { useAddressPowers } from '../../api/use-contract.ts'
import { Account } from '../../components/account.tsx'
import { Card } from '../../components/card.tsx'
import { capitalized, shortHex } from '../../text/names.ts'
import styles from './contract-powers.module.css'

type ContractPower = Schemas['AddressView']['powers'][number]['contracts'][number]

/** Nothing where the address has no power. */
export function AddressPowers({ chain, address }: { readonly chain: string; readonly address: string }) {
  const { data } = useAddressPowers({ chain, address })
  if (data === undefined || data.powers.length === 0) return null
  return (
    <Card title="What this address can do">
      <ul className={styles.list}>
        {data.powers.map(({ effect, contracts }) => (
          <li key={effect}>
            <strong>{capitalized(EFFECT_TEXTS[effect])}</strong>
            <ul className={styles.holders}>
              {contracts.map((contract) => (
                <li key={`${contract.chainId} ${contract.address} ${contract.through.join()}`}>
                  <Link href={`/contracts/${contract.chainSlug}/${contract.address}`}>
                    {contract.name ?? shortHex(contract.address)}
                  </Link>{' '}
                  <span className={styles.faint}>
                    <Conditions of={contract} />
                  </span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Conditions({
  of: { role, through, chainSlug, signaturesNeeded, delaySeconds },
}: {
  readonly of: ContractPower
}) {
  return (
    <>
      {through.length === 0 && role}
      {through.map((account, at) => (
        <span key={account}>
          {at === 0 ? 'through ' : ', '}
          <Account chain={chainSlug} text={account} copy={false} />
        </span>
      ))}
      {signaturesNeeded > 1 && `, with ${signaturesNeeded - 1} other signers`}
      {delaySeconds > 0 && `, after ${duration(delaySeconds)}`}
    </>
  )
}
