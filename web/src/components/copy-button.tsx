import { useEffect, useState } from 'react'
import styles from './copy-button.module.css'
import { Icon } from './icon.tsx'

const COPIED_MS = 1_500

/** Copies `text`. `what` completes the tooltip "Copy …". */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (!done) return undefined
    const timer = window.setTimeout(() => setDone(false), COPIED_MS)
    return () => window.clearTimeout(timer)
  }, [done])
  const copy = async () => {
    await writeClipboard(text)
    setDone(true)
  }
  return (
    <button
      type="button"
      className={`${styles.copy} ${done ? styles.done : ''}`}
      onClick={() => void copy()}
      title={done ? 'Copied' : `Copy ${what}`}
      aria-label={done ? 'Copied' : `Copy ${what}`}
    >
      <Icon name={done ? 'check' : 'copy'} size={14} />
    </button>
  )
}

/** Pages served over plain HTTP from another host have no clipboard API, only the deprecated command. */
async function writeClipboard(text: string): Promise<void> {
  if (window.isSecureContext) return await navigator.clipboard.writeText(text)
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  // oxlint-disable-next-line typescript/no-deprecated -- the clipboard API is not available here
  document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
}
