import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { anvilMissing } from '../../testing/evm/anvil.ts'
import { freePort } from '../../testing/support/port.ts'
import { temporaryFolder } from '../../testing/support/temporary-folder.ts'
import { CHAINS, type Keep, populate } from './populate.ts'
import { runNextAct } from './run.ts'

const keep: Keep = (part) => {
  after(part.stop)
  return part
}
/** Every act runs several times. */
const ROUNDS = 3
const SECONDS_BETWEEN = 12

for (const settings of CHAINS) {
  const options = anvilMissing === false ? {} : { skip: anvilMissing }
  test(`the acts of ${settings.slug} repeat without a failed transaction`, options, async () => {
    const start = Math.floor(Date.now() / 1_000)
    const { chain, world } = await populate(
      settings,
      { port: await freePort(), folder: temporaryFolder(), start },
      keep,
    )
    let [turn, now] = [0, start]
    while (turn < ROUNDS * world.acts.length) {
      now += SECONDS_BETWEEN
      turn = await runNextAct(world.acts, turn, now)
      await chain.mine(now) // throws if a transaction failed
      for (const second of [4, 8]) await chain.mine(now + second)
    }
    assert.ok(world.known.length >= 8)
  })
}
