import { useEffect, useState } from 'react'
import styles from './copy-button.module.css'
import { Icon } from './icon.tsx'

const SHOWN_MS = 1_500

/** Copies `text`; `what` completes "Copy …" for those who hear the page. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (!done) return undefined
    const timer = window.setTimeout(() => setDone(false), SHOWN_MS)
    return () => window.clearTimeout(timer)
  }, [done])
  const copy = async () => {
    await putIntoClipboard(text)
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

/** A page that came over plain HTTP from another machine has no clipboard, and the old way is the only one. */
async function putIntoClipboard(text: string): Promise<void> {
  if (window.isSecureContext) return await navigator.clipboard.writeText(text)
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  // oxlint-disable-next-line typescript/no-deprecated -- nothing took its place there
  document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
}
