/**
 * Measures decoded events a second: the catalog's decoders and viem's `decodeEventLog` on the same logs in one run.
 *
 *     npm run bench -- decode [logs]
 *
 * The logs are a weighted mix of common ones: ownership, roles, upgrades, Safe and timelock events.
 */

import { type AbiEvent, decodeEventLog, type Hex } from 'viem'
import { buildCatalog } from '../server/src/control/catalog/catalog.ts'
import { catalogRows } from '../server/src/control/catalog/events/rows.ts'
import { type Log, parseEvent } from '../server/src/control/catalog/layout.ts'
import { sampleLog } from '../testing/evm/sample-log.ts'
import { report, reportVersions } from '../testing/report/result.ts'
import { packageVersions } from '../testing/report/versions.ts'
import { seededRandom } from '../testing/support/random.ts'

/** Declaration to its share of the mix. */
const MIX: Readonly<Record<string, number>> = {
  'OwnershipTransferred(address indexed previousOwner, address indexed newOwner)': 30,
  'RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)': 25,
  'Upgraded(address indexed implementation)': 15,
  'Initialized(uint64 version)': 10,
  'AdminChanged(address previousAdmin, address newAdmin)': 5,
  'ChangedThreshold(uint256 threshold)': 5,
  'Paused(address account)': 5,
  'CallScheduled(bytes32 indexed id, uint256 indexed index, address target, uint256 value, bytes data, bytes32 predecessor, uint256 delay)': 5,
}

const count = Number(process.argv[2] ?? 120_000)
const random = seededRandom(1)
const catalog = buildCatalog(catalogRows)
const choices = catalogRows
  .filter((row) => row.kinds === undefined)
  .flatMap((row) => Array.from({ length: MIX[row.event] ?? 0 }, () => row))
const abi: readonly AbiEvent[] = [...new Set(choices)].map(parseEvent)
const samples = choices.flatMap((row) => Array.from({ length: 20 }, () => sampleLog(row, random).log))
const logs: readonly Log[] = Array.from({ length: count }, (_, index) => samples[index % samples.length] as Log)

function measure(name: string, decode: (log: Log) => unknown): number {
  for (const log of samples) decode(log)
  const start = performance.now()
  let decoded = 0
  for (const log of logs) if (decode(log) !== undefined) decoded += 1
  const seconds = (performance.now() - start) / 1_000
  if (decoded !== logs.length) throw new Error(`${name} decoded ${decoded} of ${logs.length}`)
  const rate = Math.round(logs.length / seconds)
  console.log(`${name.padEnd(24)} ${seconds.toFixed(3)} s  ${rate.toLocaleString('en')} events/s`)
  return rate
}

reportVersions(packageVersions(['viem']))
console.log(`${count.toLocaleString('en')} logs, Node ${process.version}`)
const ours = measure('catalog', (log) => catalog.decode(log))
const theirs = measure('viem decodeEventLog', ({ topics, data }) =>
  decodeEventLog({ abi, topics: topics as [Hex, ...Hex[]], data }),
)
report({
  name: 'events decoded a second',
  value: ours / theirs,
  unit: 'times viem',
  atLeast: 1,
  peer: `viem decodeEventLog, ${theirs} events/s`,
})
console.log(`${(ours / theirs).toFixed(1)} times as fast`)
