import { Account } from './account.tsx'

/** A sentence with its accounts linked. */
export function ProseWithAccounts({ text, chain }: { readonly text: string; readonly chain: string }) {
  return text
    .split(/(0x[0-9a-f]{40})/i)
    .map((piece, index) => (index % 2 === 0 ? piece : <Account key={index} chain={chain} text={piece} copy={false} />))
}
