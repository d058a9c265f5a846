import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, parseConfig } from '../../config/config.ts'
import { CHAINWIDE_KEYS } from '../catalog/chainwide-events.ts'
import { catalogOf } from './run-watch.ts'

const topics = (list: string) => catalogOf(parseConfig({ CHAINWIDE_EVENTS: list }, '/')).topicsFor('chainwide')

test('the operator chooses the chain-wide events', () => {
  assert.ok(topics('').length >= CHAINWIDE_KEYS.length / 2, 'unset is the built-in list')
  assert.deepEqual(topics('none'), [])
  assert.equal(topics('diamond.cut').length, 1)
})

test('an unknown event key is a configuration error that names the variable', () => {
  assert.throws(
    () => topics('proxy.upgraded,proxy.upgradet'),
    (error) => error instanceof ConfigError && /^CHAINWIDE_EVENTS: .*proxy\.upgradet$/.test(error.message),
  )
  assert.throws(() => topics('Upgraded(address)'), /CHAINWIDE_EVENTS: must be a comma-separated list of event keys/)
})
