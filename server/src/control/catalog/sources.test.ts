/** Compares the catalog with the interfaces that npm packages publish. */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Abi, type AbiEvent, toEventSelector, toEventSignature } from 'viem'
import { catalogRows } from './events/rows.ts'
import { parseEvent } from './layout.ts'

const PACKAGES = [
  ['@openzeppelin/contracts', 'build/contracts/*.json'],
  ['@openzeppelin/contracts-upgradeable', 'build/contracts/*.json'],
  ['openzeppelin-contracts-4', 'build/contracts/*.json'],
  ['@safe-global/safe-smart-account', 'build/artifacts/contracts/**/*.json'],
  ['@safe-global/safe-contracts', 'build/artifacts/contracts/**/*.json'],
  ['@gnosis.pm/safe-contracts', 'build/artifacts/contracts/**/*.json'],
] as const

/** Events of these packages that change no control: transfers, votes, messages, receipts of calls. */
const LEFT_OUT = new Set(
  `AddedInterface AffirmationCompleted Approval ApprovalForAll AuthorizationCanceled AuthorizationUsed
  AuthorizedOperator BatchMetadataUpdate BreadReceived BridgeCallTriggered Burned ConsecutiveTransfer
  ContractCreation ContractURIUpdated CrosschainBurn CrosschainFungibleTransferReceived
  CrosschainFungibleTransferSent CrosschainMint CrosschainMultiTokenTransferReceived
  CrosschainMultiTokenTransferSent CrosschainNonFungibleTransferReceived CrosschainNonFungibleTransferSent
  DelegateChanged DelegateVotesChanged Deposit Deposited EIP712DomainChanged ERC20PaymentReleased ERC20Released
  ERC6909DecimalsUpdated ERC6909NameUpdated ERC6909SymbolUpdated ERC7579TryExecuteFail EtherReleased
  ExecutedForwardRequest FailedRelayedMessage GasUsage InboxMessageDelivered InboxMessageDeliveredFromOrigin
  InterfaceImplementerSet L2ToL1Transaction L2ToL1Tx ManagerChanged MessageDelivered MessageSent MetadataUpdate
  Minted ModuleTransactionDetails OperatorSet OutBoxTransactionExecuted OverrideVoteCast PayeeAdded PaymentReceived
  PaymentReleased RefundsClosed RefundsEnabled RelayedMessage RemovedInterface RevokedOperator SafeReceived
  SendMerkleUpdate SendRootUpdated Sent SentMessage SignMsg Snapshot Transfer TransactionDetails TransferBatch
  TransferSingle URI UserOperationGuaranteed UserOperationSponsored UserRequestForAffirmation
  UserRequestForSignature VoteCast VoteCastWithParams VoteReduced Withdraw Withdrawn`.split(/\s+/),
)

/** The same log, named differently in another version. */
const RENAMED = new Set(['ProposalQueued(proposalId,etaSeconds)', 'ChangedMasterCopy(singleton)'])

type Published = { readonly event: AbiEvent; readonly where: string }

const published: readonly Published[] = PACKAGES.flatMap(([name, pattern]) => {
  const folder = dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)))
  const files = globSync(`${folder}/${pattern}`).filter((file) => !file.endsWith('.dbg.json'))
  assert.ok(files.length > 40, `${name}: ${files.length} artifacts`)
  return files.flatMap((file) => {
    const { abi = [] } = JSON.parse(readFileSync(file, 'utf8')) as { abi?: Abi }
    const where = `${name}${file.slice(folder.length)}`
    return abi.filter((item) => item.type === 'event').map((event) => ({ event, where }))
  })
})

const layoutOf = ({ inputs }: AbiEvent): string => inputs.map((input) => (input.indexed === true ? 'i' : '-')).join('')
const namesOf = ({ inputs }: AbiEvent): string => inputs.map((input) => input.name ?? '').join()

test('every event of these packages is in the catalog with its indexing and names, or excluded by name', () => {
  const rows = catalogRows.filter((row) => row.note !== true).map(parseEvent)
  const bySelector = Map.groupBy(rows, toEventSelector)
  let checked = 0
  for (const { event, where } of published) {
    const known = bySelector.get(toEventSelector(event)) ?? []
    if (LEFT_OUT.has(event.name)) {
      assert.equal(known.length, 0, `${event.name} is in the catalog and excluded`)
      continue
    }
    const fitting = known.filter((row) => layoutOf(row) === layoutOf(event))
    assert.ok(fitting.length > 0, `${toEventSignature(event)} [${layoutOf(event)}] of ${where} is not in the catalog`)
    const isNamed = fitting.some((row) => namesOf(row) === namesOf(event))
    const declared = `${event.name}(${namesOf(event)})`
    assert.ok(isNamed || RENAMED.has(declared), `${declared} of ${where} has other names in the catalog`)
    checked += 1
  }
  assert.ok(checked > 700, `${checked} declarations`)
})

test('a row with one of these packages as its source is in the package', () => {
  const selectors = new Set(published.map(({ event }) => toEventSelector(event) + layoutOf(event)))
  const sources = /^(@openzeppelin\/contracts (5\.7\.0|4\.9\.6)|@safe-global\/|@gnosis\.pm\/safe-contracts 1\.3\.0)/
  for (const row of catalogRows.filter((candidate) => sources.test(candidate.source))) {
    const event = parseEvent(row)
    assert.ok(selectors.has(toEventSelector(event) + layoutOf(event)), `${row.key} ${row.event} from ${row.source}`)
  }
})
