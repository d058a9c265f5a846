/** Recognizes the libraries and fallback handlers that Safe released, by the hash of their code. */
import type { Hex } from 'viem'
import { keccak256 } from 'viem/utils'
import released from './safe-libraries.json' with { type: 'json' }

const LIBRARIES: Readonly<Record<string, string>> = released.libraries
const HANDLERS: Readonly<Record<string, string>> = released.handlers

/** The name and release of a library that a Safe may delegate to. Undefined for any other code. */
export const safeLibraryOf = (address: Hex, code: Hex): string | undefined => releasedAs(LIBRARIES, address, code)

export const safeHandlerOf = (address: Hex, code: Hex): string | undefined => releasedAs(HANDLERS, address, code)

/** Whether code with this hash is a fallback handler that answers by the owners of a Safe alone, without settings. */
export const isFixedHandler = (codeHash: Hex): boolean => HANDLERS[codeHash]?.startsWith('Extensible') === false

/** Some contain their own address: with zeros in its place, the code is the same at every address. */
function releasedAs(table: Readonly<Record<string, string>>, address: Hex, code: Hex): string | undefined {
  if (code === '0x') return undefined
  const masked = code.replaceAll(address.slice(2), '0'.repeat(40)) as Hex
  return table[keccak256(code)] ?? table[keccak256(masked)]
}
