/** The invented people of the demo. Their keys follow from their names: worth nothing, known to everybody. */
import { type Hex, keccak256, stringToHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

export type Person = { readonly address: Hex; readonly sign: (hash: Hex) => Promise<Hex> }

export function person(name: string): Person {
  const account: PrivateKeyAccount = privateKeyToAccount(keccak256(stringToHex(`Gatewatch demo: ${name}`)))
  return { address: account.address.toLowerCase() as Hex, sign: (hash) => account.sign({ hash }) }
}
