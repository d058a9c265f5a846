import type { Schemas } from 'gatewatch-client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { LABEL_TONES } from '../../../../vocabulary/labels.ts'
import { decisivePower } from '../../../../vocabulary/powers.ts'
import { buttonClass } from '../../components/button.tsx'
import { ChainName } from '../../components/chain-name.tsx'
import { ExplorerLink } from '../../components/explorer-link.tsx'
import { Hash } from '../../components/hash.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { LabelPill } from '../../components/tone-pill.tsx'
import { WatchLink } from '../../components/watch-link.tsx'
import styles from './contract-page.module.css'

type View = Schemas['ContractView']

type ContractHeaderProps = {
  readonly view: View
  /** The label and the powers that the page shows; null if none was recorded. */
  readonly shown: Pick<View, 'controlProfile' | 'powers'> | null
  /** Next to the label. */
  readonly note?: ReactNode
  /** Of a contract without a name. */
  readonly unnamed?: string | undefined
}

export function ContractHeader({
  view: { chain, address, contract },
  shown,
  note,
  unnamed = 'Unnamed contract',
}: ContractHeaderProps) {
  return (
    <PageHeader
      title={contract?.name ?? unnamed}
      lead={
        <div className={styles.where}>
          <span>
            <ChainName slug={chain.slug} />
          </span>
          {contract?.protocol != null && (
            <Link href={`/protocols/${encodeURIComponent(contract.protocol)}`}>{contract.protocol}</Link>
          )}
          <Hash text={address} what="address" full />
          <ExplorerLink chain={chain.slug} to={{ address }} />
        </div>
      }
      aside={
        <div className={styles.title}>
          {shown !== null && <Label {...shown} />}
          {note}
          <span className={styles.actions}>
            <WatchLink chain={chain.slug} address={address} />
            <Link className={buttonClass()} href={`/badges?chain=${chain.slug}&address=${address}`}>
              Badge
            </Link>
          </span>
        </div>
      }
    />
  )
}

function Label({ controlProfile: { label, text, tone }, powers }: Pick<View, 'controlProfile' | 'powers'>) {
  const decisive = decisivePower(LABEL_TONES[label], powers ?? [])
  return (
    <>
      <LabelPill label={label} text={text} tone={tone} large />
      {decisive !== undefined && <span className={styles.decisive}>{decisive.shortSummary}</span>}
    </>
  )
}
