/** Where the bands of a flow lie: spread out at its edge, together at its waist. Pure. */

export type Flowing = { readonly name: string; readonly value: number; readonly isFee?: boolean }
type Stretch = readonly [top: number, bottom: number]
export type Band = Flowing & { readonly outer: Stretch; readonly inner: Stretch }

/** However little it carries, a band is seen. */
const THINNEST = 1

export function bandsOf(flows: readonly Flowing[], height: number, waist: number): Band[] {
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
    const drawn = Math.max(THINNEST, thickness)
    const band = { ...flow, outer: [outer, outer + drawn], inner: [inner, inner + drawn] } as const
    outer += thickness + gap
    inner += thickness
    return band
  })
}
