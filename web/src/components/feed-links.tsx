import styles from './feed-links.module.css'

/** Links to the Atom and RSS documents of a list of events. `path` has no extension. */
export function FeedLinks({ path, query = '' }: { readonly path: string; readonly query?: string }) {
  const suffix = query === '' ? '' : `?${query}`
  return (
    <p className={styles.links}>
      Follow in a feed reader: <a href={`/feeds/${path}.atom${suffix}`}>Atom</a> or{' '}
      <a href={`/feeds/${path}.rss${suffix}`}>RSS</a>
    </p>
  )
}
