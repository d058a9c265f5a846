/**
 * Output descriptors (BIP 380 to 386 and 389): reads one and derives its output scripts.
 *
 * Understands pk, pkh, wpkh, sh, wsh, multi, sortedmulti, combo, addr, raw, and tr with a tree of pk. A wallet is a
 * descriptor with public keys only; a private key is refused. An extended public key without a descriptor stands for the
 * receive and change addresses of the type that its version names.
 */
import type { Network } from '../networks/network.ts'
import { AddressError, decodeAddress } from '../parse/address.ts'
import { hash160, sha256 } from '../parse/sha256.ts'
import { checksumOf, withoutChecksum } from './checksum.ts'
import { DescriptorError } from './descriptor-error.ts'
import { findExtendedKey, refusePrivateKeys, tweakedKey } from './extended-key.ts'
import { type DescriptorKey, type KeyForm, type KeyOrigin, type KnownKeys, readKey } from './key-expression.ts'

export type Branch = {
  /** Whether it has a script for every index, or only for 0. */
  readonly isRanged: boolean
  /** The output scripts at an index: up to four of a `combo`, otherwise one. */
  readonly scriptsAt: (index: number) => readonly Buffer[]
  /** Derives the keys of an index in advance: each step takes a fraction of a millisecond. */
  readonly derive: (index: number) => Iterable<void>
  /** How many keys are derived for an index. */
  readonly keys: number
  /** The path of its first derived key. */
  readonly pathAt: (index: number) => string | undefined
  readonly solvingDataAt: (index: number) => SolvingData
}

/** What a signer needs in addition to an output script: the scripts behind its hashes, and its keys. */
export type SolvingData = {
  readonly redeemScript: Buffer | undefined
  readonly witnessScript: Buffer | undefined
  /** The key of a taproot output before it is tweaked, without its first byte. */
  readonly internalKey: Buffer | undefined
  readonly keys: readonly (KeyOrigin & { readonly key: Buffer })[]
}

export type Descriptor = {
  /** With its checksum. */
  readonly text: string
  /** One for each element of a multipath expression, otherwise one. */
  readonly branches: readonly Branch[]
}

const MAX_TEXT = 10_000
/** Keys that Core allows in a multisig without a script hash, and in a witness script. */
const MAX_BARE_KEYS = 3
const MAX_KEYS = 20
/** Keys of one descriptor: decoding a key takes a fraction of a millisecond. */
const MAX_DESCRIPTOR_KEYS = 32
const MAX_REDEEM_SCRIPT = 520
const MAX_BRANCHES = 16
/** Taproot allows 128 levels. Each level takes a level of recursion here. */
const MAX_TREE_DEPTH = 128

const OP_CHECKSIG = 0xac
const OP_CHECKMULTISIG = 0xae

/** Reads a descriptor, or an extended public key. */
export function readDescriptor(network: Network, input: string): Descriptor {
  const text = input.trim()
  if (text.length > MAX_TEXT) throw new DescriptorError(`A descriptor has at most ${MAX_TEXT} characters.`)
  refusePrivateKeys(text)
  const body = /^[1-9A-HJ-NP-Za-km-z]+$/.test(text) ? ofExtendedKey(network, text) : withoutChecksum(text)
  const known: KnownKeys = new Map()
  return {
    text: `${body}#${checksumOf(body)}`,
    branches: expandMultipath(body).map((each) => new Parser(network, each, known).read()),
  }
}

function ofExtendedKey(network: Network, text: string): string {
  const key = findExtendedKey(network, text)
  if (key === undefined) throw new DescriptorError('This is neither a descriptor nor an extended public key.')
  if (key.use === 'multisig')
    throw new DescriptorError('This key belongs to a multisig. Send a descriptor with all of its keys.')
  return `${key.use}(${text}/<0;1>/*)${key.use === 'sh(wpkh' ? ')' : ''}`
}

/** Expands `<a;b;…>` (BIP 389): all of a descriptor have the same number of elements, and a key has at most one. */
function expandMultipath(body: string): string[] {
  const specifiers = [...body.matchAll(/<([^<>]*)>/g)].map(([, content = '']) => content.split(';'))
  if (/[<>;]/.test(body.replaceAll(/\/<[^<>]*>(?=[/),}]|$)/g, '')))
    throw new DescriptorError('A multipath expression is not of the form /<0;1>.')
  const [first] = specifiers
  if (first === undefined) return [body]
  if (first.length < 2 || first.length > MAX_BRANCHES || specifiers.some(({ length }) => length !== first.length))
    throw new DescriptorError(`Multipath expressions have 2 to ${MAX_BRANCHES} elements, and all of them equally many.`)
  // 0 and 00 are the same element.
  const plain = (element: string): string => element.replace(/^0+(?=\d)/, '').replace("'", 'h')
  if (specifiers.some((elements) => new Set(elements.map(plain)).size < elements.length))
    throw new DescriptorError('An element of a multipath expression is repeated.')
  if (/>[^,(){}]*</.test(body) || /\[[^\]]*</.test(body))
    throw new DescriptorError('A key has more than one multipath expression, or one in its origin.')
  return first.map((_, i) => {
    let at = 0
    return body.replaceAll(/<[^<>]*>/g, () => specifiers[at++]?.[i] ?? '')
  })
}

