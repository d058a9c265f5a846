import { useMutation } from '@tanstack/react-query'
import { findWallet, signInWithWallet } from '../../api/ethereum-sign-in.ts'
import { Button } from '../../components/button.tsx'
import { FormFault } from '../../components/form-fault.tsx'

/** For browsers with a wallet; there is nothing to press where there is none. */
export function WalletButton({ onEntered }: { readonly onEntered: () => Promise<void> }) {
  const wallet = findWallet()
  const signIn = useMutation({
    mutationFn: async () => (wallet === undefined ? undefined : signInWithWallet(wallet)),
    onSuccess: onEntered,
  })
  if (wallet === undefined) return null
  return (
    <>
      <FormFault error={signIn.error} />
      <Button onClick={() => signIn.mutate()} disabled={signIn.isPending}>
        {signIn.isPending ? 'Waiting for the wallet …' : 'Sign in with Ethereum'}
      </Button>
    </>
  )
}
