import { Button } from './button.tsx'
import styles from './next-page.module.css'

type Paged = {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly fetchNextPage: () => Promise<unknown>
}

type NextPageProps = {
  readonly query: Paged
  readonly text: string
  /** Shown instead of the button on the last page. */
  readonly end?: string
}

/** The button for the next page of a list. */
export function NextPage({ query: { hasNextPage, isFetchingNextPage, fetchNextPage }, text, end }: NextPageProps) {
  if (!hasNextPage && end === undefined) return null
  return (
    <div className={styles.next}>
      {hasNextPage ? (
        <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? 'Loading…' : text}
        </Button>
      ) : (
        end
      )}
    </div>
  )
}
