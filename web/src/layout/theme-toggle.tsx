import { useState } from 'react'
import { Icon } from '../components/icon.tsx'

type Theme = 'light' | 'dark'

const preferred = (): Theme => (window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')

function current(): Theme {
  const chosen = document.documentElement.dataset.theme
  return chosen === 'light' || chosen === 'dark' ? chosen : preferred()
}

/** The other theme; going back to what the system prefers forgets the choice. */
function choose(theme: Theme): void {
  if (theme === preferred()) {
    delete document.documentElement.dataset.theme
    localStorage.removeItem('theme')
  } else {
    document.documentElement.dataset.theme = theme
    localStorage.setItem('theme', theme)
  }
}

export function ThemeToggle({ className }: { readonly className: string | undefined }) {
  const [theme, setTheme] = useState(current)
  const other = theme === 'light' ? 'dark' : 'light'
  const toggle = () => {
    choose(other)
    setTheme(other)
  }
  return (
    <button
      type="button"
      className={className}
      onClick={toggle}
      title={`Use the ${other} theme`}
      aria-label={`Use the ${other} theme`}
    >
      <Icon name={theme === 'light' ? 'moon' : 'sun'} />
    </button>
  )
}
