/** Every chain that is watched: how far it is, and what last went wrong. */

import type { Tone } from '../../../../vocabulary/labels.ts'
import { useAbout, useNoContracts } from '../../api/use-about.ts'
import { type OperatorChain, useOperatorChains } from '../../api/use-operator.ts'
import { Card } from '../../components/card.tsx'
import { Figures } from '../../components/figures.tsx'
import { Notice } from '../../components/notice.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { wholeNumber } from '../../text/numbers.ts'
import styles from '../account/stack.module.css'
import { OperatorFrame } from './operator-frame.tsx'

const STATES: Readonly<Record<OperatorChain['state'], readonly [Tone, string]>> = {
  keeping_up: ['green', 'Keeping up'],
  reading_history: ['green', 'Keeping up, reading history'],
  behind: ['amber', 'Behind'],
  not_watched: ['red', 'Nobody watches it'],
}

export function ChainsPage() {
  return (
    <OperatorFrame title="Chains" lead="What this service watches, as of a few seconds ago.">
      <ChainList />
    </OperatorFrame>
  )
}

function ChainList() {
  const chains = useOperatorChains()
  const about = useAbout().data
  const why = useNoContracts()
  const names = new Map(about?.chains.map(({ slug, name }) => [slug, name]))
  return (
    <QueryView query={chains}>
      {({ chains: watched }) =>
        watched.length === 0 ? (
          <Card>
            <StateMessage title="No chain is switched on">
              {about?.demo === true
                ? why
                : 'Name endpoints in the settings, such as ETHEREUM_RPC_URL, and start the service anew.'}
            </StateMessage>
          </Card>
        ) : (
          <div className={styles.stack}>
            {watched.map((chain) => (
              <ChainCard key={chain.chain} chain={chain} name={names.get(chain.chain) ?? chain.chain} />
            ))}
          </div>
        )
      }
    </QueryView>
  )
}

const figure = (value: number | null): string => (value === null ? '–' : wholeNumber(value))

function ChainCard({ chain, name }: { readonly chain: OperatorChain; readonly name: string }) {
  const [tone, text] = STATES[chain.state]
  return (
    <Card title={name} aside={<TonePill tone={tone}>{text}</TonePill>}>
      {chain.lastError !== null && <Notice>{chain.lastError}</Notice>}
      <Figures
        items={[
          { name: 'Head', value: figure(chain.head) },
          { name: 'Last block read', value: figure(chain.lastBlockRead), note: `${figure(chain.lag)} behind` },
          { name: 'Complete from', value: figure(chain.historyFrom) },
          { name: 'Read twice up to', value: figure(chain.readTwiceTo) },
          { name: 'History jobs', value: figure(chain.historyJobsOpen) },
          {
            name: 'Endpoints',
            value: figure(chain.endpoints),
            note: chain.endpointsAgreeing === null ? undefined : `${figure(chain.endpointsAgreeing)} agree`,
          },
          { name: 'Reorgs', value: figure(chain.reorgs) },
          { name: 'Seen', value: chain.seenAt === null ? 'never' : <RelativeTime at={chain.seenAt} /> },
        ]}
      />
    </Card>
  )
}
