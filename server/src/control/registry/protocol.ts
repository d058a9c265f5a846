/** How a protocol is called and found: by its label or its slug, in any case. */

/** The label in kebab case: words as they are written, so `EigenLayer` is one word and `ether.fi` are two. */
export function protocolSlug(label: string): string {
  return label
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '') // accents, which NFKD has split off
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
}

/** Whether a person who writes `text` means the protocol of this label. */
export function isProtocol(label: string, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  return wanted === label.toLowerCase() || wanted === protocolSlug(label)
}
