/** A message in place of data: there is none, or it could not be loaded. */
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import styles from './state-message.module.css'

type MessageProps = {
  readonly title: string
  readonly icon?: IconName
  readonly isError?: boolean
  readonly children?: ReactNode
  readonly action?: ReactNode
}

export function StateMessage({ title, icon = 'info', isError = false, children, action }: MessageProps) {
  return (
    <div className={styles.message} role={isError ? 'alert' : undefined}>
      <span className={`${styles.icon} ${isError ? styles.error : ''}`}>
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action !== undefined && <div className={styles.actions}>{action}</div>}
    </div>
  )
}
