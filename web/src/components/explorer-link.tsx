import type { ControlEvent } from '../api/service.ts'
import { useAbout } from '../api/use-about.ts'
import { Icon } from './icon.tsx'

/** The transaction of an event in the explorer of its chain. A change that a poll found has no transaction. */
export function ExplorerLink({ event }: { readonly event: ControlEvent }) {
  const explorer = useAbout().data?.chains.find(({ slug }) => slug === event.chainSlug)?.explorer
  if (explorer === undefined || explorer === '' || event.eventKey.startsWith('slot.'))
    return 'Found by a poll of the state'
  return (
    <a href={`${explorer}/tx/${event.txHash}`} rel="noreferrer" target="_blank">
      View <Icon name="external" size={12} />
    </a>
  )
}
