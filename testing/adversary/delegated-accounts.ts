/** Accounts with a key that run the code of a contract (EIP-7702). */
import { type Hex, numberToHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Anvil } from '../evm/anvil.ts'

/** Makes an account run the code of a contract; the relayer pays for the transaction. */
export async function delegateAccount(
  { rpc, chainId }: Anvil,
  account: PrivateKeyAccount,
  relayer: PrivateKeyAccount,
  contract: Hex,
): Promise<void> {
  const nonceOf = async (address: Hex): Promise<number> =>
    Number(await rpc<Hex>('eth_getTransactionCount', address, 'latest'))
  await rpc('anvil_setBalance', relayer.address, numberToHex(10n ** 19n))
  const nonce = await nonceOf(account.address)
  const authorization = await account.signAuthorization({ contractAddress: contract, chainId, nonce })
  const transaction = await relayer.signTransaction({
    type: 'eip7702',
    chainId,
    nonce: await nonceOf(relayer.address),
    gas: 1_000_000n,
    maxFeePerGas: 1_000_000_000n,
    maxPriorityFeePerGas: 0n,
    to: relayer.address,
    authorizationList: [authorization],
  })
  const hash = await rpc<Hex>('eth_sendRawTransaction', transaction)
  while ((await rpc('eth_getTransactionReceipt', hash)) === null) await new Promise((resolve) => setTimeout(resolve, 5))
}
