/** Descriptors against the test vectors of BIP 380 to 386 and 389, recorded in testing/fixtures/descriptors.json. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base58 } from '@scure/base'
import { readJson } from '../../../../testing/coins/fixtures.ts'
import { bitcoinMain, bitcoinRegtest } from '../networks/bitcoin.ts'
import { litecoinMain } from '../networks/litecoin.ts'
import { describeScript } from '../parse/address.ts'
import { sha256d } from '../parse/sha256.ts'
import { readDescriptor } from './descriptor.ts'
import { DescriptorError, PrivateKeyError } from './descriptor-error.ts'

type Vectors = {
  readonly checksums: readonly (readonly [about: string, text: string])[]
  readonly keys: Readonly<Record<'valid' | 'invalid', readonly (readonly [about: string, key: string])[]>>
  /** Descriptors, and the scripts of their first indexes. */
  readonly scripts: readonly (readonly [text: string, scripts: readonly (readonly string[])[]])[]
  readonly invalid: readonly (readonly [about: string, text: string])[]
  readonly multipath: readonly (readonly [text: string, expanded: readonly string[]])[]
}

const vectors = readJson<Vectors>('descriptors.json')

/** The master key of BIP 32's first test vector. */
const XPUB =
  'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8'

const hexOf = (script: Buffer): string => script.toString('hex')
const checked = (body: Buffer): string => base58.encode(Buffer.concat([body, sha256d(body).subarray(0, 4)]))

/** Replaces private keys by their public keys. */
function neutered(text: string): string {
  return text
    .replaceAll(/xprv[1-9A-HJ-NP-Za-km-z]+/g, (key) => {
      const bytes = Buffer.from(base58.decode(key)).subarray(0, -4)
      const version = Buffer.from('0488b21e', 'hex')
      return checked(Buffer.concat([version, bytes.subarray(4, 45), secp256k1.getPublicKey(bytes.subarray(46))]))
    })
    .replaceAll(/\b[5KL][1-9A-HJ-NP-Za-km-z]{50,51}\b/g, (key) => {
      const bytes = Buffer.from(base58.decode(key)).subarray(1, -4)
      return Buffer.from(secp256k1.getPublicKey(bytes.subarray(0, 32), bytes.length === 33)).toString('hex')
    })
}

