/**
 * How much each receiver is given at once. Pure bookkeeping, of one process and one kind of channel.
 *
 * A new receiver gets little until it has answered, a good one much, one that failed a single try at a time: however
 * many stand still, they hold few of the connections the others need. What is remembered is only who is at work, who
 * failed last and who rests.
 */

export type Room = {
  /** Before its first answer. */
  readonly usual: number
  readonly most: number
  /** Of all that failed last, together: as many may be tried again while others have something to be told. */
  readonly sick: number
}

type Receiver = { inFlight: number; hasAnswered: boolean; isSick: boolean; restsUntil: number }

export type Receivers = {
  /** For every receiver that has not the usual room. */
  readonly rooms: (now: number) => ReadonlyMap<number, number>
  readonly inFlight: () => number
  readonly begin: (id: number) => void
  readonly end: (id: number, outcome: { readonly ok: boolean; readonly restsUntil?: number }) => void
}

export function createReceivers({ usual, most, sick }: Room): Receivers {
  const known = new Map<number, Receiver>()
  let total = 0
  const roomOf = ({ inFlight, hasAnswered, isSick, restsUntil }: Receiver, now: number): number =>
    restsUntil > now ? 0 : Math.max(0, (isSick ? 1 : hasAnswered ? most : usual) - inFlight)

  return {
    rooms: (now) => {
      const rooms = new Map<number, number>()
      let sickInFlight = 0
      for (const receiver of known.values()) if (receiver.isSick) sickInFlight += receiver.inFlight
      for (const [id, receiver] of known) {
        const isForgotten = receiver.inFlight === 0 && !receiver.isSick && receiver.restsUntil <= now
        if (isForgotten) known.delete(id)
        else rooms.set(id, receiver.isSick && sickInFlight >= sick ? 0 : roomOf(receiver, now))
      }
      return rooms
    },
    inFlight: () => total,
    begin: (id) => {
      const receiver = known.get(id) ?? { inFlight: 0, hasAnswered: false, isSick: false, restsUntil: 0 }
      receiver.inFlight += 1
      total += 1
      known.set(id, receiver)
    },
    end: (id, { ok, restsUntil }) => {
      total -= 1
      const receiver = known.get(id)
      if (receiver === undefined) return
      receiver.inFlight -= 1
      receiver.hasAnswered ||= ok
      receiver.isSick = !ok
      if (restsUntil !== undefined) receiver.restsUntil = Math.max(receiver.restsUntil, restsUntil)
    },
  }
}
