/** A pseudorandom generator (xorshift128) with a seed, so that a request at the same tip selects the same coins. */
import type { RandomBelow } from './optimal.ts'

/** `seed`: at least 16 bytes. */
export function seededRandom(seed: Buffer): RandomBelow {
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => seed.readUInt32LE(at)) as [number, number, number, number]
  // From the state of all zeros the generator produces only zeros.
  if ((a | b | c | d) === 0) a = 1
  const next = (): number => {
    let t = d
    const s = a
    d = c
    c = b
    b = s
    t ^= t << 11
    t ^= t >>> 8
    a = (t ^ s ^ (s >>> 19)) >>> 0
    return a / 0x1_0000_0000
  }
  return (bound) => Math.floor(next() * bound)
}
