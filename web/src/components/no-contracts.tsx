import { Link } from 'wouter'
import { buttonClass } from './button.tsx'
import { StateMessage } from './state-message.tsx'

/** Shown instead of contracts if the service watches none. */
export function NoContracts({ reason }: { readonly reason: string }) {
  return (
    <StateMessage
      title="No contracts are watched"
      action={
        <Link href="/coins" className={buttonClass()}>
          Go to coins
        </Link>
      }
    >
      {reason}
    </StateMessage>
  )
}
