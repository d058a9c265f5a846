/** Cuts texts of contracts to a length. */

/**
 * The first `max` UTF-16 units, or one less where they would end within a character: half of one has no encoding, and
 * services refuse the whole message.
 */
export function cutText(text: string, max: number): string {
  const last = text.charCodeAt(max - 1)
  const isWithin = text.length > max && last >= 0xd800 && last <= 0xdbff
  return text.slice(0, isWithin ? max - 1 : max)
}
