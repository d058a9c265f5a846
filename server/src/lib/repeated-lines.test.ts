import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from './log.ts'

test('equal lines within a minute are counted, and lines with other facts are written', () => {
  const lines: { msg: string; repeated?: number; chain?: string }[] = []
  let now = 0
  const log = createLogger({
    level: 'info',
    destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
    collapse: () => now,
  })
  for (let n = 0; n < 500; n += 1) log.warn({ chain: 'base', reqId: String(n) }, 'cannot be reached')
  log.warn({ chain: 'ethereum' }, 'cannot be reached')
  log.info('started')
  assert.deepEqual(
    lines.map(({ msg, chain }) => [msg, chain]),
    [
      ['cannot be reached', 'base'],
      ['cannot be reached', 'ethereum'],
      ['started', undefined],
    ],
  )
  now = 60_001
  log.warn({ chain: 'base', reqId: 'x' }, 'cannot be reached')
  assert.deepEqual(
    lines.slice(3).map(({ msg, repeated }) => [msg, repeated]),
    [
      ['cannot be reached (499 more times)', 499],
      ['cannot be reached', undefined],
    ],
  )
})

test('every line has the process id, the roles and the version', () => {
  const lines: object[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  createLogger({ level: 'info', destination, base: { roles: 'serve', version: '1.2.3' } }).info('started')
  const { pid, roles, version } = lines[0] as { pid: number; roles: string; version: string }
  assert.deepEqual([pid, roles, version], [process.pid, 'serve', '1.2.3'])
})
