import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { createLogger, scrub } from './log.ts'

const key = `gw_live_${'a'.repeat(43)}`

const leaks: readonly (readonly [string, string])[] = [
  [`key ${key} used`, 'a'.repeat(43)],
  [`utxo_live_${'Zz9_-'.repeat(8)}abc`, 'Zz9_-Zz9'],
  ['postgres://gatewatch:hunter2@db.example:5432/x', 'hunter2'],
  ['http://rpcuser:pa%20ss@127.0.0.1:8332', 'pa%20ss'],
  ['"authorization":"Bearer abc.def-ghi"', 'abc.def-ghi'],
  ['{"password":"correct horse"}', 'horse'],
  ['{\\"password\\":\\"correct-horse\\"}', 'correct-horse'],
  ['/reset?token=abcdef123', 'abcdef123'],
  ['https://api.telegram.org/bot123456:AAF-xyz/sendMessage', 'AAF-xyz'],
  ['better-auth.session_token=s3cr3t.sig; Path=/', 's3cr3t'],
  ['eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2ln', 'eyJzdWIiOiIxIn0'],
  [`wpkh(xprv${'9s21ZrQH143K'.repeat(8)}/0/*)`, '9s21ZrQH143K'],
]

for (const [line, secret] of leaks) {
  test(`scrub removes ${secret} and keeps the rest`, () => {
    assert.equal(scrub(line).includes(secret), false, scrub(line))
  })
}

test('scrub keeps what identifies a key and a host', () => {
  assert.equal(scrub(`key ${key} used`), 'key gw_live_aaaa… used')
  assert.equal(scrub('postgres://u:p@db.example:5432/x'), 'postgres://***@db.example:5432/x')
})

test('scrub leaves an ordinary line alone', () => {
  const line = '{"level":30,"time":1,"route":"/v1/events","status":200,"msg":"request","url":"http://127.0.0.1:8080"}'
  assert.equal(scrub(line), line)
})

/** The beginnings of the patterns, to be repeated without their ends: the slowest input for a regular expression. */
const BEGINNINGS = [
  'token',
  'secret ',
  '"password',
  '"token"',
  'token"',
  'eyJ-',
  'eyJa.',
  '-eyJa.b',
  '//',
  '//a',
  'gw_live_',
  'Bearer ',
  '/bot1',
]
/** Scrubbing takes milliseconds unless a pattern backtracks without end. */
const TIMEOUT_MS = 20_000

test('the time of scrub grows linearly with the length of a line', { timeout: 60_000 }, async () => {
  const source = `
    import { parentPort } from 'node:worker_threads'
    import { scrub } from ${JSON.stringify(import.meta.resolve('./log.ts'))}
    for (const text of ${JSON.stringify(BEGINNINGS)}) scrub(text.repeat(262_144 / text.length))
    parentPort.postMessage('done')`
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`))
  const timer = setTimeout(() => void worker.terminate(), TIMEOUT_MS)
  const message = await new Promise((resolve, reject) => {
    worker.once('message', resolve).once('error', reject).once('exit', resolve)
  })
  clearTimeout(timer)
  assert.equal(message, 'done')
})

test('headers and errors in a log line are scrubbed too, and the line stays valid JSON', () => {
  const lines: string[] = []
  const log = createLogger({ level: 'info', destination: { write: (line: string) => void lines.push(line) } })
  log.info(
    { headers: { authorization: `Bearer ${key}` }, err: new Error(`cannot reach http://u:p4ss@host/`) },
    'failed',
  )
  assert.equal(lines.length, 1)
  const line = lines[0] ?? ''
  assert.equal(line.includes('a'.repeat(43)), false)
  assert.equal(line.includes('p4ss'), false)
  assert.equal(JSON.parse(line).msg, 'failed')
})

test('on a terminal a log line is readable text and not JSON', () => {
  const lines: string[] = []
  const destination = { isTTY: true, write: (line: string) => void lines.push(line) }
  createLogger({ level: 'info', destination }).warn({ chain: 'base' }, 'base: a.example cannot be reached')
  assert.match(lines.join(''), /WARN.*base: a\.example cannot be reached/)
  assert.doesNotMatch(lines.join(''), /^\{/)
})
