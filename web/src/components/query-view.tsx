/**
 * Shows a query in each of its states: loading, failed, outdated, loaded.
 *
 *     const contract = useContract(chain, address)
 *     <QueryView query={contract} loading={<SkeletonRows />}>{(data) => <Label … />}</QueryView>
 */
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { useAbout } from '../api/use-about.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'
import { RelativeTime } from './relative-time.tsx'
import { SkeletonRows } from './skeleton.tsx'
import { StateMessage } from './state-message.tsx'

type Query<Data> = Pick<UseQueryResult<Data>, 'data' | 'error' | 'dataUpdatedAt' | 'isFetching' | 'isFetched'> & {
  readonly refetch: () => Promise<unknown>
}

type QueryViewProps<Data> = {
  readonly query: Query<Data>
  readonly loading?: ReactNode
  /** False while something else that the view shows is loading. Shown later, it would move the rest. */
  readonly isReady?: boolean
  /** Shows errors that the page can explain better. Undefined falls back to the default message. */
  readonly errorView?: (error: ApiError) => ReactNode
  readonly children: (data: NonNullable<Data>) => ReactNode
}

export function QueryView<Data>({
  query,
  loading = <SkeletonRows />,
  isReady = true,
  errorView,
  children,
}: QueryViewProps<Data>) {
  const { data, isFetched } = query
  const [lastError, setLastError] = useState(query.error)
  if (query.error !== null && query.error !== lastError) setLastError(query.error)
  // While it is tried again, the query has no error; what the view shows stays.
  const error = query.error ?? (data === undefined && isFetched ? lastError : null)
  const hasChainNames = useAbout().isFetched
  if (data !== undefined && data !== null) {
    if (!isReady || !hasChainNames) return loading
    return (
      <>
        {error !== null && (
          <Notice>
            {error instanceof ApiError ? error.message : 'The service cannot be reached.'} Last updated{' '}
            <RelativeTime at={query.dataUpdatedAt} />.
          </Notice>
        )}
        {children(data)}
      </>
    )
  }
  if (error === null) return loading
  const custom = error instanceof ApiError ? errorView?.(error) : undefined
  if (custom !== undefined) return custom
  const isResponse = error instanceof ApiError
  return (
    <StateMessage
      title={isResponse ? 'This could not be loaded' : 'The service cannot be reached'}
      icon="warning"
      isError
      action={
        isResponse && error.isRefusal ? undefined : (
          <Button onClick={() => void query.refetch()} disabled={query.isFetching}>
            Try again
          </Button>
        )
      }
    >
      {isResponse ? error.sentence : 'Check your connection and try again.'}
    </StateMessage>
  )
}
