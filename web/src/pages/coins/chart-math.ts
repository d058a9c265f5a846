/** The calculations behind the charts of the coin pages. */
import type { ProjectedBlock } from '../../api/use-coins.ts'

export type Flow = { readonly name: string; readonly value: number; readonly isFee?: boolean }
type Span = readonly [top: number, bottom: number]
export type Band = Flow & { readonly outer: Span; readonly inner: Span }

const MIN_THICKNESS = 1

/** Positions of the bands of a flow chart: apart at the outer edge, touching at the waist in the middle. */
export function bandsOf(flows: readonly Flow[], height: number, waist: number): Band[] {
  const total = Math.max(
    1,
    flows.reduce((sum, { value }) => sum + value, 0),
  )
  const gap = flows.length < 2 ? 0 : Math.min(14, (height - waist) / (flows.length - 1))
  const spread = waist + gap * (flows.length - 1)
  let outer = (height - spread) / 2
  let inner = (height - waist) / 2
  return flows.map((flow) => {
    const thickness = (flow.value / total) * waist
    const drawn = Math.max(MIN_THICKNESS, thickness)
    const band = { ...flow, outer: [outer, outer + drawn], inner: [inner, inner + drawn] } as const
    outer += thickness + gap
    inner += thickness
    return band
  })
}

type Consolidation = { readonly cost: { readonly medium: number }; readonly breakEvenFeeRate: number }

/** Satoshi saved by a consolidation now if the coins are spent later at `rate`. Zero at the break-even rate. */
export const netSaving = ({ cost, breakEvenFeeRate }: Consolidation, rate: number): number =>
  cost.medium * (rate / breakEvenFeeRate - 1)

/** Virtual bytes of a full block. */
export const FULL_BLOCK = 1_000_000
/** Weight units of a full block. */
export const MAX_WEIGHT = 4_000_000

/** The index of the first projected block that takes a fee rate; undefined if none does. */
export function blockOf(blocks: readonly ProjectedBlock[], rate: number): number | undefined {
  const index = blocks.findIndex(({ vsize, rates }) => vsize < 0.95 * FULL_BLOCK || (rates[0] ?? 0) <= rate)
  return index === -1 ? undefined : index
}

/** The shares of a block's bytes, cheapest first, for which the service reports fee rates. */
export const SHARES: readonly number[] = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]

export const medianOf = ({ rates }: ProjectedBlock): number => rates[SHARES.indexOf(0.5)] ?? 0

/** Ticks of an axis of fee rates, from 0 to a little above `max`. */
export const feeTicks = (max: number): number[] =>
  [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].filter((tick) => tick <= max * 1.1)

/** More ticks would overlap on a phone. */
const MOST_TICKS = 5

/** Ticks of a logarithmic axis: powers of ten, with 2 and 5 between them where there are few. */
export function logTicks(from: number, to: number): number[] {
  const [first, last] = [Math.floor(Math.log10(from)), Math.ceil(Math.log10(to))]
  const powers = Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index))
  const isWithin = (tick: number): boolean => tick >= from * (1 - 1e-9) && tick <= to * (1 + 1e-9)
  const whole = powers.filter(isWithin)
  const ticks = whole.length > 2 ? whole : powers.flatMap((power) => [power, 2 * power, 5 * power]).filter(isWithin)
  const step = Math.ceil(ticks.length / MOST_TICKS)
  return ticks.length === 0 ? [Math.round(Math.sqrt(from * to))] : ticks.filter((_, index) => index % step === 0)
}

/** Points of a chart that share a circle, at their middle. */
type Group<Point> = { readonly x: number; readonly y: number; readonly members: readonly Point[] }

/** Points nearer than this share a circle, in pixels. */
export const NEAR = 24

/** Groups points, so that circles neither hide one another nor grow in number. */
export function groupNear<Point>(
  points: readonly Point[],
  xOf: (point: Point) => number,
  yOf: (point: Point) => number,
): readonly Group<Point>[] {
  const mean = (members: readonly Point[], of: (point: Point) => number) =>
    members.reduce((sum, point) => sum + of(point), 0) / members.length
  const groupOf = (members: readonly Point[]) => ({ x: mean(members, xOf), y: mean(members, yOf), members })
  const squares = Map.groupBy(points, (point) => `${Math.floor(xOf(point) / NEAR)} ${Math.floor(yOf(point) / NEAR)}`)
  const groups: Group<Point>[] = []
  // Neighboring squares can have points that are near.
  for (const square of squares.values().map(groupOf)) {
    const at = groups.findIndex(({ x, y }) => Math.hypot(x - square.x, y - square.y) < NEAR)
    const near = groups[at]
    if (near === undefined) groups.push(square)
    else groups[at] = groupOf([...near.members, ...square.members])
  }
  return groups
}
