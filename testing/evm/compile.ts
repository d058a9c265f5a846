/** Provides contracts for tests: from the artifacts in their npm packages, or compiled here and cached. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'

export type Artifact = { readonly abi: Abi; readonly bytecode: Hex }
/** `deployedBytecode` has zeros instead of the values of immutables. */
type Compiled = Artifact & { readonly deployedBytecode: Hex }

const ROOT = join(import.meta.dirname, '..', '..')
const MODULES = join(ROOT, 'node_modules')
const SOURCES = join(import.meta.dirname, '..', 'contracts')
const CACHE = join(MODULES, '.cache', 'solc')

const OUTPUTS = ['bytecode', 'deployedBytecode'] as const

type SolcOutput = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: Readonly<
    Record<
      string,
      Readonly<Record<string, { abi: Abi; evm: Readonly<Record<(typeof OUTPUTS)[number], { object: string }>> }>>
    >
  >
}

/** Returns every contract of a folder by name. The compiler runs only when the sources changed. */
export function compileContracts(folder: string = SOURCES): Readonly<Record<string, Artifact>> {
  const compiled = Object.entries(compiledOf(folder))
  return Object.fromEntries(compiled.map(([name, { abi, bytecode }]) => [name, { abi, bytecode }]))
}

/** Returns the deployed code of a contract of `testing/contracts`. */
export function deployedCode(name: string): Hex {
  const found = compiledOf(SOURCES)[name]
  if (found === undefined) throw new Error(`no contract ${name}`)
  return found.deployedBytecode
}

function compiledOf(folder: string): Readonly<Record<string, Compiled>> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sol'))
  const sources = Object.fromEntries(files.map((file) => [file, { content: readFileSync(join(folder, file), 'utf8') }]))
  const name = createHash('sha256')
    .update(JSON.stringify([sources, OUTPUTS]))
    .digest('hex')
    .slice(0, 24)
  const cached = join(CACHE, `${name}.json`)
  if (existsSync(cached)) return JSON.parse(readFileSync(cached, 'utf8')) as Readonly<Record<string, Compiled>>
  const artifacts = compile(sources)
  mkdirSync(CACHE, { recursive: true })
  const draft = `${cached}.${process.pid}`
  writeFileSync(draft, JSON.stringify(artifacts))
  renameSync(draft, cached) // two test files may compile at the same time
  return artifacts
}

function compile(sources: Readonly<Record<string, { content: string }>>): Readonly<Record<string, Compiled>> {
  // The compiler has 10 MB and is loaded only when needed.
  const solc = createRequire(import.meta.url)('solc') as {
    compile: (
      input: string,
      callbacks: { import: (path: string) => { contents: string } | { error: string } },
    ) => string
  }
  const input = {
    language: 'Solidity',
    sources,
    settings: {
      optimizer: { enabled: true, runs: 1 },
      evmVersion: 'cancun',
      // Not of imported files, whose code takes longer to generate than the rest.
      outputSelection: Object.fromEntries(
        Object.keys(sources).map((file) => [
          file,
          { '*': ['abi', ...OUTPUTS.map((output) => `evm.${output}.object`)] },
        ]),
      ),
    },
  }
  const find = (path: string): { contents: string } | { error: string } => {
    const file = join(MODULES, path)
    return existsSync(file) ? { contents: readFileSync(file, 'utf8') } : { error: `${path} is in no package` }
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: find })) as SolcOutput
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  const artifacts: Record<string, Compiled> = {}
  for (const file of Object.keys(sources))
    for (const [contract, { abi, evm }] of Object.entries(output.contracts[file] ?? {})) {
      if (artifacts[contract] !== undefined) throw new Error(`two contracts are called ${contract}; one is in ${file}`)
      artifacts[contract] = {
        abi,
        bytecode: `0x${evm.bytecode.object}`,
        deployedBytecode: `0x${evm.deployedBytecode.object}`,
      }
    }
  return artifacts
}

function artifactAt(...path: string[]): Compiled {
  const { abi, bytecode, deployedBytecode } = JSON.parse(readFileSync(join(MODULES, ...path), 'utf8')) as Compiled
  return { abi, bytecode, deployedBytecode }
}

/** Returns the deployed code of an OpenZeppelin contract, without the values of immutables. */
export function artifactCode(packageName: 'openzeppelin-contracts-4' | '@openzeppelin/contracts', name: string): Hex {
  const file = join(MODULES, packageName, 'build', 'contracts', `${name}.json`)
  return (JSON.parse(readFileSync(file, 'utf8')) as Compiled).deployedBytecode
}

export const openZeppelin5 = (name: string): Artifact =>
  artifactAt('@openzeppelin', 'contracts', 'build', 'contracts', `${name}.json`)
export const openZeppelin4 = (name: string): Artifact =>
  artifactAt('openzeppelin-contracts-4', 'build', 'contracts', `${name}.json`)

const SAFE_PACKAGES = {
  '1.3.0': ['@gnosis.pm', 'safe-contracts'],
  '1.4.1': ['@safe-global', 'safe-contracts'],
  '1.5.0': ['@safe-global', 'safe-smart-account'],
} as const
export type SafeVersion = keyof typeof SAFE_PACKAGES

export function safeContract(version: SafeVersion, path: string): Compiled {
  const name = path.split('/').at(-1) as string
  return artifactAt(...SAFE_PACKAGES[version], 'build', 'artifacts', 'contracts', `${path}.sol`, `${name}.json`)
}
