import { useSyncExternalStore } from 'react'
import { Icon } from '../components/icon.tsx'
import { keepChoice } from '../text/kept-choice.ts'

type Theme = 'light' | 'dark'

const system = window.matchMedia('(prefers-color-scheme: dark)')
const preferred = (): Theme => (system.matches ? 'dark' : 'light')
const subscribers = new Set<() => void>()

function current(): Theme {
  const chosen = document.documentElement.dataset.theme
  return chosen === 'light' || chosen === 'dark' ? chosen : preferred()
}

/** Choosing the theme that the system prefers removes the stored choice. */
function choose(theme: Theme): void {
  if (theme === preferred()) {
    delete document.documentElement.dataset.theme
    keepChoice('theme', undefined)
  } else {
    document.documentElement.dataset.theme = theme
    keepChoice('theme', theme)
  }
  for (const notify of subscribers) notify()
}

function subscribe(notify: () => void): () => void {
  subscribers.add(notify)
  system.addEventListener('change', notify)
  return () => {
    subscribers.delete(notify)
    system.removeEventListener('change', notify)
  }
}

export function ThemeToggle({ className }: { readonly className: string | undefined }) {
  const theme = useSyncExternalStore(subscribe, current)
  const other = theme === 'light' ? 'dark' : 'light'
  const label = `Use ${other} theme`
  return (
    <button type="button" className={className} onClick={() => choose(other)} title={label} aria-label={label}>
      <Icon name={theme === 'light' ? 'moon' : 'sun'} />
    </button>
  )
}
