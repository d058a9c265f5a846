/** Long identifiers, cut in the middle: beginning and end are what people compare. */
export const shortHex = (text: string, head = 6, tail = 4): string =>
  text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** As much of a name as has room, cut between what people see as letters: an emoji is several code units. */
export function shortName(name: string, most: number): string {
  const seen = Array.from(letters.segment(name), ({ segment }) => segment)
  return seen.length > most ? `${seen.slice(0, most - 1).join('')}…` : name
}
