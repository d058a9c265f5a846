/**
 * Random descriptors, valid and broken, against a Bitcoin node or its recorded answers: what it refuses is refused, and
 * addresses agree.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hdKey } from '../../../../testing/coins/hd-keys.ts'
import { bitcoinNodes } from '../../../../testing/coins/recorded-answers.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import { bitcoinRegtest } from '../networks/bitcoin.ts'
import { NodeRpcError } from '../node/node-errors.ts'
import { describeScript } from '../parse/address.ts'
import { checksumOf } from './checksum.ts'
import { readDescriptor } from './descriptor.ts'
import { DescriptorError } from './descriptor-error.ts'

const CASES = 1_200
const INDEXES = [0, 1, 2, 3]

let random = seededRandom(380)
const { tpub } = hdKey('descriptors')
const other = hdKey('other descriptors').tpub
const publicKey = (byte: number, isCompressed: boolean): string =>
  Buffer.from(secp256k1.getPublicKey(Buffer.alloc(32, byte), isCompressed)).toString('hex')

function key(): string {
  const origin = random.pick(['', '', '[deadbeef]', "[DEADBEEF/84'/1h/0]", '[0badf00d/2147483647h]'])
  const path = random.pick([
    '/*',
    '/0/*',
    '/<0;1>/*',
    '/7/<3;2>/*',
    '/2147483647/*',
    '',
    '/0',
    '/<0;1>',
    '/1h/*',
    '/*h',
    '/00/*',
  ])
  const extended = `${random.pick([tpub, tpub, other])}${path}`
  const byte = 1 + random.below(5)
  const text = random.pick([
    extended,
    extended,
    extended,
    publicKey(byte, true),
    publicKey(byte, false),
    publicKey(byte, true).slice(2),
  ])
  return origin + text
}

function multi(): string {
  const count = random.pick([1, 2, 3, 4, 15, 16, 20, 21])
  const threshold = random.pick([1, 1, 2, count, count + 1, 0])
  const same = random.pick([undefined, key()])
  const keys = Array.from({ length: count }, () => same ?? key())
  return `${random.pick(['multi', 'sortedmulti'])}(${[threshold, ...keys].join(',')})`
}

const tree = (depth: number): string =>
  depth === 0 || random.below(3) === 0 ? `pk(${key()})` : `{${tree(depth - 1)},${tree(depth - 1)}}`

function descriptor(depth = 0): string {
  const name = random.pick(['pk', 'pkh', 'wpkh', 'multi', 'sh', 'wsh', 'tr', 'combo'])
  if (name === 'multi') return multi()
  if (name === 'tr') return `tr(${key()}${random.below(2) === 0 ? '' : `,${tree(3)}`})`
  if ((name === 'sh' || name === 'wsh') && depth < 3) return `${name}(${descriptor(depth + 1)})`
  return `${name}(${key()})`
}

/** Changes some characters. */
function broken(text: string): string {
  const at = random.below(text.length)
  const put = random.pick([..."()[],'/*<>;{}#hH 0129ab+-".split(''), ''])
  return text.slice(0, at) + put + text.slice(at + random.below(3))
}

for (const { source, skip, start } of bitcoinNodes('descriptors'))
  test(`a node agrees about random descriptors: ${source}`, { skip, timeout: 300_000 }, async (t) => {
    random = seededRandom(380)
    const daemon = await start(() => ['-rpcservertimeout=60'])
    t.after(() => daemon.remove())
    const ask = async <T>(method: string, ...params: unknown[]): Promise<T | undefined> => {
      try {
        return await daemon.call<T>(method, ...params)
      } catch (error) {
        if (error instanceof NodeRpcError) return undefined
        throw error
      }
    }
    const counts = { accepted: 0, refused: 0, onlyTheirs: 0 }
    for (let i = 0; i < CASES; i++) {
      const text = random.below(3) === 0 ? broken(descriptor()) : descriptor()
      let ours: ReturnType<typeof readDescriptor> | undefined
      try {
        ours = readDescriptor(bitcoinRegtest, text)
      } catch (error) {
        assert.ok(error instanceof DescriptorError, `${text}: ${String(error)}`)
      }
      const theirs = await ask<{ descriptor: string; isrange: boolean }>('getdescriptorinfo', text)
      if (ours === undefined) {
        if (theirs !== undefined && !isRefusedOnPurpose(text)) assert.fail(`the node accepts ${text}`)
        counts[theirs === undefined ? 'refused' : 'onlyTheirs']++
        continue
      }
      assert.ok(theirs !== undefined, `the node refuses ${text}`)
      counts.accepted++
      const isRanged = ours.branches.some((branch) => branch.isRanged)
      assert.equal(isRanged, theirs.isrange, text)
      // The node derives no addresses of scripts that have none.
      const range = isRanged ? [[0, INDEXES.length - 1]] : []
      const listed = await ask<string[] | string[][]>(
        'deriveaddresses',
        `${text.trim()}#${checksumOf(text.trim())}`,
        ...range,
      )
      if (listed === undefined) continue
      const addresses = ours.branches.map((branch) =>
        (isRanged ? INDEXES : [0]).flatMap((index) =>
          branch.scriptsAt(index).map((script) => describeScript(bitcoinRegtest, script).address),
        ),
      )
      if (text.startsWith('combo')) continue
      assert.deepEqual(addresses.length === 1 ? addresses[0] : addresses, listed, text)
    }
    t.diagnostic(JSON.stringify(counts))
    assert.ok(counts.accepted > CASES / 10)
  })

/** Hardened steps need private keys. The node ignores a space after a key. */
const isRefusedOnPurpose = (text: string): boolean => /(pub[^,()]*\/[\d*<>;]*[\dh*]['h])|#| /.test(text)
