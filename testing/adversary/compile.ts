/** Compiles the contracts of this folder with several compiler settings, cached by source. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Abi } from 'viem'
import type { Artifact } from '../evm/compile.ts'

const SOURCES = join(import.meta.dirname, 'contracts')
const MODULES = join(import.meta.dirname, '..', '..', 'node_modules')
const CACHE = join(MODULES, '.cache', 'solc')

/** Code differs most between these: dispatcher, stack layout, inlining, shifts by division, PUSH0 and MCOPY. */
export const SETTINGS = {
  optimized: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun' },
  unoptimized: { optimizer: { enabled: false }, evmVersion: 'cancun' },
  'via IR': { optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun', viaIR: true },
  'old EVM': { optimizer: { enabled: true, runs: 1 }, evmVersion: 'byzantium' },
} as const
export type Settings = keyof typeof SETTINGS

/** What the first line of a source says if it does not compile with some of the settings. */
const NEEDS: Readonly<Partial<Record<Settings, RegExp>>> = {
  'old EVM': /^\/\/ Needs a new EVM/,
  'via IR': /^\/\/ Needs .*the old code generator/,
}

type SolcOutput = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: Readonly<
    Record<string, Readonly<Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>>
  >
}

const loaded = new Map<string, Readonly<Record<string, Artifact>>>()

/** Compiles every contract of this folder whose source changed. */
export function compileAllWith(settings: Settings): void {
  for (const file of filesFor(settings)) artifactsOf(file, settings)
}

/** Returns a contract of this folder. The compiler runs only if its file changed. */
export function artifactWith(settings: Settings, name: string): Artifact | undefined {
  const declaration = new RegExp(`^(abstract )?contract ${name}\\b`, 'm')
  const [file, ...others] = filesFor(settings).filter((each) => declaration.test(read(each)))
  if (others.length > 0) throw new Error(`${name} is declared in ${file} and in ${others.join(', ')}: rename one`)
  return file === undefined ? undefined : artifactsOf(file, settings)[name]
}

function artifactsOf(file: string, settings: Settings): Readonly<Record<string, Artifact>> {
  const key = `${settings} ${file}`
  const artifacts = loaded.get(key) ?? cached(file, settings)
  loaded.set(key, artifacts)
  return artifacts
}

const read = (file: string): string => readFileSync(join(SOURCES, file), 'utf8')

function filesFor(settings: Settings): readonly string[] {
  const files = readdirSync(SOURCES).filter((file) => file.endsWith('.sol'))
  return files.filter((file) => NEEDS[settings]?.test(read(file)) !== true)
}

/** A file and the files of this folder that it imports. */
function withImports(file: string): readonly string[] {
  const imported = [...read(file).matchAll(/from "\.\/([^"]+)"/g)].flatMap(([, name = '']) => withImports(name))
  return [...new Set([file, ...imported])]
}

function cached(file: string, settings: Settings): Readonly<Record<string, Artifact>> {
  const key = JSON.stringify([file, withImports(file).map(read), SETTINGS[settings]])
  const at = join(CACHE, `adversary-${createHash('sha256').update(key).digest('hex').slice(0, 24)}.json`)
  if (existsSync(at)) return JSON.parse(readFileSync(at, 'utf8')) as Readonly<Record<string, Artifact>>
  const artifacts = compile(file, settings)
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(`${at}.${process.pid}`, JSON.stringify(artifacts))
  renameSync(`${at}.${process.pid}`, at)
  return artifacts
}

function compile(file: string, settings: Settings): Readonly<Record<string, Artifact>> {
  const solc = createRequire(import.meta.url)('solc') as {
    compile: (
      input: string,
      callbacks: { import: (path: string) => { contents: string } | { error: string } },
    ) => string
  }
  const outputSelection = { [file]: { '*': ['abi', 'evm.bytecode.object'] } }
  const sources = { [file]: { content: read(file) } }
  const input = { language: 'Solidity', sources, settings: { ...SETTINGS[settings], outputSelection } }
  const find = (path: string): { contents: string } | { error: string } => {
    const found = [join(SOURCES, path), join(MODULES, path)].find((candidate) => existsSync(candidate))
    return found === undefined ? { error: `${path} is in no package` } : { contents: readFileSync(found, 'utf8') }
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: find })) as SolcOutput
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  return Object.fromEntries(
    Object.entries(output.contracts[file] ?? {}).map(([name, { abi, evm }]) => [
      name,
      { abi, bytecode: `0x${evm.bytecode.object}` as const },
    ]),
  )
}
