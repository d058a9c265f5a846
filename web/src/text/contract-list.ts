/** Reads a list of contracts, as CSV with a chain and an address in each line. */

export type ListedContract = {
  /** From one. */
  readonly line: number
  readonly text: string
} & ({ readonly chain: string; readonly address: string; readonly refusal?: undefined } | { readonly refusal: string })

type KnownChain = { readonly id: number; readonly slug: string; readonly name: string; readonly enabled: boolean }

export const MOST_LINES = 500
const ADDRESS = /^0x[0-9a-f]{40}$/i
const HEADER = /^"?chain/i

/** Empty lines, comments and a header are left out. A line that cannot be used has a refusal. */
export function readContractList(text: string, chains: readonly KnownChain[]): readonly ListedContract[] {
  const seen = new Set<string>()
  return text
    .split(/\r\n|\n|\r/)
    .map((raw, at) => ({ line: at + 1, text: raw.trim() }))
    .filter(({ line, text: given }) => given !== '' && !given.startsWith('#') && !(line === 1 && HEADER.test(given)))
    .map((entry, at) => ({ ...entry, ...(at < MOST_LINES ? readLine(entry.text) : tooMany) }))

  function readLine(given: string) {
    const [chainText = '', address = '', ...others] = given
      .split(/[,;\t]/)
      .map((cell) => cell.trim().replaceAll(/^"|"$/g, ''))
    if (others.some((cell) => cell !== '') || address === '') return { refusal: 'Write a chain and an address.' }
    const chain = chains.find(({ id, slug, name }) =>
      [String(id), slug, name.toLowerCase()].includes(chainText.toLowerCase()),
    )
    if (chain === undefined) return { refusal: `“${chainText}” is not a chain. Use ${namesOf(chains)}.` }
    if (!chain.enabled) return { refusal: `${chain.name} is not watched by this service. Use ${namesOf(chains)}.` }
    if (!ADDRESS.test(address)) return { refusal: 'The address must be 0x and 40 hexadecimal characters.' }
    const key = `${chain.slug} ${address.toLowerCase()}`
    if (seen.has(key)) return { refusal: 'This contract is in the list already.' }
    seen.add(key)
    return { chain: chain.slug, address }
  }
}

const tooMany = { refusal: `Only the first ${MOST_LINES} contracts are read.` }

const namesOf = (chains: readonly KnownChain[]): string =>
  chains
    .filter(({ enabled }) => enabled)
    .map(({ slug }) => slug)
    .join(', ')
