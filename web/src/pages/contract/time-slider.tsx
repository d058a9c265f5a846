/** Moves the page through the recorded history of a contract. Each stop is a change; the last one is the present. */
import { Link, useLocation } from 'wouter'
import { Card } from '../../components/card.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { wholeNumber } from '../../text/amounts.ts'
import { indexAt, type Moment } from '../../text/moments.ts'
import styles from './time-slider.module.css'

type TimeSliderProps = {
  readonly moments: readonly Moment[]
  /** Undefined for the present. */
  readonly at: string | undefined
  /** The page without a moment. */
  readonly path: string
}

export function TimeSlider({ moments, at, path }: TimeSliderProps) {
  const [, navigate] = useLocation()
  const last = moments.length - 1
  const index = at === undefined ? last : indexAt(moments, at)
  const moment = moments[index]
  const hrefOf = (stop: number): string => {
    const chosen = moments[stop]
    return chosen === undefined || stop >= last ? path : `${path}?at=${chosen.blockNumber}`
  }
  // Moving from one past moment to another replaces the entry, so that Back leaves the past at once.
  const go = (stop: number) => navigate(hrefOf(stop), { replace: at !== undefined })
  return (
    <Card
      title="History"
      aside={
        at === undefined ? (
          `${moments.length} recorded ${moments.length === 1 ? 'state' : 'states'}`
        ) : (
          <>
            Link to this moment <CopyButton text={`${location.origin}${path}?at=${at}`} what="link to this moment" />
          </>
        )
      }
    >
      <div className={styles.slider}>
        <Step href={hrefOf(index - 1)} text="Earlier" isOff={index <= 0} />
        <input
          type="range"
          min={0}
          max={last}
          step={1}
          value={Math.max(0, index)}
          aria-label="Moment in the history of this contract"
          aria-valuetext={moment === undefined ? 'Before the first record' : textOf(moment, index === last)}
          list="moments"
          onChange={(event) => go(Number(event.target.value))}
        />
        <datalist id="moments">
          {moments.map(({ blockNumber }, stop) => (
            <option key={blockNumber} value={stop} />
          ))}
        </datalist>
        <Step href={hrefOf(index + 1)} text="Later" isOff={index >= last} />
      </div>
      <p className={styles.stop}>
        {moment === undefined ? (
          'Before the first record'
        ) : (
          <>
            {at === undefined ? 'Now, unchanged since' : `${index + 1} of ${moments.length}, since`} block{' '}
            {wholeNumber(moment.blockNumber)}, <RelativeTime at={moment.at} />
          </>
        )}
      </p>
    </Card>
  )
}

const textOf = ({ blockNumber, at }: Moment, isPresent: boolean): string =>
  isPresent ? 'Now' : `Block ${wholeNumber(blockNumber)}, ${at.slice(0, 10)}`

function Step({ href, text, isOff }: { readonly href: string; readonly text: string; readonly isOff: boolean }) {
  return isOff ? (
    <span className={`${styles.step} ${styles.off}`}>{text}</span>
  ) : (
    <Link className={styles.step} href={href}>
      {text}
    </Link>
  )
}
