/** Labels and slugs of protocols. */

/** The label in kebab case. Words are not split: `EigenLayer` is one word, `ether.fi` are two. */
export function protocolSlug(label: string): string {
  return label
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '') // accents, which NFKD has split off
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
}

/** Whether `text` is the label or the slug of the protocol, in any case. */
export function isProtocol(label: string, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  return wanted === label.toLowerCase() || wanted === protocolSlug(label)
}
