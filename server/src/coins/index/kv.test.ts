import assert from 'node:assert/strict'
import { execFileSync, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { kvConformance } from '../../../../testing/coins/kv-conformance.ts'
import { openMemoryKv } from '../../../../testing/coins/kv-memory.ts'
import { withSnapshot } from './kv.ts'
import { openLmdbKv } from './kv-lmdb.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatewatch-kv-'))
after(() => rmSync(folder, { recursive: true, force: true }))
let count = 0

kvConformance('memory', openMemoryKv)
kvConformance('lmdb', () => openLmdbKv({ path: join(folder, String(count++)) }))

test('lmdb: another process sees each commit of this one', async () => {
  const path = join(folder, 'shared')
  const kv = openLmdbKv({ path })
  const key = Buffer.from('a')
  const script = `
    const { openLmdbKv } = await import(${JSON.stringify(import.meta.resolve('./kv-lmdb.ts'))})
    const kv = openLmdbKv({ path: ${JSON.stringify(path)}, readOnly: true })
    const snapshot = kv.snapshot()
    console.log(String(snapshot.get('meta', Buffer.from('a'))))
    snapshot.close()
    await kv.close()`
  const readInProcess = (): string =>
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim()
  kv.write((writer) => writer.put('meta', key, Buffer.from('1')))
  assert.equal(readInProcess(), '1')
  kv.write((writer) => writer.put('meta', key, Buffer.from('2')))
  assert.equal(readInProcess(), '2')
  assert.deepEqual(
    withSnapshot(kv, (reader) => reader.get('meta', key)),
    Buffer.from('2'),
  )
  await kv.close()
})

test('lmdb: a reader that opened an empty file reads it after it has grown a hundredfold', {
  timeout: 60_000,
}, async () => {
  const path = join(folder, 'growing')
  const kv = openLmdbKv({ path })
  const child = fork(join(import.meta.dirname, '../../../../testing/coins/kv-reader-process.ts'), [path], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const next = (): Promise<unknown> =>
    new Promise((resolve) => {
      child.once('message', resolve)
    })
  assert.equal(await next(), 'ready')
  for (let round = 1; round <= 4; round++) {
    kv.write((writer) => {
      for (let i = 0; i < 2_000; i++) {
        writer.put('txs', Buffer.from([round, i >> 8, i & 255]), Buffer.alloc(4_000, round))
      }
    })
    child.send('read')
    assert.equal(await next(), round * 2_000)
  }
  child.kill()
  await kv.close()
})

test('lmdb: on a full disk the last commit stays, the error names the cause, and smaller commits succeed', () => {
  const path = join(folder, 'full')
  // A limit on the file size has the same effect as a full disk.
  const script = `
    const { openLmdbKv } = await import(${JSON.stringify(import.meta.resolve('./kv-lmdb.ts'))})
    const kv = openLmdbKv({ path: ${JSON.stringify(path)} })
    const fill = (count) => kv.write((writer) => {
      for (let i = 0; i < count; i++) writer.put('undo', Buffer.from(String(i).padStart(6, '0')), Buffer.alloc(500, count))
    })
    fill(10)
    try { fill(10_000) } catch (error) { console.log(error.code, error.retryable, error.message) }
    fill(11)
    await kv.close()`
  const command = `ulimit -f 2048; trap '' XFSZ; exec "$0" --input-type=module -e "$1"`
  const output = execFileSync('sh', ['-c', command, process.execPath, script], { encoding: 'utf8' })
  assert.match(output, /^index_write_failed true .*the index could not be written \(.*MB are free\).*disk is full/)
  const kv = openLmdbKv({ path })
  const rows = withSnapshot(kv, (reader) => Array.from(reader.range('undo', {}), ({ value }) => value[0]))
  assert.deepEqual(
    rows,
    Array.from({ length: 11 }, () => 11),
  )
  return kv.close()
})
