/**
 * A part of the page's address as the name it was made of. The router has decoded it once but for what would change
 * the path (`%2F`), so a `%` that stands alone is a percent sign.
 */
export function namePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