type Context = 'top' | 'sh' | 'wsh' | 'tr'
type Script = (index: number) => Buffer

const FORMS: Readonly<Record<Context, KeyForm>> = { top: 'any', sh: 'any', wsh: 'compressed', tr: 'x-only' }

const push = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([bytes.length]), bytes])
const smallNumber = (value: number): Buffer => Buffer.from(value > 16 ? [1, value] : [0x50 + value])
const payToKeyHash = (key: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x76, 0xa9]), push(hash160(key)), Buffer.from([0x88, OP_CHECKSIG])])
const payToScriptHash = (script: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xa9]), push(hash160(script)), Buffer.from([0x87])])
const witnessProgram = (version: number, program: Buffer): Buffer =>
  Buffer.concat([Buffer.from([version === 0 ? 0 : 0x50 + version]), push(program)])
const payToKey = (key: Buffer): Buffer => Buffer.concat([push(key), Buffer.from([OP_CHECKSIG])])

function multisig(threshold: number, keys: readonly Buffer[]): Buffer {
  return Buffer.concat([
    smallNumber(threshold),
    ...keys.map(push),
    smallNumber(keys.length),
    Buffer.from([OP_CHECKMULTISIG]),
  ])
}

function taggedHash(tag: string, ...parts: readonly Buffer[]): Buffer {
  const prefix = sha256(Buffer.from(tag))
  return sha256(Buffer.concat([prefix, prefix, ...parts]))
}

const xOnly = (key: Buffer): Buffer => key.subarray(1)

/** Reads one descriptor without multipath expressions from left to right. */
class Parser {
  readonly #network: Network
  readonly #text: string
  readonly #keys: DescriptorKey[] = []
  readonly #known: KnownKeys
  #redeemScript: Script | undefined
  #witnessScript: Script | undefined
  #internalKey: DescriptorKey | undefined
  #at = 0

  constructor(network: Network, text: string, known: KnownKeys) {
    this.#network = network
    this.#text = text
    this.#known = known
  }

  read(): Branch {
    const scriptsAt = this.#top()
    if (this.#at < this.#text.length) throw new DescriptorError('The descriptor continues after its end.')
    const keys = this.#keys
    return {
      isRanged: keys.some(({ isRanged }) => isRanged),
      scriptsAt,
      *derive(index) {
        for (const key of keys) yield* key.derive(index)
      },
      keys: keys.filter(({ isRanged }) => isRanged).length,
      pathAt: (index) => (keys.find(({ isRanged }) => isRanged) ?? keys[0])?.pathAt(index),
      solvingDataAt: (index) => ({
        redeemScript: this.#redeemScript?.(index),
        witnessScript: this.#witnessScript?.(index),
        internalKey: this.#internalKey === undefined ? undefined : xOnly(this.#internalKey.at(index)),
        keys: keys.flatMap((each) => {
          const origin = each.originAt(index)
          return origin === undefined ? [] : [{ ...origin, key: each.at(index) }]
        }),
      }),
    }
  }

  #top(): (index: number) => readonly Buffer[] {
    const name = this.#name()
    if (name === 'combo') return this.#combo()
    if (name === 'raw' || name === 'addr') {
      const script = name === 'raw' ? this.#raw() : this.#address()
      return () => [script]
    }
    const script = this.#script(name, 'top')
    return (index) => [script(index)]
  }

  /** Reads the name of an expression and its opening parenthesis. */
  #name(): string {
    const [whole = '', name = ''] = /^([a-z_]+)\(/.exec(this.#text.slice(this.#at, this.#at + 20)) ?? []
    if (name === '') throw new DescriptorError('An expression such as wpkh(…) is missing, or its name is misspelt.')
    this.#at += whole.length
    return name
  }

  #expect(character: string): void {
    if (this.#text[this.#at] !== character)
      throw new DescriptorError(`"${character}" is missing at character ${this.#at + 1} of the descriptor.`)
    this.#at++
  }

  /** Reads an argument up to the next delimiter. */
  #argument(): string {
    const start = this.#at
    while (this.#at < this.#text.length && !'(),{}'.includes(this.#text[this.#at] ?? '')) this.#at++
    return this.#text.slice(start, this.#at)
  }

  #key(form: KeyForm): DescriptorKey {
    const key = readKey(this.#network, this.#argument(), form, this.#known)
    if (this.#keys.push(key) > MAX_DESCRIPTOR_KEYS)
      throw new DescriptorError(`A descriptor has at most ${MAX_DESCRIPTOR_KEYS} keys.`)
    return key
  }

  #script(name: string, context: Context): Script {
    const allowed: Readonly<Record<Context, readonly string[]>> = {
      top: ['pk', 'pkh', 'wpkh', 'sh', 'wsh', 'multi', 'sortedmulti', 'tr'],
      sh: ['pk', 'pkh', 'wpkh', 'wsh', 'multi', 'sortedmulti'],
      wsh: ['pk', 'pkh', 'multi', 'sortedmulti'],
      tr: ['pk'],
    }
    if (!allowed[context].includes(name))
      throw new DescriptorError(
        `${KNOWN.has(name) ? `${name}()` : 'An unknown expression'} is not supported ${context === 'top' ? 'here' : `inside ${context}()`}.`,
      )
    const script = this.#body(name, context)
    this.#expect(')')
    return script
  }

  #body(name: string, context: Context): Script {
    switch (name) {
      case 'pk': {
        const key = this.#key(FORMS[context])
        return (index) => payToKey(context === 'tr' ? xOnly(key.at(index)) : key.at(index))
      }
      case 'pkh': {
        const key = this.#key(FORMS[context])
        return (index) => payToKeyHash(key.at(index))
      }
      case 'wpkh': {
        const key = this.#key('compressed')
        return (index) => witnessProgram(0, hash160(key.at(index)))
      }
      case 'sh': {
        const inner = this.#script(this.#name(), 'sh')
        this.#redeemScript = inner
        return (index) => payToScriptHash(inner(index))
      }
      case 'wsh': {
        const inner = this.#script(this.#name(), 'wsh')
        this.#witnessScript = inner
        return (index) => witnessProgram(0, sha256(inner(index)))
      }
      case 'tr':
        return this.#taproot()
      default:
        return this.#multi(name === 'sortedmulti', context)
    }
  }

