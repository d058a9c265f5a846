/** What the channels that post to a service of another vendor have in common. */
import { cutText } from '../../../../../vocabulary/cut-text.ts'
import type { Severity } from '../../../../../vocabulary/severities.ts'
import type { Post, Recipient } from '../../../platform/deliveries/post.ts'
import type { Alert, AlertItem } from '../alert.ts'
import { alertBlocks, headlineOf, introOf, type Line, oneLine } from '../message-lines.ts'
import type { HttpTarget } from './http-target.ts'

/** The content of a message, for every vendor. */
export type Notice = {
  readonly id: string
  /** The message that this one retracts; whether all events of that message are retracted. */
  readonly retracts: { readonly id: string; readonly isWhole: boolean } | undefined
  readonly headline: string
  readonly intro: string | undefined
  /** The highest of its events. */
  readonly severity: Severity
  readonly blocks: readonly (readonly Line[])[]
  /** The page of the contract. */
  readonly url: string
  readonly createdAt: Date
  /** Empty in a test message. */
  readonly items: readonly AlertItem[]
  /** Undefined in a test message. */
  readonly alert: Alert | undefined
}

export type Vendor = Recipient & {
  readonly post: (notice: Notice, target: HttpTarget, context: PostContext) => Post
}

export type PostContext = {
  /** The valid webhook secrets of the account. */
  readonly secrets: readonly string[]
  readonly now: number
}

/** The most events that vendors with small messages get. */
const MAX_ITEMS = 8

export function noticeOf(alert: Alert, publicUrl: string): Notice {
  const [first] = alert.items
  return {
    id: alert.id,
    retracts: alert.retracts === null ? undefined : { id: alert.retracts, isWhole: alert.retractsWhole },
    headline: oneLine(headlineOf(alert)),
    intro: introOf(alert),
    severity: first?.severity ?? 'info',
    blocks: alertBlocks(alert, MAX_ITEMS),
    url: first?.contracts[0]?.appUrl ?? (first?.coin === undefined ? publicUrl : first.explorerUrl),
    createdAt: alert.createdAt,
    items: alert.items,
    alert,
  }
}

export const testNotice = (
  text: string,
  { id, publicUrl, now }: { readonly id: string; readonly publicUrl: string; readonly now: number },
): Notice => ({
  id,
  retracts: undefined,
  headline: 'Test message from Gatewatch',
  intro: undefined,
  severity: 'info',
  blocks: [[[{ style: 'plain', text }]]],
  url: publicUrl,
  createdAt: new Date(now),
  items: [],
  alert: undefined,
})

/** Cuts text to a limit of characters. */
export const cut = (text: string, max: number): string => (text.length <= max ? text : `${cutText(text, max - 1)}…`)

/** A name or a value that a contract chose, within one line. */
export const fieldText = (text: string, max: number): string => cut(oneLine(text), max)

const MAX_SEGMENT = 500

/** A segment within one line and a length that several fit into a message. */
export const segmentText = (text: string): string => fieldText(text, MAX_SEGMENT)

export const plainLine = (line: Line): string => line.map(({ text }) => segmentText(text)).join('')

/** The notice as plain text, for vendors without marks. */
export const plainText = ({ intro, blocks }: Notice, max: number): string =>
  cut(
    [...(intro === undefined ? [] : [intro]), ...blocks.map((lines) => lines.map(plainLine).join('\n'))].join('\n\n'),
    max,
  )

/** Takes blocks as long as their JSON fits, and returns how many are left out. */
export function fitBlocks<Block>(
  blocks: readonly Block[],
  maxCharacters: number,
): { readonly fitting: readonly Block[]; readonly left: number } {
  let length = 0
  const end = blocks.findIndex((block) => {
    length += JSON.stringify(block).length
    return length > maxCharacters
  })
  const fitting = end === -1 ? blocks : blocks.slice(0, end)
  return { fitting, left: blocks.length - fitting.length }
}
