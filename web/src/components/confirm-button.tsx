import { useState } from 'react'
import { Button } from './button.tsx'
import styles from './confirm-button.module.css'

type ConfirmButtonProps = {
  readonly text: string
  /** What it does and to what, for those who hear the page. */
  readonly label: string
  /** What cannot be taken back. */
  readonly sure: string
  readonly isPending: boolean
  readonly onConfirm: () => void
}

/** Asks once more, in place, before something is gone. */
export function ConfirmButton({ text, label, sure, isPending, onConfirm }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false)
  if (!isAsking)
    return (
      <Button kind="danger" aria-label={label} onClick={() => setAsking(true)}>
        {text}
      </Button>
    )
  return (
    <span className={styles.asking} role="group" aria-label={label}>
      <span>{sure}.</span>
      <Button kind="danger" autoFocus disabled={isPending} onClick={onConfirm}>
        {text}
      </Button>
      <Button kind="quiet" onClick={() => setAsking(false)}>
        Keep
      </Button>
    </span>
  )
}
