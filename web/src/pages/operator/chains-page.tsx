/** The state of each watched chain, and its last error. */

import { useAbout, useNoContractsReason } from '../../api/use-about.ts'
import { type OperatorChain, useOperatorChains } from '../../api/use-operator.ts'
import { Card } from '../../components/card.tsx'
import { ChainState } from '../../components/chain-state.tsx'
import { Stack } from '../../components/columns.tsx'
import { Figures } from '../../components/figures.tsx'
import { Notice } from '../../components/notice.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { plural, wholeNumber } from '../../text/amounts.ts'
import { OperatorFrame } from './operator-frame.tsx'

export function ChainsPage() {
  return (
    <OperatorFrame title="Chains" lead="The chains that this service watches.">
      <ChainList />
    </OperatorFrame>
  )
}

function ChainList() {
  const chains = useOperatorChains()
  const about = useAbout().data
  const reason = useNoContractsReason()
  const names = new Map(about?.chains.map(({ slug, name }) => [slug, name]))
  return (
    <QueryView query={chains}>
      {({ chains: watched }) =>
        watched.length === 0 ? (
          <Card>
            <StateMessage title="No chain is enabled">
              {about?.demo === true ? reason : 'Configure the RPC endpoints of a chain and restart the service.'}
            </StateMessage>
          </Card>
        ) : (
          <Stack>
            {watched.map((chain) => (
              <ChainCard key={chain.chain} chain={chain} name={names.get(chain.chain) ?? chain.chain} />
            ))}
          </Stack>
        )
      }
    </QueryView>
  )
}

const figure = (value: number | null): string => (value === null ? '–' : wholeNumber(value))

function ChainCard({ chain, name }: { readonly chain: OperatorChain; readonly name: string }) {
  return (
    <Card title={name} aside={<ChainState state={chain.state} />}>
      {chain.lastError !== null && <Notice>{chain.lastError}</Notice>}
      <Figures
        items={[
          { name: 'Head', value: figure(chain.head) },
          {
            name: 'Last block read',
            value: figure(chain.lastBlockRead),
            note: chain.lag === null ? undefined : `${plural(chain.lag, 'block')} behind, confirmations not counted`,
          },
          { name: 'History from block', value: figure(chain.historyFrom) },
          { name: 'Verified to block', value: figure(chain.verifiedTo) },
          { name: 'Open backfill jobs', value: figure(chain.openJobs) },
          {
            name: 'Endpoints',
            value: figure(chain.endpoints),
            note: chain.endpointsAgreeing === null ? undefined : `${figure(chain.endpointsAgreeing)} in agreement`,
          },
          { name: 'Reorgs', value: figure(chain.reorgs) },
          { name: 'Head last seen', value: chain.headAt === null ? 'Never' : <RelativeTime at={chain.headAt} /> },
        ]}
      />
    </Card>
  )
}
