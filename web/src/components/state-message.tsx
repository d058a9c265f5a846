/** What is shown instead of data: nothing is there, or it could not be had. */
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import styles from './state-message.module.css'

type MessageProps = {
  readonly title: string
  readonly icon?: IconName
  readonly fault?: boolean
  readonly children?: ReactNode
  readonly action?: ReactNode
}

export function StateMessage({ title, icon = 'info', fault = false, children, action }: MessageProps) {
  return (
    <div className={styles.message} role={fault ? 'alert' : undefined}>
      <span className={`${styles.icon} ${fault ? styles.fault : ''}`}>
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action !== undefined && <div className={styles.actions}>{action}</div>}
    </div>
  )
}
