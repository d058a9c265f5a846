/**
 * The four states of anything fetched, designed once: loading, refused, stale, there.
 *
 *     const contract = useContract(chain, address)
 *     <QueryView query={contract} loading={<SkeletonRows />}>{(data) => <Label … />}</QueryView>
 */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiFailure } from '../api/api-failure.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'
import { RelativeTime } from './relative-time.tsx'
import { SkeletonRows } from './skeleton.tsx'
import { StateMessage } from './state-message.tsx'

type Query<Data> = Pick<UseQueryResult<Data>, 'data' | 'error' | 'dataUpdatedAt' | 'isFetching'> & {
  readonly refetch: () => Promise<unknown>
}

type QueryViewProps<Data> = {
  readonly query: Query<Data>
  readonly loading?: ReactNode
  /** For a refusal the page has better words for; undefined leaves it to us. */
  readonly refused?: (failure: ApiFailure) => ReactNode
  readonly children: (data: NonNullable<Data>) => ReactNode
}

export function QueryView<Data>({ query, loading = <SkeletonRows />, refused, children }: QueryViewProps<Data>) {
  const { data, error } = query
  if (data !== undefined && data !== null) {
    return (
      <>
        {error !== null && (
          <Notice>
            {error instanceof ApiFailure ? error.message : 'The service cannot be reached.'} This is from{' '}
            <RelativeTime at={query.dataUpdatedAt} />.
          </Notice>
        )}
        {children(data)}
      </>
    )
  }
  if (error === null) return loading
  const own = error instanceof ApiFailure ? refused?.(error) : undefined
  if (own !== undefined) return own
  const isRefusal = error instanceof ApiFailure
  return (
    <StateMessage
      title={isRefusal ? 'The service cannot answer this' : 'The service cannot be reached'}
      icon="warning"
      fault
      action={
        <Button onClick={() => void query.refetch()} disabled={query.isFetching}>
          Try again
        </Button>
      }
    >
      {isRefusal ? error.message : 'Check your connection; nothing was lost.'}
    </StateMessage>
  )
}