const isPrivate = (text: string): boolean => neutered(text) !== text
/** A hardened step after an extended key. */
const isHardened = (text: string): boolean => /xp(rv|ub)[^,()]*\/[\d*]+['h]/.test(text)
const read = (text: string) => readDescriptor(bitcoinMain, text)

/** A refusal that repeats nothing of the descriptor that could be secret. */
function assertRefused(about: string, text: string): void {
  assert.throws(
    () => read(text),
    (error) => {
      assert.ok(error instanceof DescriptorError, `${about}: ${String(error)}`)
      assert.equal(error instanceof PrivateKeyError, isPrivate(text), about)
      for (const [word] of text.matchAll(/[0-9A-Za-z]{12,}/g)) assert.ok(!error.message.includes(word), about)
      return true
    },
    about,
  )
}

test('every descriptor of the BIPs gives its scripts, and with private keys it is refused', () => {
  let derived = 0
  for (const [text, scripts] of vectors.scripts) {
    if (isPrivate(text)) assertRefused(text.slice(0, 30), text)
    const open = neutered(text)
    if (isHardened(text) || scripts.length === 0) {
      assertRefused(open.slice(0, 30), open)
      continue
    }
    const [branch, ...others] = read(open).branches
    assert.ok(branch !== undefined && others.length === 0)
    const hex = scripts.map((_, index) => branch.scriptsAt(index).map(hexOf))
    assert.deepEqual(hex, scripts, open)
    assert.equal(branch.isRanged, open.includes('*'))
    derived++
  }
  assert.ok(derived > 40)
})

test('invalid descriptors of the BIPs are refused, also with public keys only', () => {
  for (const [about, text] of vectors.invalid) {
    assertRefused(about, text)
    assertRefused(about, neutered(text))
  }
})

test('checksums', () => {
  const [valid, none, ...invalid] = vectors.checksums
  assert.equal(read(valid?.[1] ?? '').text, 'raw(deadbeef)#89f8spxm')
  assert.equal(read(none?.[1] ?? '').text, 'raw(deadbeef)#89f8spxm')
  for (const [about, text] of invalid) assertRefused(about, text)
})

test('key expressions', () => {
  for (const [about, key] of vectors.keys.valid) {
    const text = `pkh(${neutered(key)})`
    if (isPrivate(key)) assertRefused(about, `pkh(${key})`)
    if (isHardened(key)) assertRefused(about, text)
    else assert.doesNotThrow(() => read(text), about)
  }
  for (const [about, key] of vectors.keys.invalid) {
    assertRefused(about, `pkh(${key})`)
    assertRefused(about, `pkh(${neutered(key)})`)
  }
})

test('a multipath descriptor has the branches that it expands into', () => {
  for (const [text, expanded] of vectors.multipath) {
    if (isHardened(neutered(text).replaceAll(/<[^>]*h[^>]*>/g, '0h'))) continue
    const scripts = read(neutered(text)).branches.map((branch) => branch.scriptsAt(3).map(hexOf))
    const expected = expanded.map((each) => read(neutered(each)).branches[0]?.scriptsAt(3).map(hexOf))
    assert.deepEqual(scripts, expected, text)
  }
})

test('two spellings of an element of a multipath expression are the same', () => {
  for (const elements of ['0;00', '1;01;2', "0h;0'"])
    assert.throws(() => read(`wpkh(${XPUB}/<${elements}>/*)`), DescriptorError, elements)
})

test('invalid extended keys of BIP 32 are refused, public and private', () => {
  // Test vector 5, without keys of other networks.
  for (const key of [
    'xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6LBpB85b3D2yc8sfvZU521AAwdZafEz7mnzBBsz4wKY5fTtTQBm',
    'xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFGTQQD3dC4H2D5GBj7vWvSQaaBv5cxi9gafk7NF3pnBju6dwKvH',
    'xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6Txnt3siSujt9RCVYsx4qHZGc62TG4McvMGcAUjeuwZdduYEvFn',
    'xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFGpWnsj83BHtEy5Zt8CcDr1UiRXuWCmTQLxEK9vbz5gPstX92JQ',
    'xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6N8ZMMXctdiCjxTNq964yKkwrkBJJwpzZS4HS2fxvyYUA4q2Xe4',
    'xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFAzHGBP2UuGCqWLTAPLcMtD9y5gkZ6Eq3Rjuahrv17fEQ3Qen6J',
    'xprv9s2SPatNQ9Vc6GTbVMFPFo7jsaZySyzk7L8n2uqKXJen3KUmvQNTuLh3fhZMBoG3G4ZW1N2kZuHEPY53qmbZzCHshoQnNf4GvELZfqTUrcv',
    'xpub661no6RGEX3uJkY4bNnPcw4URcQTrSibUZ4NqJEw5eBkv7ovTwgiT91XX27VbEXGENhYRCf7hyEbWrR3FewATdCEebj6znwMfQkhRYHRLpJ',
    'xprv9s21ZrQH4r4TsiLvyLXqM9P7k1K3EYhA1kkD6xuquB5i39AU8KF42acDyL3qsDbU9NmZn6MsGSUYZEsuoePmjzsB3eFKSUEh3Gu1N3cqVUN',
    'xpub661MyMwAuDcm6CRQ5N4qiHKrJ39Xe1R1NyfouMKTTWcguwVcfrZJaNvhpebzGerh7gucBvzEQWRugZDuDXjNDRmXzSZe4c7mnTK97pTvGS8',
    'DMwo58pR1QLEFihHiXPVykYB6fJmsTeHvyTp7hRThAtCX8CvYzgPcn8XnmdfHGMQzT7ayAmfo4z3gY5KfbrZWZ6St24UVf2Qgo6oujFktLHdHY4',
    'DMwo58pR1QLEFihHiXPVykYB6fJmsTeHvyTp7hRThAtCX8CvYzgPcn8XnmdfHPmHJiEDXkTiJTVV9rHEBUem2mwVbbNfvT2MTcAqj3nesx8uBf9',
    'xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzF93Y5wvzdUayhgkkFoicQZcP3y52uPPxFnfoLZB21Teqt1VvEHx',
    'xprv9s21ZrQH143K24Mfq5zL5MhWK9hUhhGbd45hLXo2Pq2oqzMMo63oStZzFAzHGBP2UuGCqWLTAPLcMtD5SDKr24z3aiUvKr9bJpdrcLg1y3G',
    'xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6Q5JXayek4PRsn35jii4veMimro1xefsM58PgBMrvdYre8QyULY',
    'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHL',
  ]) {
    for (const text of [key, `wpkh(${key}/0/*)`]) assert.throws(() => read(text), DescriptorError, key.slice(0, 40))
    if (key.startsWith('xprv')) assert.throws(() => read(key), PrivateKeyError)
  }
})

/** Account 0 of the test vectors of BIP 84, and the addresses that the BIP lists. */
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'

test('an extended key alone stands for the receive and change addresses of its type', () => {
  const [receive, change] = read(ZPUB).branches
  const addressOf = (script: Buffer | undefined) => describeScript(bitcoinMain, script ?? Buffer.alloc(0)).address
  assert.equal(addressOf(receive?.scriptsAt(0)[0]), 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu')
  assert.equal(addressOf(receive?.scriptsAt(1)[0]), 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g')
  assert.equal(addressOf(change?.scriptsAt(0)[0]), 'bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el')
  assert.deepEqual([receive?.pathAt(5), change?.pathAt(5)], ['0/5', '1/5'])
  const bytes = Buffer.from(base58.decode(ZPUB)).subarray(4, -4)
  const as = (version: string): string => checked(Buffer.concat([Buffer.from(version, 'hex'), bytes]))
  const typeOf = (network: typeof bitcoinMain, key: string) =>
    describeScript(network, readDescriptor(network, key).branches[0]?.scriptsAt(0)[0] ?? Buffer.alloc(0)).type
  assert.deepEqual(
    ['0488b21e', '049d7cb2', '04b24746'].map((version) => typeOf(bitcoinMain, as(version))),
    ['p2pkh', 'p2sh', 'p2wpkh'],
  )
  assert.deepEqual(
    ['019da462', '01b26ef6', '04b24746', '0488b21e'].map((version) => typeOf(litecoinMain, as(version))),
    ['p2pkh', 'p2sh', 'p2wpkh', 'p2pkh'],
  )
  assert.equal(typeOf(bitcoinRegtest, as('045f1cf6')), 'p2wpkh')
  assert.throws(() => read(as('019da462')), /does not belong to Bitcoin main/)
  assert.throws(() => readDescriptor(bitcoinRegtest, ZPUB), /does not belong to Bitcoin regtest/)
  assert.throws(() => read(as('02aa7ed3')), /belongs to a multisig/)
})

test('paths begin at the master key if the origin is known', () => {
  const [branch] = read(`wpkh([deadbeef/84'/0'/0h]${ZPUB}/0/*)`).branches
  assert.equal(branch?.pathAt(7), 'm/84h/0h/0h/0/7')
})

test('private keys are refused also if they are cut, misspelt or of another chain, and secrets are never repeated', () => {
  const xprv = vectors.keys.valid.find(([, key]) => key.startsWith('xprv'))?.[1] ?? assert.fail()
  const others = ['yprv', 'zprv', 'tprv', 'vprv', 'Ltpv', 'Mtpv', 'ttpv'].map((prefix) => prefix + xprv.slice(4))
  for (const text of [xprv, xprv.slice(0, 60), `${xprv.slice(0, -1)}1`, ...others, `wpkh(${xprv}/0/*)#aaaaaaaa`])
    assert.throws(() => read(text), PrivateKeyError)
  // The key of a public version that is private nevertheless.
  const disguised = Buffer.from(base58.decode(xprv)).subarray(0, -4)
  disguised.writeUInt32BE(0x0488_b21e)
  assert.throws(() => read(checked(disguised)), PrivateKeyError)
  const words = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
  assert.throws(
    () => read(words),
    (error) => error instanceof DescriptorError && !error.message.includes('abandon'),
  )
})

test('random changes of descriptors give a descriptor or an error of one', () => {
  const texts = [
    ...vectors.scripts.map(([text]) => neutered(text)),
    ...vectors.multipath.map(([text]) => neutered(text)),
  ]
  let state = 1
  const below = (bound: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
  for (let i = 0; i < 1_500; i++) {
    const text = texts[below(texts.length)] ?? ''
    const at = below(text.length)
    const end = at + below(3)
    const put = "()[],'/*<>;{}#hx0129ab"[below(22)] ?? ''
    const changed = text.slice(0, at) + put + text.slice(end)
    try {
      read(changed)
    } catch (error) {
      assert.ok(error instanceof DescriptorError, `${changed}: ${String(error)}`)
    }
  }
})

test('keys are derived one by one, also by two callers at once', () => {
  const text = 'wsh(sortedmulti(2,XPUB/1/2/*,XPUB/3/*,XPUB/4))'.replaceAll('XPUB', XPUB)
  const [expected] = read(text).branches
  const [branch] = read(text).branches
  assert.ok(expected !== undefined && branch !== undefined)
  const first = branch.derive(7)[Symbol.iterator]()
  const second = branch.derive(8)[Symbol.iterator]()
  let steps = 0
  for (let open = 2; open > 0; ) {
    open = 0
    for (const each of [first, second]) if (each.next().done !== true) open++
    steps += open
  }
  // Fixed steps: 2, 1 and 1, of which both callers may ask for the same; and two ranged keys each.
  assert.ok(steps >= 8 && steps <= 12, String(steps))
  for (const index of [7, 8]) assert.deepEqual(branch.scriptsAt(index), expected.scriptsAt(index))
  assert.deepEqual([...branch.derive(8)].length, 0)
})

test('a descriptor has at most 32 keys', () => {
  const leaves = (count: number): string =>
    count === 1 ? `pk(${XPUB}/*)` : `{${leaves(count >> 1)},${leaves(count - (count >> 1))}}`
  assert.equal(read(`tr(${XPUB}/*,${leaves(31)})`).branches[0]?.keys, 32)
  assert.throws(() => read(`tr(${XPUB}/*,${leaves(32)})`), /at most 32 keys/)
})
