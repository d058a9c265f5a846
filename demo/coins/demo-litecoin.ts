/** The demo's Litecoin: a node of its own where litecoind is installed, otherwise a recorded chain. */
import type { Logger } from '../../server/src/lib/log.ts'
import { type Litecoin, startLitecoin } from './litecoin.ts'
import { LITECOIN } from './recorded-chains.ts'
import { startRecordedNode } from './recorded-node.ts'

export type DemoLitecoin = Pick<Litecoin, 'url' | 'past' | 'live' | 'stop'>

export async function startDemoLitecoin(
  deps: { readonly folder: string; readonly log: Logger },
  { hasLitecoind }: { readonly hasLitecoind: boolean },
): Promise<DemoLitecoin> {
  if (hasLitecoind) return await startLitecoin(deps)
  const { url, stop } = await startRecordedNode(LITECOIN)
  // Its blocks arrive by themselves.
  return { url, stop, live: () => {}, past: async () => ({ address: LITECOIN.showcase, height: 0 }) }
}
