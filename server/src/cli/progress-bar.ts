/** Shows the progress of long work: as a bar on a terminal, as a line every few seconds elsewhere. */
import type { Clock } from '../lib/clock.ts'

export type Step = {
  readonly label: string
  readonly done: number
  readonly total: number
  /** What is counted: `blocks`. */
  readonly unit: string
  /** A note: `1,204 events`. */
  readonly note?: string
}

export type ProgressBar = {
  readonly show: (step: Step) => void
  /** Ends the line of the bar. */
  readonly end: () => void
}

export type Screen = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean; readonly columns?: number }

const LINE_EVERY_MS = 5_000
const DRAW_EVERY_MS = 100
const WIDTH = 24

export function progressBar({ clock, screen }: { readonly clock: Clock; readonly screen: Screen }): ProgressBar {
  const isTerminal = screen.isTTY === true
  let first: { readonly at: number; readonly done: number } | undefined
  let writtenAt = Number.NEGATIVE_INFINITY
  let isOpen = false
  return {
    show: (step) => {
      const now = clock.now()
      first ??= { at: now, done: step.done }
      const isComplete = step.done >= step.total
      if (!isComplete && now - writtenAt < (isTerminal ? DRAW_EVERY_MS : LINE_EVERY_MS)) return
      writtenAt = now
      const text = textOf(step, (step.done - first.done) / Math.max((now - first.at) / 1_000, 0.001))
      isOpen = isTerminal
      if (!isTerminal) screen.write(`${text}\n`)
      else screen.write(`\r\u001b[2K${`${barOf(step)} ${text}`.slice(0, widthOf(screen) - 1)}`)
    },
    end: () => {
      if (isOpen) screen.write('\n')
      isOpen = false
    },
  }
}

/** A terminal that does not know its width reports zero. */
const widthOf = ({ columns = 0 }: Screen): number => (columns > 0 ? columns : 120)

const shareOf = ({ done, total }: Step): number => (total <= 0 ? 1 : Math.min(1, done / total))

function barOf(step: Step): string {
  const full = Math.floor(shareOf(step) * WIDTH)
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}]`
}

function textOf(step: Step, rate: number): string {
  const { label, done, total, unit, note } = step
  const left = done >= total ? 'done' : rate > 0 ? `${spanOf((total - done) / rate)} left` : 'waiting'
  const parts = [
    `${Math.floor(shareOf(step) * 100)} %`,
    `${countOf(rate)} ${unit}/s`,
    left,
    ...(note === undefined ? [] : [note]),
  ]
  return `${label}: ${parts.join(', ')}`
}

export const countOf = (count: number): string => Math.round(count).toLocaleString('en-US')

/** A duration in its two largest units. */
function spanOf(seconds: number): string {
  const whole = Math.ceil(seconds)
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`
}
