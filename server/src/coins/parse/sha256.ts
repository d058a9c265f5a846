/**
 * SHA-256 over a range of a buffer, into a range of another.
 *
 * Indexing hashes each transaction twice and each script once, most of them under 300 bytes, where a native call
 * costs more in crossing the border and allocating its result than in hashing. Long inputs go to the native one.
 */
import { createHash } from 'node:crypto'

/** From here on the native implementation wins (measured: 1.1 KB, see bench/parse.ts). */
const NATIVE_FROM = 1_100

const K = new Int32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
])

// One message schedule, state and last block for the whole thread: hashing never yields.
const W = new Int32Array(64)
const H = new Int32Array(8)
const last = Buffer.alloc(128)

function reset(): void {
  H[0] = 0x6a09e667
  H[1] = 0xbb67ae85
  H[2] = 0x3c6ef372
  H[3] = 0xa54ff53a
  H[4] = 0x510e527f
  H[5] = 0x9b05688c
  H[6] = 0x1f83d9ab
  H[7] = 0x5be0cd19
}

/** Mixes the 16 words in W into H. The indexes are fixed, so the casts hide no hole. */
function compress(): void {
  for (let t = 16; t < 64; t++) {
    const x = W[t - 15] as number
    const y = W[t - 2] as number
    W[t] =
      ((W[t - 16] as number) +
        (W[t - 7] as number) +
        (((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)) +
        (((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10))) |
      0
  }
  let a = H[0] as number
  let b = H[1] as number
  let c = H[2] as number
  let d = H[3] as number
  let e = H[4] as number
  let f = H[5] as number
  let g = H[6] as number
  let h = H[7] as number
  for (let t = 0; t < 64; t++) {
    const t1 =
      (h +
        (((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))) +
        (g ^ (e & (f ^ g))) +
        (K[t] as number) +
        (W[t] as number)) |
      0
    const t2 =
      ((((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))) + ((a & b) | (c & (a | b)))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  H[0] = ((H[0] as number) + a) | 0
  H[1] = ((H[1] as number) + b) | 0
  H[2] = ((H[2] as number) + c) | 0
  H[3] = ((H[3] as number) + d) | 0
  H[4] = ((H[4] as number) + e) | 0
  H[5] = ((H[5] as number) + f) | 0
  H[6] = ((H[6] as number) + g) | 0
  H[7] = ((H[7] as number) + h) | 0
}

function load(bytes: Uint8Array, at: number): void {
  for (let word = 0, i = at; word < 16; word++, i += 4) {
    W[word] =
      ((bytes[i] as number) << 24) |
      ((bytes[i + 1] as number) << 16) |
      ((bytes[i + 2] as number) << 8) |
      (bytes[i + 3] as number)
  }
}

function digest(bytes: Uint8Array, start: number, end: number): void {
  reset()
  let at = start
  for (; at + 64 <= end; at += 64) {
    load(bytes, at)
    compress()
  }
  const rest = end - at
  const padded = rest < 56 ? 64 : 128
  for (let i = 0; i < rest; i++) last[i] = bytes[at + i] as number
  last[rest] = 0x80
  last.fill(0, rest + 1, padded)
  const length = end - start
  last.writeUInt32BE(Math.floor(length / 0x2000_0000), padded - 8)
  last.writeUInt32BE((length << 3) >>> 0, padded - 4)
  load(last, 0)
  compress()
  if (padded === 128) {
    load(last, 64)
    compress()
  }
}

function store(out: Uint8Array, at: number): void {
  for (let word = 0, i = at; word < 8; word++, i += 4) {
    const value = H[word] as number
    out[i] = value >>> 24
    out[i + 1] = value >>> 16
    out[i + 2] = value >>> 8
    out[i + 3] = value
  }
}

/** SHA-256 of the 32 bytes in H, without a detour through memory. */
function again(): void {
  W.set(H)
  W[8] = 0x80000000
  W.fill(0, 9, 15)
  W[15] = 256
  reset()
  compress()
}

export function sha256Into(bytes: Buffer, start: number, end: number, out: Uint8Array, at: number): void {
  if (end - start >= NATIVE_FROM) {
    out.set(createHash('sha256').update(bytes.subarray(start, end)).digest(), at)
    return
  }
  digest(bytes, start, end)
  store(out, at)
}

export function sha256dInto(bytes: Buffer, start: number, end: number, out: Uint8Array, at: number): void {
  if (end - start >= NATIVE_FROM) {
    digest(createHash('sha256').update(bytes.subarray(start, end)).digest(), 0, 32)
  } else {
    digest(bytes, start, end)
    again()
  }
  store(out, at)
}

export function sha256(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(32)
  sha256Into(bytes, 0, bytes.length, out, 0)
  return out
}

export function sha256d(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(32)
  sha256dInto(bytes, 0, bytes.length, out, 0)
  return out
}
