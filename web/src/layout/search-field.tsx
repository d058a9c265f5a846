import { type FormEvent, useEffect, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { Icon } from '../components/icon.tsx'
import styles from './search-field.module.css'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))

/** The search field. The `/` key focuses it from every page. */
export function SearchField() {
  const input = useRef<HTMLInputElement>(null)
  const [path, navigate] = useLocation()
  const query = new URLSearchParams(useSearch()).get('q')
  const searched = path === '/search' && query !== null ? query : ''
  // Shows the text of the current search page, without replacing what the visitor types.
  useEffect(() => {
    if (input.current !== null && document.activeElement !== input.current) input.current.value = searched
  }, [searched])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  const search = (event: FormEvent) => {
    event.preventDefault()
    const text = input.current?.value.trim() ?? ''
    if (text !== '') navigate(`/search?q=${encodeURIComponent(text)}`)
  }
  return (
    <search>
      <form className={styles.form} onSubmit={search} action="/search">
        <Icon name="search" />
        <input
          ref={input}
          className={styles.input}
          type="search"
          name="q"
          placeholder="Address, name, protocol, transaction"
          aria-label="Search"
          aria-keyshortcuts="/"
          autoComplete="off"
          spellCheck={false}
        />
        <kbd className={styles.hint} aria-hidden="true">
          /
        </kbd>
      </form>
    </search>
  )
}
