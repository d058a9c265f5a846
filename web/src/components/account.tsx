import { Hash } from './hash.tsx'

const ADDRESS = /^0x[0-9a-f]{40}$/i

/** An account as a link to its page; a value that is none stays text. */
export function Account({ chain, text }: { readonly chain: string; readonly text: string }) {
  return ADDRESS.test(text) ? (
    <Hash text={text} what="address" href={`/contracts/${chain}/${text}`} />
  ) : (
    <span>{text}</span>
  )
}
