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
    await navigator.clipboard.writeText(text)
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
