/** The pages one can go to from everywhere. `within` marks the pages below it as its own. */
export type NavEntry = { readonly text: string; readonly href: string; readonly within: RegExp }

export const NAV: readonly NavEntry[] = [
  { text: 'Feed', href: '/', within: /^\/($|contracts\/)/ },
  { text: 'Protocols', href: '/protocols', within: /^\/protocols/ },
  { text: 'Coins', href: '/coins', within: /^\/coins/ },
  { text: 'Badges', href: '/badges', within: /^\/badges/ },
]
