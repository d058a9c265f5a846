/** The page of an address: balance, UTXOs, analysis and history. */

import { Link, useParams } from 'wouter'
import {
  type AddressSummary,
  type UtxoGroup,
  useAddress,
  useAddressUtxos,
  useAnalysis,
  useUtxoGroups,
} from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Stack } from '../../components/columns.tsx'
import { Figures } from '../../components/figures.tsx'
import { Hash } from '../../components/hash.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QrCode } from '../../components/qr-code.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { CoinWatchLink } from '../../components/watch-link.tsx'
import { wholeNumber } from '../../text/amounts.ts'
import { COIN_TEXTS, type CoinChain, scriptTypeName } from '../../text/names.ts'
import { AddressHistory } from './address-history.tsx'
import { coinPageError } from './coin-error.tsx'
import { CoinPage } from './coin-page.tsx'
import { ConsolidationAdvice } from './consolidation-advice.tsx'
import { DustReport } from './dust-report.tsx'
import { HealthReport } from './health-report.tsx'
import layout from './layout.module.css'
import { PrivacyReport } from './privacy-report.tsx'
import { UtxoChart } from './utxo-chart.tsx'

export function AddressPage() {
  const { address = '' } = useParams<{ readonly address?: string }>()
  return <CoinPage>{(chain) => <AddressView key={`${chain} ${address}`} chain={chain} address={address} />}</CoinPage>
}

function AddressView({ chain, address }: { readonly chain: CoinChain; readonly address: string }) {
  const summary = useAddress(chain, address)
  return (
    <>
      <PageHeader
        title="Address"
        lead={<Hash text={address} what="address" full />}
        aside={
          !summary.isError && (
            <div className={layout.actions}>
              <QrCode text={`${COIN_TEXTS[chain].name.toLowerCase()}:${address}`} what="address" />
              <CoinWatchLink chain={chain} address={summary.data?.address ?? address} />
              <Link href={`/coins/${chain}/simulate?from=${address}`} className={buttonClass()}>
                Simulate a payment
              </Link>
            </div>
          )
        }
      />
      <QueryView query={summary} errorView={coinPageError(chain)}>
        {(found) =>
          found.txCount + found.unconfirmedTxCount === 0 ? (
            <Card>
              <StateMessage title="Never used" icon="search">
                No transaction pays to this address or spends from it, so there is nothing to judge.
              </StateMessage>
            </Card>
          ) : (
            <AddressReport chain={chain} address={address} summary={found} />
          )
        }
      </QueryView>
    </>
  )
}

function countText({ groups, limited }: { readonly groups: readonly UtxoGroup[]; readonly limited: boolean }): string {
  const count = groups.reduce((sum, group) => sum + group.count, 0)
  return limited ? `over ${wholeNumber(count)}` : wholeNumber(count)
}

type ReportProps = { readonly chain: CoinChain; readonly address: string; readonly summary: AddressSummary }

function AddressReport({ chain, address, summary }: ReportProps) {
  const { balance, unconfirmedBalance, totalReceived, totalSent, txCount, unconfirmedTxCount } = summary
  // All parts of the page are fetched again when the address changes, so that their numbers agree.
  const version = [balance, unconfirmedBalance, txCount, unconfirmedTxCount].join()
  const utxos = useAddressUtxos(chain, address, version)
  const groups = useUtxoGroups(chain, address, utxos.data?.limited === true, version)
  const analysis = useAnalysis(chain, address, version)
  const count = utxos.data?.limited === true ? groups.data && countText(groups.data) : utxos.data?.utxos.length
  return (
    <Stack>
      <Card>
        <Figures
          variant="lead"
          items={[
            {
              name: 'Balance',
              value: <Amount satoshi={balance} chain={chain} />,
              note: unconfirmedTxCount > 0 && (
                <>
                  <Amount satoshi={unconfirmedBalance} chain={chain} signed /> unconfirmed
                </>
              ),
            },
            { name: 'Received', value: <Amount satoshi={totalReceived} chain={chain} /> },
            { name: 'Sent', value: <Amount satoshi={totalSent} chain={chain} /> },
            {
              name: 'Transactions',
              value: wholeNumber(txCount + unconfirmedTxCount),
              note: unconfirmedTxCount > 0 && `${wholeNumber(unconfirmedTxCount)} unconfirmed`,
            },
            {
              name: 'UTXOs',
              value: count ?? '–',
              note: unconfirmedTxCount > 0 && 'with unconfirmed ones',
            },
            {
              name: 'Script type',
              value: analysis.data === undefined ? '–' : scriptTypeName(analysis.data.scriptType),
            },
          ]}
        />
      </Card>
      <div className={layout.wide}>
        <Card title="UTXOs by value and age">
          {/* The chart has far more than the list. */}
          <QueryView query={utxos} loading={<SkeletonRows count={12} />} isReady={!groups.isLoading}>
            {(data) => <UtxoChart chain={chain} data={data} groups={groups.data?.groups} />}
          </QueryView>
        </Card>
        <Card title="Health">
          <QueryView query={analysis}>{({ health }) => <HealthReport health={health} />}</QueryView>
        </Card>
      </div>
      <div className={layout.halves}>
        <div className={layout.top}>
          <Card title="Consolidation">
            <QueryView query={analysis}>
              {({ consolidation }) => <ConsolidationAdvice chain={chain} advice={consolidation} />}
            </QueryView>
          </Card>
          <Card title="Dust">
            <QueryView query={analysis} loading={<SkeletonRows count={2} />}>
              {({ dust }) => <DustReport chain={chain} dust={dust} />}
            </QueryView>
          </Card>
        </div>
        <Card title="Privacy">
          <QueryView query={analysis}>
            {({ privacy, coverage }) => <PrivacyReport chain={chain} privacy={privacy} coverage={coverage} />}
          </QueryView>
        </Card>
      </div>
      <AddressHistory chain={chain} address={address} version={version} />
    </Stack>
  )
}
