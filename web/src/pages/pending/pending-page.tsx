/** The page of queued changes. The filter is in the address bar, so that a filtered list can be shared. */
import { useLocation, useSearch } from 'wouter'
import { useAbout, useChainChoices, useNoContractsReason, useUnreadChain } from '../../api/use-about.ts'
import { useHasNames } from '../../api/use-names.ts'
import { usePending } from '../../api/use-pending.ts'
import { Card } from '../../components/card.tsx'
import { SelectField } from '../../components/field.tsx'
import { NextPage } from '../../components/next-page.tsx'
import { NoContracts } from '../../components/no-contracts.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PendingList } from '../../components/pending-list.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import styles from './pending-page.module.css'

export function PendingPage() {
  const search = new URLSearchParams(useSearch())
  const [, navigate] = useLocation()
  const chains = useAbout().data?.chains
  const chain = chains?.find(({ slug }) => slug === search.get('chain'))?.slug
  const isOtherChain = chains !== undefined && chain === undefined && (search.get('chain') ?? '') !== ''
  const choices = useChainChoices(chain)
  const unread = useUnreadChain(chain)
  const state = search.get('state') === 'closed' ? 'closed' : 'open'
  const pending = usePending({ state, ...(chain !== undefined && { chain }) })
  const noContracts = useNoContractsReason()
  const hasNames = useHasNames()
  const change = (name: string, value: string) => {
    const next = new URLSearchParams(search)
    if (value === '' || value === 'open') next.delete(name)
    else next.set(name, value)
    navigate(next.size === 0 ? '/pending' : `/pending?${next.toString()}`)
  }
  return (
    <>
      <PageHeader
        title="Queued changes"
        lead="What timelocks, governors, delay modules and Safes are about to do, and when it can happen."
        aside={
          <div className={styles.filters}>
            <SelectField
              label="Chain"
              value={chain ?? ''}
              choices={[{ value: '', text: 'All chains' }, ...choices]}
              onChoose={(slug) => change('chain', slug)}
            />
            <SelectField
              label="State"
              value={state}
              choices={[
                { value: 'open', text: 'Waiting' },
                { value: 'closed', text: 'Executed or ended' },
              ]}
              onChoose={(next) => change('state', next)}
            />
          </div>
        }
      />
      {isOtherChain && (
        <Notice>There is no chain “{search.get('chain')}” here. The changes of all chains are shown.</Notice>
      )}
      <Card flush>
        <QueryView query={pending} isReady={hasNames} loading={<SkeletonRows count={8} />}>
          {({ pages }) => {
            const changes = pages.flatMap(({ data }) => data)
            if (changes.length === 0 && noContracts !== undefined) return <NoContracts reason={noContracts} />
            if (changes.length === 0)
              return (
                <StateMessage title={state === 'open' ? 'Nothing is queued' : 'No closed changes'} icon="timelock">
                  {unread ?? 'Changes appear here when a watched timelock, governor, delay module or Safe queues them.'}
                </StateMessage>
              )
            return (
              <>
                <PendingList changes={changes} />
                <NextPage query={pending} text="Load more" />
              </>
            )
          }}
        </QueryView>
      </Card>
    </>
  )
}
