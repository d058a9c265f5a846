/** Who signs for a multisig and what surrounds it: the first card of a Safe's page. */
import type { Schemas } from 'gatewatch-client'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import { STATE_FIELD_NAMES } from '../../../../vocabulary/event-templates.ts'
import { Account, TextWithAccounts } from '../../components/account.tsx'
import { Card } from '../../components/card.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { plural } from '../../text/amounts.ts'
import { entriesOf, type Fields } from '../../text/state-fields.ts'
import facts from './contract-facts.module.css'
import styles from './multisig-card.module.css'

type Node = Schemas['Control']['tree']
type Multisig = NonNullable<Node['multisig']>
type Signer = Node['signers'][number]

type MultisigCardProps = {
  readonly node: Node
  readonly multisig: Multisig
  /** The last polled state. */
  readonly fields: Fields
  readonly chain: string
  /** Where else a signer signs is known of the present only. */
  readonly isPast?: boolean
}

export function MultisigCard({
  node: { address, signers },
  multisig,
  fields,
  chain,
  isPast = false,
}: MultisigCardProps) {
  const settings = SETTINGS.filter((field) => field in fields)
  const { threshold, signers: count, isBelowHalf, keysNeeded, contractSigners, unusedSigners, sharedSigners } = multisig
  return (
    <Card
      title={`Signers: ${threshold} of ${count} must sign`}
      flush
      aside={isBelowHalf ? 'Fewer than half suffice' : undefined}
    >
      {keysNeeded !== null && keysNeeded < threshold && (
        <p className={styles.note}>
          {plural(keysNeeded, 'key')} can produce these signatures, because some keys sign more than once.
        </p>
      )}
      <DataTable
        caption="Signers"
        columns={[
          {
            title: 'Signer',
            cell: ({ address: signer, text }) => (
              <>
                <TextWithAccounts text={text} chain={chain} />
                {contractSigners.includes(signer) && <Note>Contract, not a known multisig</Note>}
                {unusedSigners.includes(signer) && <Note>No transaction yet on this chain</Note>}
              </>
            ),
          },
          ...(isPast
            ? []
            : [
                {
                  title: 'Also signs for',
                  cell: ({ address: signer }: Signer) => (
                    <OtherMultisigs of={sharedSigners.find((each) => each.address === signer)} except={address} />
                  ),
                },
              ]),
        ]}
        rows={signers}
        keyOf={(signer) => signer.address}
      />
      {settings.length > 0 && (
        <dl className={`${facts.facts} ${styles.settings}`}>
          {settings.map((field) => (
            <Fragment key={field}>
              <dt>
                {(STATE_FIELD_NAMES[field] ?? field).replace(/^Safe (.)/, (_, first: string) => first.toUpperCase())}
              </dt>
              <dd>
                <Accounts accounts={entriesOf(fields[field])} chain={chain} />
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
    </Card>
  )
}

const Note = ({ children }: { readonly children: string }) => <div className={styles.signerNote}>{children}</div>

/** The parts of a Safe that act for it or check what it does. */
const SETTINGS = ['modules', 'guard', 'moduleGuard', 'fallbackHandler', 'singleton'] as const

function OtherMultisigs({
  of,
  except,
}: {
  readonly of: Multisig['sharedSigners'][number] | undefined
  readonly except: string
}): ReactNode {
  if (of === undefined) return <span className={styles.faint}>No other multisig</span>
  const others = of.signsFor.filter(({ address }) => address !== except)
  const left = of.multisigs - 1 - others.length
  return (
    <>
      {others.map(({ chainId, chainSlug, address, name }, at) => (
        <Fragment key={`${chainId} ${address}`}>
          {at > 0 && ', '}
          {name === null ? (
            <Account chain={chainSlug} text={address} copy={false} />
          ) : (
            <Link href={`/contracts/${chainSlug}/${address}`}>{name}</Link>
          )}
        </Fragment>
      ))}
      {left > 0 && ` and ${left} more`}
    </>
  )
}

function Accounts({ accounts, chain }: { readonly accounts: readonly string[]; readonly chain: string }) {
  if (accounts.length === 0) return 'None'
  return accounts.map((account) => (
    <div key={account}>
      <Account chain={chain} text={account} />
    </div>
  ))
}
