/** `gatewatch check --write`: records what was read as what is expected. Comments and rules that hold stay. */
import { type Document, isMap } from 'yaml'
import { readDocument } from '../../lib/yaml-file.ts'
import { findChain } from '../chains/chains.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { compare, holderText } from './compare.ts'
import type { Observed, ObservedController, ObservedPower } from './observe.ts'
import { ADDRESS_FIELDS, type ExpectedContract } from './policy.ts'

/** The first line tells editors which schema the file has. */
const HEADER = '# yaml-language-server: $schema=policy.schema.json\n'

/** The text of a policy with further contracts; `text` is empty for a new file. */
export function withContracts(text: string, added: readonly ContractRef[]): string {
  const { document } = readDocument(text.trim() === '' ? `${HEADER}version: 1\ncontracts: []\n` : text)
  const listed = (document.toJS() as { contracts?: readonly { chain?: string | number; address?: string }[] }).contracts
  for (const { chainId, address } of added) {
    const isListed = listed?.some(
      (one) => findChain(one.chain ?? '')?.id === chainId && one.address?.toLowerCase() === address,
    )
    const chain = findChain(chainId)?.slug ?? chainId
    if (isListed !== true) document.addIn(['contracts'], document.createNode({ chain, address }, { flow: false }))
  }
  const contracts = document.get('contracts', true) as { flow?: boolean } | undefined
  if (contracts !== undefined) contracts.flow = false
  return document.toString({ lineWidth: 0 })
}

/** The text of the policy with what was observed of each contract; `undefined` for one that could not be read. */
export function recorded(
  text: string,
  contracts: readonly {
    readonly expected: ExpectedContract
    readonly observed: Observed | undefined
    readonly chainId: number
  }[],
): string {
  const { document } = readDocument(text)
  for (const [at, { expected, observed, chainId }] of contracts.entries()) {
    if (observed === undefined || observed.isStale || !observed.isContract) continue
    record(document, at, { expected, observed, chainId })
  }
  return document.toString({ lineWidth: 0 })
}

function record(
  document: Document,
  at: number,
  { expected, observed, chainId }: { expected: ExpectedContract; observed: Observed; chainId: number },
): void {
  const kept = new Set(fieldsThatHold(expected, observed, chainId))
  for (const [field, value] of Object.entries(stateOf(observed, chainId))) {
    const path = ['contracts', at, field]
    const isListed = document.hasIn(path)
    if (kept.has(field) || value === undefined || (value === null && !isListed && !OF_SAFES.has(field))) continue
    if (value === null && !NULLABLE.has(field)) document.deleteIn(path)
    else document.setIn(path, document.createNode(value))
  }
  const node = document.getIn(['contracts', at], true)
  if (isMap(node)) node.flow = false
}

/** Top-level fields of which every expectation holds. They stay as they are written. */
function fieldsThatHold(expected: ExpectedContract, observed: Observed, chainId: number): readonly string[] {
  const byField = Map.groupBy(compare(expected, observed, chainId), ({ path: [field] }) => String(field))
  return [...byField].filter(([, checks]) => checks.every(({ status }) => status === 'ok')).map(([field]) => field)
}

const NULLABLE: ReadonlySet<string> = new Set(ADDRESS_FIELDS)

/** Read of Safes alone, so that "none" is recorded for them and not for every contract. */
const OF_SAFES: ReadonlySet<string> = new Set(['guard', 'fallbackHandler'])

const listOf = (text: string | null | undefined): readonly string[] | null | undefined =>
  typeof text === 'string' ? text.split(',').filter((item) => item !== '') : text

/** Delay and holders only where all holders are known and can be listed. */
const powerOf = ({ label, delay, holders, isComplete, isOpen }: ObservedPower, home: number) => ({
  label,
  ...(isComplete && { delay }),
  ...(isComplete && !isOpen && { holders: holders.map((each) => holderText(each, home)).sort() }),
})

/** What is read of a contract in the form of a policy. Null: there is none. Undefined: it is not known. */
function stateOf(observed: Observed, chainId: number): Readonly<Record<string, unknown>> {
  const { label, kind, fields, threshold, signers, delay, controllers, powers } = observed
  return {
    label,
    kind,
    codeHash: fields.codeHash,
    implementation: fields.implementation,
    secondaryImplementation: fields.secondaryImplementation,
    admin: fields.admin,
    owner: fields.owner,
    beacon: fields.beacon,
    facets: listOf(fields.facets),
    singleton: fields.singleton,
    modules: listOf(fields.modules),
    guard: fields.guard,
    fallbackHandler: fields.fallbackHandler,
    threshold,
    signers,
    delay: delay?.isComplete === false ? undefined : (delay?.delay ?? null),
    controllers: observed.hasAllControllers ? controllers.map((one) => controllerOf(one, chainId)) : undefined,
    powers:
      powers === null
        ? undefined
        : Object.fromEntries([...powers].map(([effect, power]) => [effect, powerOf(power, chainId)])),
  }
}

const controllerOf = ({ chainId, address, kind, threshold, signers, delay }: ObservedController, home: number) => ({
  address,
  ...(chainId !== home && { chain: findChain(chainId)?.slug ?? chainId }),
  kind,
  ...(threshold !== null && { threshold }),
  ...(signers !== null && { signers }),
  delay,
})
