/** The moments at which the recorded state of a contract changed, and the moment that an address names. */

export type Moment = { readonly at: string; readonly blockNumber: number }

type History = {
  readonly labels: readonly Moment[]
  readonly states: readonly { readonly takenAt: string; readonly blockNumber: number }[]
  readonly versions: readonly Moment[]
}

/** Every block at which something changed, oldest first. */
export function momentsOf({ labels, states, versions }: History): readonly Moment[] {
  const all = [...labels, ...states.map(({ takenAt: at, blockNumber }) => ({ at, blockNumber })), ...versions]
  const byBlock = new Map<number, Moment>()
  for (const { at, blockNumber } of all) if (!byBlock.has(blockNumber)) byBlock.set(blockNumber, { at, blockNumber })
  return [...byBlock.values()].toSorted((a, b) => a.blockNumber - b.blockNumber)
}

/** `at` of a query string: a block number or a time. Undefined if there is none. */
export function readMoment(search: string): string | undefined {
  const at = new URLSearchParams(search).get('at')?.trim()
  return at === undefined || at === '' ? undefined : at
}

/** The index of the last change until `at`; -1 if it is before the first. */
export function indexAt(moments: readonly Moment[], at: string): number {
  const isUntil = /^\d+$/.test(at)
    ? ({ blockNumber }: Moment) => blockNumber <= Number(at)
    : (moment: Moment) => Date.parse(moment.at) <= Date.parse(at)
  return moments.findLastIndex(isUntil)
}
