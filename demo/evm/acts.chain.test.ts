import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { anvilMissing } from '../../testing/evm/anvil.ts'
import { freePort } from '../../testing/support/port.ts'
import { temporaryFolder } from '../../testing/support/temporary-folder.ts'
import { CHAINS, type Keep, populate } from './populate.ts'
import { actOnce } from './run.ts'

const keep: Keep = (part) => {
  after(part.stop)
  return part
}
/** Every act has had its turn several times, and what it did was undone or went on. */
const ROUNDS = 3
const SECONDS_BETWEEN = 12

for (const settings of CHAINS) {
  const options = anvilMissing === false ? {} : { skip: anvilMissing }
  test(`the life of ${settings.slug} goes on and on, and no transaction fails`, options, async () => {
    const start = Math.floor(Date.now() / 1_000)
    const { chain, world } = await populate(
      settings,
      { port: await freePort(), folder: temporaryFolder(), start },
      keep,
    )
    let [turn, now] = [0, start]
    while (turn < ROUNDS * world.acts.length) {
      now += SECONDS_BETWEEN
      turn = await actOnce(world.acts, turn, now)
      await chain.mine(now) // fails where a transaction did
      for (const second of [4, 8]) await chain.mine(now + second)
    }
    assert.ok(world.known.length >= 8)
  })
}
