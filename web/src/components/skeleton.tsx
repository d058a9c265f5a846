/** Placeholders of the size of what is loading, so that the page does not move when it arrives. */
import styles from './skeleton.module.css'

export function SkeletonBar({ width = '100%', height = '0.875rem' }: { width?: string; height?: string }) {
  return <span className={styles.bar} style={{ width, height }} />
}

export function SkeletonRows({ count = 6 }: { readonly count?: number }) {
  return (
    <div className={styles.rows} role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        <div className={styles.row} key={index}>
          <SkeletonBar width={`${55 + ((index * 17) % 35)}%`} />
          <SkeletonBar width={`${25 + ((index * 11) % 20)}%`} height="0.75rem" />
        </div>
      ))}
    </div>
  )
}

export function PageSkeleton() {
  return (
    <div className={styles.page}>
      <SkeletonBar width="14rem" height="1.5rem" />
      <SkeletonRows />
    </div>
  )
}
