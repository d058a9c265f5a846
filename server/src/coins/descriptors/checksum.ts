/** The checksum of a descriptor (BIP 380): eight characters after `#`, optional here. */
import { DescriptorError } from './descriptor-error.ts'

const INPUT = '0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#"\\ '
const OUTPUT = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const GENERATOR = [0xf5_dee5_1989n, 0xa9_fdca_3312n, 0x1b_ab10_e32dn, 0x37_06b1_677an, 0x64_4d62_6ffdn]

function step(checksum: bigint, symbol: number): bigint {
  const top = checksum >> 35n
  let next = ((checksum & 0x7_ffff_ffffn) << 5n) ^ BigInt(symbol)
  for (const [i, generator] of GENERATOR.entries()) if (((top >> BigInt(i)) & 1n) === 1n) next ^= generator
  return next
}

export function checksumOf(body: string): string {
  let checksum = 1n
  let groups: number[] = []
  for (const character of body) {
    const at = INPUT.indexOf(character)
    if (at < 0) throw new DescriptorError('The descriptor contains a character that no descriptor can contain.')
    checksum = step(checksum, at & 31)
    groups.push(at >> 5)
    if (groups.length < 3) continue
    checksum = step(
      checksum,
      groups.reduce((sum, group) => sum * 3 + group, 0),
    )
    groups = []
  }
  if (groups.length > 0)
    checksum = step(
      checksum,
      groups.reduce((sum, group) => sum * 3 + group, 0),
    )
  for (let i = 0; i < 8; i++) checksum = step(checksum, 0)
  checksum ^= 1n
  return Array.from({ length: 8 }, (_, i) => OUTPUT[Number((checksum >> BigInt(5 * (7 - i))) & 31n)]).join('')
}

/** Returns the descriptor without its checksum. Throws if the checksum is wrong. */
export function withoutChecksum(text: string): string {
  const [body = '', ...rest] = text.split('#')
  const expected = checksumOf(body)
  if (rest.length === 0) return body
  if (rest.length > 1 || rest[0]?.length !== 8)
    throw new DescriptorError('The checksum of a descriptor has eight characters after one "#".')
  if (rest[0] !== expected)
    throw new DescriptorError('The checksum of the descriptor is wrong: it was mistyped or cut.')
  return body
}
