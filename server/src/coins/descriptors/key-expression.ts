/** Key expressions of descriptors (BIP 380): a public key or an extended one with its derivation, with an optional origin. */
import type { Network } from '../networks/network.ts'
import { hash160 } from '../parse/sha256.ts'
import { DescriptorError } from './descriptor-error.ts'
import { childOf, compressed, type ExtendedKey, findExtendedKey, pointOf } from './extended-key.ts'

/** The master key that a key descends from, and the steps from it; hardened steps have the highest bit. */
export type KeyOrigin = { readonly fingerprint: Buffer; readonly path: readonly number[] }

export type DescriptorKey = {
  /** The public key at an index: 33 bytes, or 65 of an uncompressed key. */
  readonly at: (index: number) => Buffer
  /** Derives the key of `at` in advance: each step takes a fraction of a millisecond. */
  readonly derive: (index: number) => Iterable<void>
  readonly isRanged: boolean
  readonly isCompressed: boolean
  /** The path at an index, from the master key if the origin is known; undefined for a key without derivation. */
  readonly pathAt: (index: number) => string | undefined
  /** The origin at an index. An extended key without a stated origin is its own; other keys have none then. */
  readonly originAt: (index: number) => KeyOrigin | undefined
}

/** `x-only` allows the 32 bytes of a taproot key, `compressed` no uncompressed keys. */
export type KeyForm = 'any' | 'compressed' | 'x-only'

const EXPRESSION = /^(?:\[([^[\]]*)\])?([^/[\]]+)(\/.*)?$/
const ORIGIN = /^([0-9a-fA-F]{8})(\/.*)?$/
const STEP = /^(\d{1,10})(['h]?)$/
const MAX_STEP = 0x7fff_ffff
/** More steps than any wallet uses. */
const MAX_STEPS = 32

function readSteps(text: string): string[] {
  const steps = text === '' ? [] : text.slice(1).split('/')
  if (steps.length > MAX_STEPS) throw new DescriptorError(`A key has more than ${MAX_STEPS} derivation steps.`)
  return steps
}

type Step = { readonly index: number; readonly isHardened: boolean }

function checkStep(step: string): Step {
  const [, digits, hardened] = STEP.exec(step) ?? []
  const index = Number(digits)
  if (digits === undefined || index > MAX_STEP)
    throw new DescriptorError("A derivation step is not a number below 2^31, with h or ' if it is hardened.")
  return { index, isHardened: hardened !== '' }
}

const HARDENED = 0x8000_0000
const stepText = ({ index, isHardened }: Step): string => `${index}${isHardened ? 'h' : ''}`
const stepNumber = ({ index, isHardened }: Step): number => index + (isHardened ? HARDENED : 0)

type Origin = { readonly fingerprint: Buffer; readonly steps: readonly Step[] }

function readOrigin(text: string | undefined): Origin | undefined {
  if (text === undefined) return undefined
  const [, fingerprint, path = ''] = ORIGIN.exec(text) ?? []
  if (fingerprint === undefined)
    throw new DescriptorError('The origin of a key is not a fingerprint of eight hexadecimal digits with its path.')
  return { fingerprint: Buffer.from(fingerprint, 'hex'), steps: readSteps(path).map(checkStep) }
}

/** Decoded extended keys by their text: the branches of a descriptor have the same. */
export type KnownKeys = Map<string, ExtendedKey | undefined>

export function readKey(network: Network, text: string, form: KeyForm, known: KnownKeys): DescriptorKey {
  const [, origin, key, derivation = ''] = EXPRESSION.exec(text) ?? []
  if (key === undefined) throw new DescriptorError('A key expression is not an origin, a key and a derivation.')
  const from = readOrigin(origin)
  const steps = readSteps(derivation)
  const extended = known.has(key) ? known.get(key) : findExtendedKey(network, key)
  known.set(key, extended)
  if (extended !== undefined) return readExtended(extended, from, steps)
  if (steps.length > 0) throw new DescriptorError('Only an extended key can have a derivation.')
  const bytes = readHex(key, form)
  return {
    at: () => bytes,
    derive: () => [],
    isRanged: false,
    isCompressed: bytes.length === 33,
    pathAt: () => (from === undefined ? undefined : ['m', ...from.steps.map(stepText)].join('/')),
    originAt: () =>
      from === undefined ? undefined : { fingerprint: from.fingerprint, path: from.steps.map(stepNumber) },
  }
}

function readHex(text: string, form: KeyForm): Buffer {
  const isHex = /^[0-9a-fA-F]+$/.test(text)
  const bytes = isHex ? Buffer.from(text, 'hex') : Buffer.alloc(0)
  if (isHex && form === 'x-only' && text.length === 64)
    return compressed(pointOf(Buffer.concat([Buffer.from([2]), bytes])))
  const isCompressed = text.length === 66 && (bytes[0] === 2 || bytes[0] === 3)
  const isUncompressed = text.length === 130 && bytes[0] === 4
  if (!isHex || (!isCompressed && !isUncompressed))
    throw new DescriptorError('A key is neither a public key in hexadecimal nor an extended public key.')
  if (isUncompressed && form !== 'any')
    throw new DescriptorError('An uncompressed key cannot be used in a witness program.')
  pointOf(bytes)
  return bytes
}

function readExtended(root: ExtendedKey, origin: Origin | undefined, steps: readonly string[]): DescriptorKey {
  const end = steps.at(-1)
  const isRanged = end !== undefined && /^\*['h]?$/.test(end)
  const fixed = (isRanged ? steps.slice(0, -1) : steps).map(checkStep)
  if (fixed.some(({ isHardened }) => isHardened) || (isRanged && end !== '*'))
    throw new DescriptorError(
      'A hardened step after an extended public key needs its private key. Export the public key below that step.',
    )
  const prefix = [
    ...(origin === undefined ? [] : ['m', ...origin.steps.map(stepText)]),
    ...fixed.map(({ index }) => String(index)),
  ]
  /** The key after the first of the fixed steps, and the last derived key. */
  let parent = root
  let done = 0
  let last: { readonly index: number; readonly key: Buffer } | undefined
  function* derive(index: number): Generator<void> {
    while (done < fixed.length) {
      yield
      // Another caller may have derived the key meanwhile.
      const step = fixed[done]
      if (step === undefined) break
      parent = childOf(parent, step.index)
      done++
    }
    if (last?.index === index) return
    if (isRanged) yield
    last = { index, key: compressed((isRanged ? childOf(parent, index) : parent).point) }
  }
  const at = (index: number): Buffer => {
    for (const _ of derive(index)) continue
    return last?.key ?? Buffer.alloc(0)
  }
  return {
    at,
    derive,
    isRanged,
    isCompressed: true,
    pathAt: (index) => {
      const path = isRanged ? [...prefix, String(index)] : prefix
      return path.length === 0 ? undefined : path.join('/')
    },
    originAt: (index) => ({
      fingerprint: origin?.fingerprint ?? hash160(compressed(root.point)).subarray(0, 4),
      path: [...(origin?.steps ?? []), ...fixed].map(stepNumber).concat(isRanged ? [index] : []),
    }),
  }
}
