/** What a change of a subscription costs: scripts of a wallet take long to derive. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hdKey } from '../../../../testing/coins/hd-keys.ts'
import { startMemoryChain } from '../../../../testing/coins/memory-chain.ts'
import { Turns } from '../serve/turns.ts'
import type { KeptWallet } from '../wallets/wallet-store.ts'
import type { CoinSubscription } from './subscription-store.ts'
import { WatchList } from './watch-list.ts'

class CountedTurns extends Turns {
  units = 0

  override take(units: number): Promise<void> {
    this.units += units
    return super.take(units)
  }
}

const kept: KeptWallet = {
  id: 'w',
  accountId: 'ann',
  chain: 'btc',
  name: '',
  descriptor: `wpkh(${hdKey('changed often').tpub}/<0;1>/*)`,
  gapLimit: 50,
  createdAt: new Date(0),
}
const subscriptionOf = (id: number, events: CoinSubscription['events'] = ['seen']): CoinSubscription => ({
  id,
  accountId: 'ann',
  chain: 'btc',
  kind: 'wallet',
  target: 'w',
  events,
  confirmations: 1,
  channels: [],
  fromHeight: 0,
  watchedTo: null,
  createdAt: new Date(0),
})

test('a subscription to a wallet that is changed, or deleted and made again, derives no script again', async () => {
  const { served } = await startMemoryChain()
  const reader = served.index.kv.snapshot()
  const list = new WatchList(served.network)
  const costOf = async (): Promise<number> => {
    const turns = new CountedTurns()
    assert.equal((await list.extend(reader, served.mempool, turns)).length, 100)
    return turns.units
  }
  list.add(subscriptionOf(1), kept)
  const first = await costOf()
  list.add(subscriptionOf(1, ['spent']), kept)
  const changed = await costOf()
  list.remove(1)
  list.add(subscriptionOf(2), kept)
  const repeated = await costOf()
  list.remove(2)
  // Another account does not use what it has not derived.
  list.add({ ...subscriptionOf(3), accountId: 'ben' }, { ...kept, accountId: 'ben' })
  const other = await costOf()
  reader.close()
  assert.ok(changed < first / 10 && repeated === changed && other === first, `${first} ${changed} ${repeated} ${other}`)
})
