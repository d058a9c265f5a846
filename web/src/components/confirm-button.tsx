import { useState } from 'react'
import { Button } from './button.tsx'
import styles from './confirm-button.module.css'

type ConfirmButtonProps = {
  readonly text: string
  /** The action and its target, for screen readers. */
  readonly label: string
  /** The consequence, shown before the visitor confirms. */
  readonly consequence: string
  readonly isPending: boolean
  readonly onConfirm: () => void
}

/** A button that asks for confirmation before it runs a destructive action. */
export function ConfirmButton({ text, label, consequence, isPending, onConfirm }: ConfirmButtonProps) {
  const [isConfirming, setConfirming] = useState(false)
  if (!isConfirming)
    return (
      <Button kind="danger" aria-label={label} onClick={() => setConfirming(true)}>
        {text}
      </Button>
    )
  return (
    <span className={styles.confirm} role="group" aria-label={label}>
      <span>{consequence}.</span>
      <Button kind="danger" autoFocus disabled={isPending} onClick={onConfirm}>
        {text}
      </Button>
      <Button kind="quiet" onClick={() => setConfirming(false)}>
        Cancel
      </Button>
    </span>
  )
}
