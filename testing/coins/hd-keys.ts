/** Extended keys of test networks (BIP 32) with their private keys, for wallets that a test signs for. */
import { createHmac } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base58 } from '@scure/base'
import { hash160, sha256d } from '../../server/src/coins/parse/sha256.ts'

const { Point } = secp256k1

export type HdKey = {
  readonly tprv: string
  readonly tpub: string
  /** In hexadecimal. */
  readonly fingerprint: string
  /** The private key after steps that are not hardened. */
  readonly secretAt: (...steps: readonly number[]) => Buffer
}

const hmac = (key: Buffer | string, data: Buffer): Buffer => createHmac('sha512', key).update(data).digest()
const publicKey = (secret: Buffer): Buffer => Buffer.from(secp256k1.getPublicKey(secret, true))

/** The master key of a seed. */
export function hdKey(seed: string): HdKey {
  const digest = hmac('Bitcoin seed', Buffer.from(seed))
  const [secret, chainCode] = [digest.subarray(0, 32), digest.subarray(32)]
  const encode = (version: string, key: Buffer): string => {
    const body = Buffer.concat([Buffer.from(`${version}000000000000000000`, 'hex'), chainCode, key])
    return base58.encode(Uint8Array.from(Buffer.concat([body, sha256d(body).subarray(0, 4)])))
  }
  return {
    tprv: encode('04358394', Buffer.concat([Buffer.from([0]), secret])),
    tpub: encode('043587cf', publicKey(secret)),
    fingerprint: hash160(publicKey(secret)).toString('hex', 0, 4),
    secretAt: (...steps) => {
      let [key, code] = [secret, chainCode]
      for (const step of steps) {
        const index = Buffer.alloc(4)
        index.writeUInt32BE(step)
        const derived = hmac(code, Buffer.concat([publicKey(key), index]))
        const sum =
          (BigInt(`0x${derived.toString('hex', 0, 32)}`) + BigInt(`0x${key.toString('hex')}`)) % Point.Fn.ORDER
        key = Buffer.from(sum.toString(16).padStart(64, '0'), 'hex')
        code = derived.subarray(32)
      }
      return key
    },
  }
}
