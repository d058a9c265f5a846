/** Sign-In with Ethereum, with the wallet that the browser provides. */
import { authPost } from './auth-requests.ts'

type Wallet = { readonly request: (call: { method: string; params?: readonly unknown[] }) => Promise<unknown> }

export const findWallet = (): Wallet | undefined => (window as { readonly ethereum?: Wallet }).ethereum

/** The message always names the same chain, so that a wallet is one account on every network it selects. */
const CHAIN_ID = 1

export async function signInWithWallet(wallet: Wallet): Promise<void> {
  const [address] = (await wallet.request({ method: 'eth_requestAccounts' })) as readonly string[]
  if (address === undefined) throw new Error('The wallet did not provide an account.')
  const { nonce } = (await authPost('/siwe/nonce')) as { readonly nonce: string }
  const { host, origin } = window.location
  const message = [
    `${host} wants you to sign in with your Ethereum account:`,
    address,
    '',
    'Sign in to Gatewatch',
    '',
    `URI: ${origin}`,
    'Version: 1',
    `Chain ID: ${CHAIN_ID}`,
    `Nonce: ${nonce}`,
    `Issued At: ${new Date().toISOString()}`,
  ].join('\n')
  const signature = await wallet.request({ method: 'personal_sign', params: [hexOf(message), address] })
  await authPost('/siwe/verify', { message, signature })
}

const hexOf = (text: string): string =>
  `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