  #multi(isSorted: boolean, context: Context): Script {
    const number = this.#argument()
    const threshold = /^\d{1,2}$/.test(number) ? Number(number) : 0
    const keys: DescriptorKey[] = []
    while (this.#text[this.#at] === ',') {
      this.#at++
      keys.push(this.#key(FORMS[context]))
    }
    const most = context === 'top' ? MAX_BARE_KEYS : MAX_KEYS
    if (keys.length === 0 || keys.length > most || threshold < 1 || threshold > keys.length)
      throw new DescriptorError(`A multisig here has 1 to ${most} keys and a threshold of at most their number.`)
    const size = 3 + keys.reduce((sum, { isCompressed }) => sum + (isCompressed ? 34 : 66), 0)
    if (context === 'sh' && size > MAX_REDEEM_SCRIPT)
      throw new DescriptorError(`The script of this multisig has more than ${MAX_REDEEM_SCRIPT} bytes. Use wsh().`)
    return (index) => {
      const derived = keys.map((key) => key.at(index))
      return multisig(threshold, isSorted ? derived.sort((a, b) => a.compare(b)) : derived)
    }
  }

  #taproot(): Script {
    const key = this.#key('x-only')
    this.#internalKey = key
    const hasTree = this.#text[this.#at] === ','
    if (hasTree) this.#at++
    const tree = hasTree ? this.#tree(0) : undefined
    return (index) => {
      const internal = xOnly(key.at(index))
      const tweak = taggedHash('TapTweak', internal, ...(tree === undefined ? [] : [tree(index)]))
      return witnessProgram(1, tweakedKey(internal, tweak))
    }
  }

  /** Returns the hash of a tree of scripts at an index. */
  #tree(depth: number): Script {
    if (depth > MAX_TREE_DEPTH) throw new DescriptorError(`A taproot tree has at most ${MAX_TREE_DEPTH} levels.`)
    if (this.#text[this.#at] !== '{') {
      const leaf = this.#script(this.#name(), 'tr')
      return (index) => taggedHash('TapLeaf', Buffer.from([0xc0]), push(leaf(index)))
    }
    this.#at++
    const left = this.#tree(depth + 1)
    this.#expect(',')
    const right = this.#tree(depth + 1)
    this.#expect('}')
    return (index) => taggedHash('TapBranch', ...[left(index), right(index)].sort((a, b) => a.compare(b)))
  }

  #combo(): (index: number) => readonly Buffer[] {
    const key = this.#key('any')
    this.#expect(')')
    return (index) => {
      const bytes = key.at(index)
      const program = witnessProgram(0, hash160(bytes))
      const witness = key.isCompressed ? [program, payToScriptHash(program)] : []
      return [payToKey(bytes), payToKeyHash(bytes), ...witness]
    }
  }

  #raw(): Buffer {
    const text = this.#argument()
    this.#expect(')')
    if (!/^([0-9a-fA-F]{2}){1,4000}$/.test(text)) throw new DescriptorError('raw() contains no script in hexadecimal.')
    return Buffer.from(text, 'hex')
  }

  #address(): Buffer {
    const text = this.#argument()
    this.#expect(')')
    try {
      return decodeAddress(this.#network, text).script
    } catch (error) {
      if (error instanceof AddressError) throw new DescriptorError(`addr(): ${error.message}`)
      throw error
    }
  }
}

/** Names that messages may repeat. Others could be a part of a secret. */
const KNOWN: ReadonlySet<string> = new Set(
  'pk pkh wpkh sh wsh multi sortedmulti tr combo addr raw multi_a sortedmulti_a rawtr musig sp'.split(' '),
)
