import { Hash } from './hash.tsx'

/** A sentence with its addresses shortened and linked. */
export function ProseWithAccounts({ text, chain }: { readonly text: string; readonly chain: string }) {
  return text
    .split(/(0x[0-9a-f]{40})/i)
    .map((piece, index) =>
      index % 2 === 0 ? (
        piece
      ) : (
        <Hash key={index} text={piece} what="address" href={`/contracts/${chain}/${piece}`} copy={false} />
      ),
    )
}
