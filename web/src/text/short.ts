/** Long identifiers, cut in the middle: beginning and end are what people compare. */
export const shortHex = (text: string, head = 6, tail = 4): string =>
  text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
