/** The page of an address that is not watched: what it can do elsewhere, and a check of its contract on request. */
import type { Schemas } from 'gatewatch-client'
import { Link } from 'wouter'
import { useAbout } from '../../api/use-about.ts'
import { useAddressPowers, useCheck, useRequestCheck } from '../../api/use-contract.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ChainName } from '../../components/chain-name.tsx'
import { ExplorerLink } from '../../components/explorer-link.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Hash } from '../../components/hash.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { PageSkeleton, SkeletonBar } from '../../components/skeleton.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { LabelPill } from '../../components/tone-pill.tsx'
import { WatchLink } from '../../components/watch-link.tsx'
import { AddressPowers, PowerFigures } from './address-powers.tsx'
import page from './contract-page.module.css'
import { Controllers } from './controllers.tsx'
import { ImplementationUsers, implementationTitle } from './implementation-users.tsx'
import { MultisigCard } from './multisig-card.tsx'

type ContractRef = { readonly chain: string; readonly address: string }
type Check = Schemas['ContractCheck']

export function UnwatchedContract({ chain, address }: ContractRef) {
  const { data: check, isFetched: isCheckRead } = useCheck({ chain, address })
  const { data: view, isFetched: arePowersRead } = useAddressPowers({ chain, address })
  const control = check?.control ?? null
  const isCode = view !== undefined && view.implementationOf.length > 0
  const holdsPowers = view !== undefined && view.powers.length > 0
  // Shown together, because powers that arrive later would move everything below them.
  if (!isCheckRead || !arePowersRead) return <PageSkeleton />
  return (
    <>
      <PageHeader
        title={
          (view && implementationTitle(view)) ??
          (control !== null ? 'Contract that is not watched' : holdsPowers ? 'Account with control' : 'Address')
        }
        lead={
          <div className={page.where}>
            <span>
              <ChainName slug={chain} />
            </span>
            <Hash text={address} what="address" full />
            <ExplorerLink chain={chain} to={{ address }} />
          </div>
        }
        aside={
          control !== null && (
            <div className={page.title}>
              <LabelPill label={control.profile.label} text={control.profile.text} tone={control.profile.tone} large />
              <WatchLink chain={chain} address={address} />
            </div>
          )
        }
      />
      {view !== undefined && (
        <div className={page.sections}>
          {holdsPowers && <PowerFigures view={view} />}
          <ImplementationUsers view={view} />
          <AddressPowers view={view} />
        </div>
      )}
      {check?.state === 'waiting' ? (
        <Card title="Checking">
          <SkeletonBar height="12rem" />
          <p role="status">Reading the contract and everyone who controls it. This takes some seconds.</p>
        </Card>
      ) : control === null ? (
        <Offer chain={chain} address={address} check={check ?? undefined} isCode={isCode} />
      ) : (
        <>
          {control.tree.multisig !== null && (
            <div className={page.section}>
              <MultisigCard node={control.tree} multisig={control.tree.multisig} fields={{}} chain={chain} />
            </div>
          )}
          <div className={page.section}>
            <Card
              title="Who controls this contract"
              flush
              aside={
                check?.checkedAt != null && (
                  <>
                    Checked <RelativeTime at={check.checkedAt} />
                    {control.stale && ', incomplete'}
                  </>
                )
              }
            >
              <Controllers of={control} chain={chain} address={address} />
            </Card>
          </div>
        </>
      )}
    </>
  )
}

type OfferProps = ContractRef & {
  readonly check: Check | undefined
  /** Other contracts run the code at the address. */
  readonly isCode: boolean
}

/** The text of the page before a check, and after a check without a result. */
function Offer({ chain, address, check, isCode }: OfferProps) {
  const request = useRequestCheck({ chain, address })
  const chains = useAbout().data?.chains ?? []
  const isRead = chains.some(({ slug, enabled }) => slug === chain && enabled)
  if (check?.state === 'done')
    return (
      <StateMessage
        title="There is no contract at this address"
        icon="search"
        action={
          <span className={page.actions}>
            {chains
              .filter(({ slug, enabled }) => enabled && slug !== chain)
              .map(({ slug, name }) => (
                <Link key={slug} className={buttonClass()} href={`/contracts/${slug}/${address}`}>
                  Look on {name}
                </Link>
              ))}
          </span>
        }
      >
        It is a wallet, unused, or a contract on another chain.
      </StateMessage>
    )
  return (
    <>
      <FormError error={request.error} />
      <StateMessage
        title={check?.failure == null ? 'This address is not watched' : 'The check failed'}
        icon="search"
        action={
          isRead && (
            <span className={page.actions}>
              <Button kind="primary" onClick={() => request.mutate()} disabled={request.isPending}>
                Check it now
              </Button>
              <WatchLink chain={chain} address={address} />
            </span>
          )
        }
      >
        {check?.failure ?? `${isCode ? SEEN_AS_CODE : SEEN_NOWHERE} ${isRead ? CHECK_READS : CHAIN_NOT_READ}`}
      </StateMessage>
    </>
  )
}

const SEEN_AS_CODE = 'Gatewatch watches the contracts that run this code, not the code itself.'
const SEEN_NOWHERE = 'Gatewatch has seen no event of this address. It may be a wallet.'
const CHECK_READS = 'A check reads the contract now and shows who controls it.'
const CHAIN_NOT_READ = 'This server does not read its chain.'
