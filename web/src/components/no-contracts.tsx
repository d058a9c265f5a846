import { Link } from 'wouter'
import { buttonClass } from './button.tsx'
import { StateMessage } from './state-message.tsx'

/** Instead of contracts, where there are none to come. */
export function NoContracts({ why }: { readonly why: string }) {
  return (
    <StateMessage
      title="No chain is watched"
      action={
        <Link href="/coins" className={buttonClass()}>
          Look at the coins
        </Link>
      }
    >
      {why}
    </StateMessage>
  )
}
