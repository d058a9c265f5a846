/** A position in a chart, in pixels. */
export type Position = { readonly x: number; readonly y: number }

/** The index of the point nearest to a position; undefined if none is within reach. */
export function nearest(points: readonly Position[], x: number, y: number, reach?: number): number | undefined {
  let best: { readonly index: number; readonly distance: number } | undefined
  for (const [index, point] of points.entries()) {
    const distance = reach === undefined ? Math.abs(point.x - x) : Math.hypot(point.x - x, point.y - y)
    if (distance <= (reach ?? Number.POSITIVE_INFINITY) && (best === undefined || distance < best.distance))
      best = { index, distance }
  }
  return best?.index
}
