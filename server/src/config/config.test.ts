import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, type Environment, loadDemoConfig, parseConfig, ROLES } from './config.ts'
import { parseEnvFile } from './env-file.ts'

const faultsOf = (env: Environment): readonly string[] => {
  try {
    parseConfig(env, '/srv')
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

test('an empty environment is a valid configuration', () => {
  const config = parseConfig({}, '/srv')
  assert.equal(config.publicUrl, 'http://127.0.0.1:8080')
  assert.deepEqual([config.demo, config.dataDir], [true, '/srv/data/demo'])
  assert.deepEqual(config.evmChains, {})
  assert.deepEqual(config.roles, ['serve', 'watch', 'poll', 'index', 'deliver'])
})

test('all faults are reported at once, each with its variable', () => {
  const faults = faultsOf({
    PORT: '99999',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://x',
    ROLES: 'serve,dance',
    POLYGON_RPC_URL: 'ftp://x',
    BASE_CONFIRMATIONS: '-1',
    SMTP_URL: 'smtp://localhost',
  })
  assert.deepEqual(
    faults.map((fault) => fault.split(':')[0]),
    [
      'PORT',
      'DATABASE_URL',
      'ROLES',
      'LOG_LEVEL',
      'BASE_RPC_URL',
      'BASE_CONFIRMATIONS',
      'POLYGON_RPC_URL',
      'AUTH_SECRET',
      'MAIL_FROM',
    ],
  )
})

test('the contact of the operator is an e-mail address or a web page', () => {
  const contactOf = (OPERATOR_CONTACT: string) => parseConfig({ OPERATOR_CONTACT }, '/').contact
  assert.equal(contactOf('ops@example.org'), 'mailto:ops@example.org')
  assert.equal(contactOf('https://example.org/plans'), 'https://example.org/plans')
  assert.match(faultsOf({ OPERATOR_CONTACT: 'javascript:alert(1)' }).join(), /^OPERATOR_CONTACT: must be an e-mail/)
})

test('no message contains a secret', () => {
  const faults = faultsOf({
    DATABASE_URL: 'mysql://u:hunter2@h',
    AUTH_SECRET: 'short-secret',
    REDIS_URL: 'x://:hunter2@h',
  })
  assert.equal(faults.length, 3)
  assert.doesNotMatch(faults.join(), /hunter2|short-secret/)
})

test('a bare percent sign in the password of a node is reported', () => {
  assert.match(faultsOf({ BTC_RPC_URL: 'http://u:100%@h:8332' }).join(), /^BTC_RPC_URL: has an invalid % .*%25/)
  assert.deepEqual(faultsOf({ BTC_RPC_URL: 'http://u:100%25@h:8332' }), [])
})

test('a cookie file replaces user and password of the RPC URL', () => {
  const cookie = { LTC_COOKIE_FILE: '/node/.cookie' }
  const { coinChains } = parseConfig({ ...cookie, LTC_RPC_URL: 'http://h:9332' }, '/srv')
  assert.deepEqual(coinChains.ltc, { rpcUrl: 'http://h:9332', cookieFile: '/node/.cookie' })
  assert.match(faultsOf(cookie).join(), /^LTC_COOKIE_FILE: is set without the RPC URL/)
  assert.match(faultsOf({ ...cookie, LTC_RPC_URL: 'http://u:p@h:9332' }).join(), /^LTC_COOKIE_FILE: .* remove one/)
})

test('an empty variable counts as unset', () => {
  assert.equal(parseConfig({ PORT: '', REDIS_URL: '' }, '/srv').port, 8080)
})

test('a chain is enabled by any of its variables, and endpoints keep their order', () => {
  const config = parseConfig(
    { BASE_RPC_URL: 'http://a:1, wss://b/key', BASE_START_BLOCK: '0', LTC_BLOCKS_DIR: '/blocks' },
    '/srv',
  )
  assert.deepEqual(config.evmChains, { base: { rpcUrls: ['http://a:1', 'wss://b/key'], startBlock: 0 } })
  assert.deepEqual(config.coinChains, { ltc: { blocksDir: '/blocks' } })
})

test('with a chain or a database the demo is off, and its data folder is not used', () => {
  const real = [
    { BASE_RPC_URL: 'http://a:1' },
    { LTC_BLOCKS_DIR: '/blocks' },
    { DATABASE_URL: 'postgres://h/d', AUTH_SECRET: 's'.repeat(32) },
  ]
  for (const env of real) {
    const { demo, dataDir } = parseConfig(env, '/srv')
    assert.deepEqual([demo, dataDir], [false, '/srv/data'])
  }
})

test('the demo ignores configured chains, databases and roles', () => {
  const env = { BASE_RPC_URL: 'nonsense', DATABASE_URL: 'postgres://h/d', ROLES: 'serve', PORT: '9' }
  const { demo, port, evmChains, roles } = loadDemoConfig(env, '/nowhere')
  assert.deepEqual([demo, port, evmChains, roles], [true, 9, {}, [...ROLES]])
})

test('the demo uses neither the replica nor the ports of a service', () => {
  const service = { DATABASE_URL: 'postgres://db/prod', DATABASE_READ_URL: 'postgres://replica/prod' }
  const config = loadDemoConfig(
    { ...service, AUTH_SECRET: 'x'.repeat(32), SHARE_PORT: 'true', METRICS_PORT: '9100' },
    '/srv',
  )
  assert.deepEqual(
    [config.demo, config.databaseUrl, config.databaseReadUrl, config.sharePort, config.metricsPort],
    [true, undefined, undefined, false, undefined],
  )
})

test('a replica without a primary is a fault', () => {
  assert.match(faultsOf({ DATABASE_READ_URL: 'postgres://replica/prod' }).join(), /^DATABASE_READ_URL: .*DATABASE_URL/)
})

test('the public URL has localhost for a wildcard host, brackets for IPv6, and no trailing slash', () => {
  assert.equal(parseConfig({ HOST: '0.0.0.0', PORT: '80' }, '/').publicUrl, 'http://localhost:80')
  assert.equal(parseConfig({ HOST: '::1' }, '/').publicUrl, 'http://[::1]:8080')
  assert.equal(parseConfig({ PUBLIC_URL: 'https://gw.example/' }, '/').publicUrl, 'https://gw.example')
})

test('a public URL with a path is a fault', () => {
  for (const url of [
    'https://example.org/gatewatch',
    'https://example.org/?x',
    'https://example.org/#x',
    'https://u@example.org',
  ])
    assert.match(faultsOf({ PUBLIC_URL: url }).join(), /^PUBLIC_URL: .*without a path/, url)
  assert.deepEqual(faultsOf({ PUBLIC_URL: 'https://example.org:8443/' }), [])
})

test('.env: comments, quotes, export and Windows line endings', () => {
  const { values, faults } = parseEnvFile('# hi\r\n\r\nPORT=1 # one\nexport A="x # y"\nB=\'z\' # z\nC=a=b#c\nD=\n')
  assert.deepEqual(values, { PORT: '1', A: 'x # y', B: 'z', C: 'a=b#c', D: '' })
  assert.deepEqual(faults, [])
})

test('.env: invalid lines, unclosed quotes and repeated names are faults with their line numbers', () => {
  const { faults } = parseEnvFile('PORT 8080\nA="x\nB=1\nB=2\n=3')
  assert.deepEqual(
    faults.map((fault) => /line (\d)/.exec(fault)?.[1]),
    ['1', '2', '4', '5'],
  )
})

test('the demo listens beyond this machine only on request', () => {
  for (const HOST of ['0.0.0.0', '::', '192.168.1.5', 'example.org', '127.evil.example'])
    assert.throws(() => loadDemoConfig({ HOST }, '/nowhere'), /^ConfigError|HOST: the demo does not listen/, HOST)
  for (const HOST of ['127.0.0.1', '127.1.2.3', '::1', 'localhost'])
    assert.equal(loadDemoConfig({ HOST }, '/nowhere').host, HOST)
  assert.equal(loadDemoConfig({ HOST: '0.0.0.0', DEMO_PUBLIC: 'true' }, '/nowhere').host, '0.0.0.0')
})
