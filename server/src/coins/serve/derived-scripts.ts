/** The scripts of a wallet, derived from its descriptor in turns. */
import { ApiError } from '../../lib/http/api-error.ts'
import { type Descriptor, readDescriptor } from '../descriptors/descriptor.ts'
import { DescriptorError, PrivateKeyError } from '../descriptors/descriptor-error.ts'
import { containsPrivateKey } from '../descriptors/extended-key.ts'
import { scriptMapKey } from '../mempool/mempool-view.ts'
import { scriptKey } from '../parse/script.ts'
import type { ServedChain } from './served-chain.ts'
import type { Turns } from './turns.ts'

export type WalletScript = {
  readonly script: Buffer
  readonly key: Buffer
  readonly mapKey: string
  /** Which element of a multipath descriptor it belongs to. */
  readonly branch: number
  readonly index: number
  readonly path: string | undefined
}

/** Keys of all scripts of one wallet. Each takes a fraction of a millisecond to derive. */
const MAX_KEYS = 20_000
export const MAX_ENTRIES = 200_000
/** Work of deriving a key, in units of a turn. */
const KEY_UNITS = 700

export const tooLarge = (): ApiError =>
  new ApiError({
    status: 400,
    code: 'WALLET_TOO_LARGE',
    message: `This wallet has more than ${MAX_KEYS} keys or ${MAX_ENTRIES} entries of history. Query its addresses instead.`,
  })

/** Reads the descriptor of a wallet; throws INVALID_DESCRIPTOR or PRIVATE_KEY_REFUSED. */
export function readWalletDescriptor(chain: ServedChain, text: string): Descriptor {
  try {
    return readDescriptor(chain.network, text)
  } catch (error) {
    if (!(error instanceof DescriptorError)) throw error
    const code = error instanceof PrivateKeyError ? 'PRIVATE_KEY_REFUSED' : 'INVALID_DESCRIPTOR'
    throw new ApiError({ status: 400, code, message: error.message })
  }
}

/** Throws PRIVATE_KEY_REFUSED if a text contains a private key. */
export function refusePrivateKey(text: string): void {
  if (containsPrivateKey(text))
    throw new ApiError({ status: 400, code: 'PRIVATE_KEY_REFUSED', message: new PrivateKeyError().message })
}

/** The scripts of a descriptor, derived as far as they were needed. */
export class DerivedScripts {
  readonly descriptor: Descriptor
  readonly #branches: WalletScript[][][]
  #keys = 0

  constructor(descriptor: Descriptor) {
    this.descriptor = descriptor
    this.#branches = descriptor.branches.map(() => [])
  }

  get keys(): number {
    return this.#keys
  }

  /** Whether no further scripts can be derived. */
  get isFull(): boolean {
    return this.#keys >= MAX_KEYS
  }

  /** Whether the scripts at an index are derived, or can be. */
  has(branch: number, index: number): boolean {
    return !this.isFull || this.#branches[branch]?.[index] !== undefined
  }

  async at(branch: number, index: number, turns: Turns): Promise<readonly WalletScript[]> {
    const known = this.#branches[branch]?.[index]
    if (known !== undefined) return known
    if (this.isFull) throw tooLarge()
    const from = this.descriptor.branches[branch]
    if (from === undefined) return []
    for (const _ of from.derive(index)) await turns.take(KEY_UNITS)
    // A taproot key is tweaked, which costs as much as a derived one.
    await turns.take(KEY_UNITS)
    const scripts = from.scriptsAt(index).map((script) => {
      const key = scriptKey(script)
      return { script, key, mapKey: scriptMapKey(key), branch, index, path: from.pathAt(index) }
    })
    const list = this.#branches[branch]
    if (list !== undefined) list[index] = scripts
    this.#keys += Math.max(1, from.keys)
    return scripts
  }
}
