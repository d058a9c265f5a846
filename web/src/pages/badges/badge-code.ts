/** What one pastes into a page to show a badge. Pure. */

export type BadgeOf =
  | { readonly kind: 'contract'; readonly chain: string; readonly address: string }
  | { readonly kind: 'protocol'; readonly slug: string }

const pathOf = (badge: BadgeOf): string =>
  badge.kind === 'contract'
    ? `/badge/${badge.chain}/${badge.address}.svg`
    : `/badge/protocol/${encodeURIComponent(badge.slug)}.svg`

const pageOf = (badge: BadgeOf): string =>
  badge.kind === 'contract'
    ? `/contracts/${badge.chain}/${badge.address}`
    : `/protocols/${encodeURIComponent(badge.slug)}`

export const imageOf = (badge: BadgeOf, theme: 'light' | 'dark'): string =>
  theme === 'light' ? pathOf(badge) : `${pathOf(badge)}?theme=dark`

const ALT = 'Who controls it, according to Gatewatch'

export const markdownOf = (badge: BadgeOf, origin: string): string =>
  `[![${ALT}](${origin}${imageOf(badge, 'light')})](${origin}${pageOf(badge)})`

/** Follows the reader's theme where HTML may be written. */
export const htmlOf = (badge: BadgeOf, origin: string): string => `<a href="${origin}${pageOf(badge)}">
  <picture>
    <source media="(prefers-color-scheme: dark)" srcset="${origin}${imageOf(badge, 'dark')}">
    <img src="${origin}${imageOf(badge, 'light')}" width="250" height="54" alt="${ALT}">
  </picture>
</a>`
