import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, parseConfig } from './config.ts'

const faultsOf = (env: Readonly<Record<string, string>>): readonly string[] => {
  try {
    parseConfig(env, '/')
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

test('a misspelt setting is an error that names the nearest one', () => {
  for (const [name, setting] of [
    ['ETHERUM_RPC_URL', 'ETHEREUM_RPC_URL'],
    ['ETH_RPC_URL', 'ETHEREUM_RPC_URL'],
    ['MAINNET_RPC_URL', undefined],
    ['ARBITRUM_RPC', 'ARBITRUM_RPC_URL'],
    ['BASE_RPC_URLS', 'BASE_RPC_URL'],
    ['BTC_RPCURL', 'BTC_RPC_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['REDIS_ULR', 'REDIS_URL'],
    ['METRIC_PORT', 'METRICS_PORT'],
    ['TELEGRAM_TOKEN', 'TELEGRAM_BOT_TOKEN'],
    ['SLOT_POLL_SECOND', 'SLOT_POLL_SECONDS'],
  ] as const) {
    const [fault, ...others] = faultsOf({ [name]: 'x' })
    assert.deepEqual(others, [])
    assert.match(fault ?? '', new RegExp(`^${name}: is not a setting; did you mean ${setting ?? '\\w+'}\\?`))
  }
})

test('variables of other programs are ignored', () => {
  const others = {
    PATH: '/bin',
    HOME: '/root',
    NODE_ENV: 'production',
    BASE_URL: 'https://example.org',
    POSTGRES_PASSWORD: 'x',
    REDIS_PORT: 'tcp://10.0.0.1:6379',
    REDIS_SERVICE_HOST: '10.0.0.1',
    DATABASE_HOST: 'db',
    MAIL: '/var/mail/root',
    LOGNAME: 'root',
    HOSTNAME: 'a',
  }
  assert.deepEqual(faultsOf(others), [])
})
