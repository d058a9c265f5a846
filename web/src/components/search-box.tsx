import { type FormEvent, type KeyboardEvent as InputKeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useSearchResults } from '../api/use-search.ts'
import type { SearchItem } from '../text/search-groups.ts'
import { Icon } from './icon.tsx'
import styles from './search-box.module.css'
import { LabelPill } from './tone-pill.tsx'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))

const MAX_SUGGESTIONS = 8
/** A text is searched when the visitor has stopped typing for this long. */
const PAUSE_MS = 150

/** The search field with suggestions. The `/` key focuses it from every page. `large` is for the home page. */
export function SearchBox({ large = false }: { readonly large?: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  const listId = useId()
  const [path, navigate] = useLocation()
  const query = new URLSearchParams(useSearch()).get('q')
  const searched = path === '/search' && query !== null ? query : ''
  const [text, setText] = useState(searched)
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  // Shows the text of the current search page, without replacing what the visitor types.
  useEffect(() => {
    if (document.activeElement !== input.current) setText(searched)
  }, [searched])
  useEffect(() => setOpen(false), [path])
  useFocusKey(input)
  const settled = useSettled(text.trim(), PAUSE_MS)
  const results = useSearchResults(isOpen && settled.length > 1 ? settled : '', { keepsPrevious: true })
  const isShown = isOpen && text.trim().length > 1
  const items = isShown ? (results.data?.groups.flatMap((group) => group.items) ?? []).slice(0, MAX_SUGGESTIONS) : []

  const close = () => {
    setOpen(false)
    setActive(-1)
  }
  const open = (href: string) => {
    close()
    navigate(href)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const chosen = items[active]
    if (chosen !== undefined) open(chosen.href)
    else if (text.trim() !== '') open(`/search?q=${encodeURIComponent(text.trim())}`)
  }
  const onKeyDown = (event: InputKeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape' && isShown) {
      event.preventDefault()
      close()
    } else if (step !== undefined && items.length > 0) {
      event.preventDefault()
      // One position before the first suggestion is the text itself.
      setActive((before) => ((before + 1 + step + items.length + 1) % (items.length + 1)) - 1)
    }
  }
  const optionId = (index: number) => `${listId}-${index}`
  return (
    <search className={large ? styles.large : undefined}>
      <form className={styles.form} onSubmit={submit} action="/search">
        <Icon name="search" size={large ? 20 : 16} />
        <input
          ref={input}
          className={styles.input}
          type="search"
          name="q"
          role="combobox"
          value={text}
          placeholder={large ? 'Address, name, protocol, transaction, block or link' : 'Search'}
          aria-label="Search"
          aria-keyshortcuts="/"
          aria-autocomplete="list"
          aria-expanded={items.length > 0}
          aria-controls={listId}
          aria-activedescendant={active < 0 ? undefined : optionId(active)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => {
            setText(event.target.value)
            setActive(-1)
            setOpen(true)
          }}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
        <kbd className={styles.hint} aria-hidden="true">
          /
        </kbd>
        <ul
          id={listId}
          className={styles.suggestions}
          role="listbox"
          aria-label="Suggestions"
          hidden={items.length === 0}
        >
          {items.map((item, index) => (
            <Suggestion
              key={item.href}
              id={optionId(index)}
              item={item}
              isActive={index === active}
              onOpen={() => open(item.href)}
            />
          ))}
        </ul>
      </form>
    </search>
  )
}

type SuggestionProps = {
  readonly id: string
  readonly item: SearchItem
  readonly isActive: boolean
  readonly onOpen: () => void
}

function Suggestion({ id, item: { name, note, label, labelText, tone }, isActive, onOpen }: SuggestionProps) {
  return (
    // The keyboard chooses a suggestion from the input, as in every combobox.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <li
      id={id}
      role="option"
      aria-selected={isActive}
      className={styles.suggestion}
      onMouseDown={(event) => event.preventDefault()} // the input keeps the focus until the click
      onClick={onOpen}
    >
      <span className={styles.name}>{name}</span>
      <span className={styles.note}>{note}</span>
      {label !== undefined && (
        <LabelPill label={label} {...(labelText && { text: labelText })} {...(tone && { tone })} />
      )}
    </li>
  )
}

function useFocusKey(input: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [input])
}

/** Returns the value once it has not changed for `ms`. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), ms)
    return () => window.clearTimeout(timer)
  }, [value, ms])
  return settled
}
