import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { z } from 'zod'
import { createCoreRpc } from '../../server/src/coins/node/core-rpc.ts'
import { missingLitecoind } from '../../testing/coins/litecoind.ts'
import { testLog } from '../../testing/support/log.ts'
import { temporaryFolder } from '../../testing/support/temporary-folder.ts'
import { startLitecoin } from './litecoin.ts'

test('the chain continues at the activation of MWEB', { skip: missingLitecoind() }, async () => {
  const litecoin = await startLitecoin({ folder: temporaryFolder(), log: testLog })
  after(litecoin.stop)
  const { height } = await litecoin.past()
  const rpc = createCoreRpc({ url: litecoin.url })
  after(rpc.close)
  const wallet = createCoreRpc({ url: `${litecoin.url}/wallet/shop` })
  after(wallet.close)
  const address = await wallet.call('getnewaddress', [], z.string())
  await rpc.call('generatetoaddress', [431 - height, address], z.unknown())
  await litecoin.reorganize(1)
  assert.equal(await rpc.call('getblockcount', [], z.int()), 432)
  await rpc.call('generatetoaddress', [2, address], z.unknown())
  assert.equal(await rpc.call('getblockcount', [], z.int()), 434)
})
