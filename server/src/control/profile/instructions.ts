/** Decodes bytecode into instructions, pushed bytes and jump destinations. */

/** Linear sweep, as the EVM does it: a JUMPDEST inside push data is not a destination. */
export function jumpDestinations(code: Uint8Array): ReadonlySet<number> {
  const destinations = new Set<number>()
  for (const { op, at } of instructions(code)) if (op === 0x5b) destinations.add(at)
  return destinations
}

type Instruction = { readonly op: number; readonly at: number; readonly pushed: Uint8Array }

export function* instructions(code: Uint8Array): Generator<Instruction> {
  for (let at = 0; at < code.length; at += 1) {
    const op = code[at] as number
    const size = op >= 0x60 && op <= 0x7f ? op - 0x5f : 0
    yield { op, at, pushed: code.subarray(at + 1, at + 1 + size) }
    at += size
  }
}

export function bigEndian(bytes: Uint8Array): bigint {
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  return value
}
