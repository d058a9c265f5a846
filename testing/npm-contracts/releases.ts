/**
 * Writes the table of published releases by their code, `server/src/control/profile/releases.json`.
 *
 *     node testing/npm-contracts/releases.ts [--pin]
 *
 * The code is taken from artifacts that packages contain, or compiled as `packages.json` states. Immutables and metadata
 * are left out, so that an instance on a chain has the same hash.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Masked, maskedCode } from '../../server/src/control/profile/masked-code.ts'
import { compiled, settingsOf } from './compile.ts'
import { download, folderOf, packagesOf, SOURCES } from './packages.ts'

type Artifacts = { readonly package: string; readonly folder: string; readonly contracts: readonly string[] }

const OPEN_ZEPPELIN = [
  'TimelockController',
  'AccessManager',
  'ProxyAdmin',
  'UpgradeableBeacon',
  'BeaconProxy',
  'ERC1967Proxy',
  'TransparentUpgradeableProxy',
]
const SAFE = [
  'Safe',
  'SafeL2',
  'SafeProxy',
  'GnosisSafe',
  'GnosisSafeL2',
  'GnosisSafeProxy',
  'CompatibilityFallbackHandler',
  'MultiSend',
  'MultiSendCallOnly',
]
/** Packages that contain compiled code. */
const PUBLISHED: readonly Artifacts[] = [
  ...['3.2.0', '3.4.2', '4.7.3', '4.8.3', '4.9.3', '4.9.6', '5.0.2', '5.1.0', '5.7.0'].map((version) => ({
    package: `@openzeppelin/contracts@${version}`,
    folder: 'build/contracts',
    contracts: OPEN_ZEPPELIN,
  })),
  { package: '@openzeppelin/upgrades-core@1.46.0', folder: 'artifacts', contracts: OPEN_ZEPPELIN },
  { package: '@uniswap/governance@1.0.2', folder: 'build', contracts: ['Timelock', 'GovernorAlpha'] },
  { package: '@gnosis.pm/safe-contracts@1.3.0', folder: 'build/artifacts/contracts', contracts: SAFE },
  { package: '@safe-global/safe-contracts@1.4.1', folder: 'build/artifacts/contracts', contracts: SAFE },
  { package: '@safe-global/safe-smart-account@1.5.0', folder: 'build/artifacts/contracts', contracts: SAFE },
  {
    package: '@aave/core-v3@1.19.3',
    folder: 'artifacts/contracts',
    contracts: ['ACLManager', 'PoolAddressesProvider', 'InitializableImmutableAdminUpgradeabilityProxy'],
  },
  { package: '@aave/governance-v2@1.0.0', folder: 'artifacts/contracts', contracts: ['Executor', 'AaveGovernanceV2'] },
  { package: '@aragon/os@4.4.0', folder: 'build/contracts', contracts: ['Kernel', 'ACL', 'AppProxyUpgradeable'] },
]

/** Contracts of the corpus whose packages contain sources only. */
const COMPILED: Readonly<Record<string, readonly string[]>> = {
  solady: ['ERC1967Factory', 'Timelock'],
  '@venusprotocol/venus-protocol': ['Timelock', 'GovernorAlpha', 'GovernorBravoDelegate'],
  '@sushiswap/core': ['Timelock'],
  '@traderjoe-xyz/core': ['Timelock'],
}

type Row = Masked & { readonly solc?: string; readonly settings?: Readonly<Record<string, unknown>> }

const pin = process.argv.includes('--pin')
const table: Record<string, Record<string, Row[]>> = {}
const known = new Set<string>()

function add(from: string, contract: string, code: string, settings?: Row['settings']): void {
  // Libraries would have to be known too.
  if (code === '' || code.includes('_')) return
  const bytes = Buffer.from(code, 'hex')
  const found = maskedCode(bytes)
  const key = `${found.bytes} ${found.hash}`
  if (known.has(key)) return
  known.add(key)
  const solc = compilerOf(bytes)
  const rows = ((table[from] ??= {})[contract] ??= [])
  rows.push({ ...(solc !== undefined && { solc }), ...(settings && { settings }), ...found })
}

/** The version that the compiler states in the metadata. */
function compilerOf(code: Buffer): string | undefined {
  const at = code.lastIndexOf(Buffer.from('64736f6c6343', 'hex'))
  const version = at < 0 ? [] : [...code.subarray(at + 6, at + 9)]
  return version.length === 3 ? version.join('.') : undefined
}

type Artifact = {
  readonly deployedBytecode?: string | { readonly object: string }
  readonly evm?: { readonly deployedBytecode?: { readonly object: string } }
}

function codeIn({ deployedBytecode, evm }: Artifact): string {
  const code = typeof deployedBytecode === 'string' ? deployedBytecode : deployedBytecode?.object
  return (code ?? evm?.deployedBytecode?.object ?? '').replace(/^0x/, '')
}

for (const { package: from, folder, contracts } of PUBLISHED) {
  download(from, pin)
  const root = join(folderOf(from), folder)
  if (!existsSync(root)) throw new Error(`${from} has no folder ${folder}`)
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'))
  for (const file of files.sort()) {
    const contract = basename(file, '.json')
    if (contracts.includes(contract))
      add(from, contract, codeIn(JSON.parse(readFileSync(join(root, file), 'utf8')) as Artifact))
  }
}
for (const source of SOURCES) {
  const wanted = COMPILED[source.package]
  if (wanted === undefined) continue
  for (const spec of packagesOf([source])) download(spec, pin)
  for (const named of Object.values(compiled(source).contracts))
    for (const [contract, { evm }] of Object.entries(named))
      if (wanted.includes(contract))
        add(`${source.package}@${source.version}`, contract, evm.deployedBytecode.object, settingsOf(source))
}
const rows = Object.values(table).flatMap((contracts) => Object.values(contracts).flat())
console.log(`${rows.length} codes of ${Object.keys(table).length} packages`)
const file = join(import.meta.dirname, '../../server/src/control/profile/releases.json')
writeFileSync(file, `${JSON.stringify(table, undefined, 1)}\n`)
