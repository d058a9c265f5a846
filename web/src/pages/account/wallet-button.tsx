import { useMutation } from '@tanstack/react-query'
import { findWallet, signInWithWallet } from '../../api/ethereum-sign-in.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'

/** Signs in with the wallet of the browser. Shows nothing if there is none. */
export function WalletButton({ onSignedIn }: { readonly onSignedIn: () => Promise<void> }) {
  const wallet = findWallet()
  const signIn = useMutation({
    mutationFn: async () => (wallet === undefined ? undefined : signInWithWallet(wallet)),
    onSuccess: onSignedIn,
  })
  if (wallet === undefined) return null
  return (
    <>
      <FormError error={signIn.error} />
      <Button onClick={() => signIn.mutate()} disabled={signIn.isPending}>
        {signIn.isPending ? 'Waiting for the wallet…' : 'Sign in with Ethereum'}
      </Button>
    </>
  )
}
