import { type ComponentProps, type FormEvent, useEffect, useRef, useState } from 'react'
import { CATEGORIES, CATEGORY_TEXTS, type Category } from '../../../../vocabulary/categories.ts'
import type { Severity } from '../../../../vocabulary/severities.ts'
import type { EventFilter } from '../../api/event-filter.ts'
import { useChainChoices } from '../../api/use-about.ts'
import { Button } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import styles from './feed-filters.module.css'

const SEVERITY_CHOICES: readonly (readonly [Severity, string])[] = [
  ['info', 'All'],
  ['high', 'High and critical'],
  ['critical', 'Critical'],
]

type FeedFiltersProps = { readonly filter: EventFilter; readonly onChange: (filter: EventFilter) => void }

export function FeedFilters({ filter, onChange }: FeedFiltersProps) {
  const [isOpen, setOpen] = useState(false)
  const count = Object.keys(filter).filter((name) => name !== 'severity').length
  const chains = useChainChoices(filter.chain)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { key, address } = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>
    change({ key: key?.trim(), address: address?.trim().toLowerCase() })
  }
  const change = (part: { [Name in keyof EventFilter]?: EventFilter[Name] | '' | undefined }) =>
    onChange({ ...filter, ...part } as EventFilter)
  return (
    <form className={`${styles.filters} ${isOpen ? styles.open : ''}`} onSubmit={submit} aria-label="Filters">
      <SelectField
        label="Chain"
        value={filter.chain ?? ''}
        choices={[{ value: '', text: 'All chains' }, ...chains]}
        onChoose={(chain) => change({ chain })}
      />
      <fieldset className={styles.severity}>
        <legend>Severity</legend>
        <div className={styles.choices}>
          {SEVERITY_CHOICES.map(([value, text]) => (
            <label key={value}>
              <input
                type="radio"
                name="severity"
                checked={(filter.severity ?? 'info') === value}
                onChange={() => change({ severity: value })}
              />
              {text}
            </label>
          ))}
        </div>
      </fieldset>
      <SelectField
        label="Category"
        value={filter.category ?? ''}
        choices={[
          { value: '', text: 'All categories' },
          ...CATEGORIES.map((value) => ({ value, text: CATEGORY_TEXTS[value] })),
        ]}
        onChoose={(category) => change({ category: category as Category | '' })}
      />
      <FilterText label="Event key" name="key" value={filter.key} placeholder="proxy.upgraded" />
      <FilterText
        label="Contract"
        name="address"
        value={filter.address}
        placeholder="0x…"
        pattern="\s*0[xX][0-9a-fA-F]{40}\s*"
        title="0x and 40 hexadecimal characters"
      />
      <label className={styles.setup}>
        <input
          type="checkbox"
          checked={filter.includeInit ?? false}
          onChange={(event) => change({ includeInit: event.target.checked })}
        />
        Include setup events
      </label>
      <div className={styles.more}>
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {count === 0 ? 'More filters' : `More filters (${count})`}
        </Button>
      </div>
      <button type="submit" className="visually-hidden" tabIndex={-1}>
        Apply
      </button>
    </form>
  )
}

/** Applied by Enter or when it loses the focus. Follows the address bar. */
function FilterText({
  value = '',
  ...rest
}: ComponentProps<typeof TextField> & { readonly value: string | undefined }) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current !== null) input.current.value = value
  }, [value])
  return (
    <TextField
      ref={input}
      defaultValue={value}
      // An invalid value is not submitted, because the browser would move the focus back to the field.
      onBlur={({ currentTarget: { form } }) => form?.checkValidity() === true && form.requestSubmit()}
      {...rest}
    />
  )
}
