/** Names of browsers and systems. */

/** Later names contain earlier ones in their user agents: Edge and Opera also say Chrome, and Chrome says Safari. */
const BROWSERS = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const

const SYSTEMS = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const

/** `Firefox on Linux`, from a user agent. */
export function deviceOf(userAgent: string): string {
  const [browser] = BROWSERS.find(([, pattern]) => pattern.test(userAgent)) ?? []
  const [system] = SYSTEMS.find(([, pattern]) => pattern.test(userAgent)) ?? []
  if (browser === undefined) return system === undefined ? 'Unknown browser' : `Unknown browser on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}
