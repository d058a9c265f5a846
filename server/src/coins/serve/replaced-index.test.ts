/** Readers of an index that is being made, and of one that is replaced while they run. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, test } from 'node:test'
import { open } from 'lmdb'
import { startFakeCore } from '../../../../testing/coins/fake-core.ts'
import { recordedBlocks } from '../../../../testing/coins/fixtures.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { indexTip } from '../index/follow.ts'
import { IndexInUseError } from '../index/index-errors.ts'
import { enterIndex, findIndexUsers } from '../index/index-marker.ts'
import { indexPath, startIndexWriter } from '../index/index-writer.ts'
import { bitcoinRegtest } from '../networks/bitcoin.ts'
import { parseBlock } from '../parse/block.ts'
import { startChainService } from './chain-service.ts'
import { checkIndex } from './index-status.ts'

const core = await startFakeCore()
after(core.stop)
core.chain = recordedBlocks()
  .slice(0, 21)
  .map((bytes) => parseBlock(bytes, { mweb: false }))
const options = { chain: 'btc', rpcUrl: core.url, dataDir: temporaryFolder(), pollMs: 20 } as const
const path = indexPath(options.dataDir, bitcoinRegtest)

test('a half-made index is not opened, and a replaced one is opened again', async () => {
  // The writer has created the file, but none of the tables yet.
  await open({ path }).close()
  const service = startChainService({ ...options, readOnly: true })
  after(service.stop)
  await service.firstAttempt
  assert.deepEqual([service.find(), service.findFault('reader')], [undefined, undefined])
  assert.equal((await checkIndex(options)).state, 'not_indexed')

  const tipIs = (height: number) =>
    eventually(() => {
      const chain = service.find()
      return (chain !== undefined && indexTip(chain.index)?.height === height) || undefined
    })
  const writer = startIndexWriter(options, () => undefined)
  await tipIs(20)
  await writer.stop()

  core.chain = core.chain.slice(0, 11)
  rmSync(path, { recursive: true })
  const second = startIndexWriter(options, () => undefined)
  after(second.stop)
  await tipIs(10)
})

test('the processes that use an index are known', async () => {
  const folder = temporaryFolder()
  const leave = enterIndex(folder)
  assert.deepEqual(findIndexUsers(folder), [], 'this process does not count')
  leave()
  assert.match(new IndexInUseError('btc', [7]).message, /^The btc index is in use by process 7\. Stop/)
})
