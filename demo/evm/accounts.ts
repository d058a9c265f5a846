/** The invented accounts of the demo. Their keys are derived from their names and are not secret. */
import { type Hex, keccak256, stringToHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

export type DemoAccount = { readonly address: Hex; readonly sign: (hash: Hex) => Promise<Hex> }

export function demoAccount(name: string): DemoAccount {
  const account: PrivateKeyAccount = privateKeyToAccount(keccak256(stringToHex(`Gatewatch demo: ${name}`)))
  return { address: account.address.toLowerCase() as Hex, sign: (hash) => account.sign({ hash }) }
}
