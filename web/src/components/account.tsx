import { useNames } from '../api/use-names.ts'
import { Hash } from './hash.tsx'

const ADDRESS = /^0x[0-9a-f]{40}$/i

type AccountProps = { readonly chain: string; readonly text: string; readonly copy?: boolean }

/** An account as a link to its page, by its name where it has one; a value that is no account stays text. */
export function Account({ chain, text, copy = true }: AccountProps) {
  const nameOf = useNames()
  if (!ADDRESS.test(text)) return <span>{text}</span>
  return <Hash text={text} what="address" name={nameOf(chain, text)} href={`/contracts/${chain}/${text}`} copy={copy} />
}
