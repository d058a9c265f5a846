import { useNames } from '../api/use-names.ts'
import { Hash } from './hash.tsx'

const ADDRESS = /^0x[0-9a-f]{40}$/i

type AccountProps = { readonly chain: string; readonly text: string; readonly copy?: boolean }

/** A link to an account, by its name if it has one. A value that is not an address stays text. */
export function Account({ chain, text, copy = true }: AccountProps) {
  const nameOf = useNames()
  if (!ADDRESS.test(text)) return <span>{text}</span>
  return <Hash text={text} what="address" name={nameOf(chain, text)} href={`/contracts/${chain}/${text}`} copy={copy} />
}

/** A text in which every address is a link. */
export function TextWithAccounts({ text, chain }: { readonly text: string; readonly chain: string }) {
  return text
    .split(/(0x[0-9a-f]{40}(?![0-9a-f]))/i)
    .map((piece, index) => (index % 2 === 0 ? piece : <Account key={index} chain={chain} text={piece} copy={false} />))
}
