/** Which events a subscription sends, in addition to its severity. */
import { useState } from 'react'
import { CATEGORIES, CATEGORY_TEXTS } from '../../../../vocabulary/categories.ts'
import { EFFECTS, SHORT_EFFECT_TEXTS } from '../../../../vocabulary/powers.ts'
import type { Subscription, SubscriptionChange } from '../../api/use-alerts.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { capitalized } from '../../text/names.ts'
import { eventKeysOf } from './alert-options.ts'
import styles from './subscription-row.module.css'

/** Powers that a subscription can name. Upgrades have events of their own. */
const RULED_EFFECTS = EFFECTS.filter((effect) => effect !== 'upgrade' && effect !== 'other')

type RulesProps = {
  readonly subscription: Subscription
  readonly onChange: (change: SubscriptionChange) => void
}

export function SubscriptionRules({ subscription, onChange }: RulesProps) {
  const { powerEffects, categories, eventKeys, queuedChanges } = subscription
  const narrowed = [...categories.map((category) => CATEGORY_TEXTS[category]), ...eventKeys]
  return (
    <>
      <details className={styles.rules}>
        <summary>Only some events{narrowed.length > 0 && `: ${narrowed.join(', ')}`}</summary>
        <Choices
          legend="Categories. If none is chosen here and no event is named below, every event is sent"
          all={CATEGORIES}
          chosen={categories}
          textOf={(category) => CATEGORY_TEXTS[category]}
          onChoose={(chosen) => onChange({ categories: chosen })}
        />
        <EventKeys key={eventKeys.join()} eventKeys={eventKeys} onChange={onChange} />
      </details>
      <details className={styles.rules}>
        <summary>
          Powers that always alert
          {powerEffects.length > 0 && `: ${powerEffects.map((effect) => SHORT_EFFECT_TEXTS[effect]).join(', ')}`}
        </summary>
        <Choices
          legend="Changes of these powers are sent whatever their severity"
          all={RULED_EFFECTS}
          chosen={powerEffects}
          textOf={(effect) => capitalized(SHORT_EFFECT_TEXTS[effect])}
          onChoose={(chosen) => onChange({ powerEffects: chosen })}
        />
      </details>
      <fieldset className={`${styles.channels} ${styles.rules}`}>
        <legend>Whatever their severity</legend>
        <label>
          <input
            type="checkbox"
            checked={queuedChanges}
            onChange={(event) => onChange({ queuedChanges: event.target.checked })}
          />
          Queued changes
        </label>
        <span className={styles.faint}>A weaker label or tone is always sent.</span>
      </fieldset>
    </>
  )
}

type ChoicesProps<Item extends string> = {
  readonly legend: string
  readonly all: readonly Item[]
  readonly chosen: readonly Item[]
  readonly textOf: (item: Item) => string
  readonly onChoose: (chosen: Item[]) => void
}

function Choices<Item extends string>({ legend, all, chosen, textOf, onChoose }: ChoicesProps<Item>) {
  return (
    <fieldset className={styles.channels}>
      <legend>{legend}</legend>
      {all.map((item) => (
        <label key={item}>
          <input
            type="checkbox"
            checked={chosen.includes(item)}
            onChange={({ target: { checked } }) =>
              onChoose(all.filter((each) => (each === item ? checked : chosen.includes(each))))
            }
          />
          {textOf(item)}
        </label>
      ))}
    </fieldset>
  )
}

function EventKeys({ eventKeys, onChange }: Pick<Subscription, 'eventKeys'> & Pick<RulesProps, 'onChange'>) {
  const [text, setText] = useState(eventKeys.join(', '))
  const { keys, wrong } = eventKeysOf(text)
  const isChanged = keys.join() !== eventKeys.join()
  return (
    <form
      className={styles.keys}
      onSubmit={(event) => {
        event.preventDefault()
        if (wrong === undefined) onChange({ eventKeys: keys })
      }}
    >
      <TextField
        label="Events by key"
        value={text}
        placeholder="proxy.upgraded, safe.changed_threshold"
        spellCheck={false}
        autoComplete="off"
        error={
          wrong === undefined ? undefined : `“${wrong}” is not an event key. Every event of the feed shows its key.`
        }
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" disabled={!isChanged || wrong !== undefined}>
        Save keys
      </Button>
    </form>
  )
}
