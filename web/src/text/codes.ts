/** `ADDRESS_REUSE` → `Address reuse`. */
export function codeName(code: string): string {
  const words = code
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(/\butxos?\b/, 'coins')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
