import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkJson } from './json-check.ts'
import { JsonReader, ResponseTooLargeError } from './json-reader.ts'
import { MalformedError } from './rpc-error.ts'

const MB = 1_048_576

/** Adds a text in chunks of the size that sockets deliver. */
async function read(text: string, { maxBytes = 64 * MB, maxDepth = 6 } = {}): Promise<unknown> {
  const reader = new JsonReader({ maxBytes, maxDepth })
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 65_536) reader.add(bytes.subarray(at, at + 65_536))
  return await reader.end()
}

test('small and large responses are parsed alike', async () => {
  for (const items of [1, 10_000]) {
    const body = {
      jsonrpc: '2.0',
      id: 7,
      result: Array.from({ length: items }, (_, n) => ({ n, topics: [`0x${'ab'.repeat(32)}`], text: 'ä"\\[{' })),
    }
    assert.deepEqual(await read(JSON.stringify(body)), body)
  }
  const words = { id: 1, result: `0x${'00'.repeat(MB)}` }
  assert.deepEqual(await read(JSON.stringify(words)), words)
  assert.deepEqual(await read(JSON.stringify([words, words])), [words, words])
})

test('megabytes of nested brackets are refused without parsing, in the thread', async () => {
  let turns = 0
  const counting = setInterval(() => (turns += 1), 1)
  await assert.rejects(read('['.repeat(20 * MB)), (error) => {
    assert.ok(error instanceof MalformedError)
    assert.equal(error.message, 'the response nests deeper than 6 levels')
    return true
  })
  await assert.rejects(read(`{"id":1,"result":${'{"a":'.repeat(MB)}`), MalformedError)
  clearInterval(counting)
  assert.ok(turns > 0)
})

test('a list of millions of empty values is refused before it takes its memory', async () => {
  await assert.rejects(read(`{"id":1,"result":[${'[],'.repeat(4 * MB)}[]]}`), /too many values for its size/)
  await assert.rejects(read(`[${'"",'.repeat(4 * MB)}""]`), /too many values for its size/)
})

test('brackets, commas and quotes inside of strings do not count', () => {
  const text = JSON.stringify({ id: 1, result: ['[[[[[[[[{{{{{{', '\\"[[[[[[[', '\\\\', ','.repeat(50_000)] })
  checkJson(Buffer.from(text), 2)
  assert.throws(() => checkJson(Buffer.from('[[1]]'), 1), MalformedError)
  assert.throws(() => checkJson(Buffer.from(`["\\\\",[[1]]]`), 2), MalformedError)
})

test('a long list is parsed in parts, and refused where its text is not valid', async () => {
  const item = JSON.stringify({ data: `0x${'00'.repeat(500)}`, list: [[1], {}] })
  const items = Array.from({ length: 1_000 }, () => item).join(' , ')
  assert.deepEqual(await read(`{ "result" :\n[${items}], "id": 1}`), { id: 1, result: JSON.parse(`[${items}]`) })
  assert.deepEqual(await read(`{"error":[${items}]}`), { error: JSON.parse(`[${items}]`) })
  for (const text of [
    `{"result":[${items},]}`,
    `{"result":[,${items}]}`,
    `{"result":[${items},,${items}]}`,
    `{"result":[${items}]`,
    `{"result":[${items}}}`,
    `{"result":[${items}],}`,
    `{"result":[${items}{}]}`,
    `{"result":[${items}],"result":1}`,
  ])
    await assert.rejects(read(text), SyntaxError, `${text.slice(0, 20)}…${text.slice(-10)}`)
})

test('a list is divided at its own commas only', () => {
  const text = '{"id":1,"result":[[1,2],{"a":3,"b":[4,5]},",",6],"more":[7,8]}'
  const cutsOf = (json: string): readonly string[] => {
    const cuts = checkJson(Buffer.from(json), 6, 0)
    return cuts.slice(1).map((end, at) => json.slice((cuts[at] as number) + 1, end))
  }
  assert.deepEqual(cutsOf(text), ['[1,2]', '{"a":3,"b":[4,5]}', '","', '6'])
  assert.deepEqual(cutsOf(`[${text}]`), [], 'responses of a batch are not divided')
  assert.deepEqual(cutsOf('{"id":1,"results":[1,2]}'), [])
})

test('bytes are counted as they arrive, and a large text that is not JSON is a syntax error', async () => {
  const reader = new JsonReader({ maxBytes: 2 * MB, maxDepth: 6 })
  const chunk = new Uint8Array(65_536).fill(0x20)
  assert.throws(() => {
    for (;;) reader.add(chunk)
  }, ResponseTooLargeError)
  reader.cancel()
  await assert.rejects(read(`{"id":1,"result":"${'0'.repeat(MB)}`), SyntaxError)
  assert.deepEqual(await read('{"id":1}'), { id: 1 }, 'the next response is read')
})
