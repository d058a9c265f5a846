/** Compiles one package of the corpus with its pinned compiler, cached by what is compiled. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CACHE, folderOf, type Source } from './packages.ts'
import type { Node } from './source/ast.ts'

export type CompiledContract = {
  readonly evm: {
    readonly bytecode: { readonly object: string }
    readonly deployedBytecode: {
      readonly object: string
      readonly immutableReferences?: Readonly<Record<string, readonly { start: number; length: number }[]>>
      readonly linkReferences?: Readonly<
        Record<string, Readonly<Record<string, readonly { start: number; length: number }[]>>>
      >
    }
    readonly methodIdentifiers: Readonly<Record<string, string>>
  }
  readonly storageLayout?: {
    readonly storage: readonly { readonly astId: number; readonly slot: string; readonly offset: number }[]
  }
}

export type Output = {
  readonly errors?: readonly {
    readonly severity: string
    readonly formattedMessage: string
    readonly sourceLocation?: { readonly file: string }
  }[]
  readonly sources: Readonly<Record<string, { readonly ast: Node }>>
  readonly contracts: Readonly<Record<string, Readonly<Record<string, CompiledContract>>>>
}

export const settingsOf = ({ runs = 200, viaIR, evmVersion }: Source): Readonly<Record<string, unknown>> => ({
  optimizer: { enabled: true, runs },
  ...(viaIR === true && { viaIR }),
  ...(evmVersion !== undefined && { evmVersion }),
})

/** The output of the compiler. It runs in a process of its own, because compilers keep hundreds of megabytes. */
export function compiled(source: Source): Output {
  const instances = source.instances === undefined ? '' : readFileSync(instancesFile(source.instances), 'utf8')
  const parts = instances === '' ? [source, 2] : [source, 2, instances]
  const key = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
  const file = join(CACHE, 'compiled', `${source.package.replaceAll('/', '+')}@${source.version}-${key}.json`)
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true })
    execFileSync(
      process.execPath,
      ['--max-old-space-size=4096', '--stack-size=8000', fileURLToPath(import.meta.url), JSON.stringify(source), file],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    )
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Output
}

const instancesFile = (name: string): string => join(import.meta.dirname, 'instances', name)

function filesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  if (statSync(folder).isFile()) return [folder]
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sol'))
    .sort()
    .map((file) => join(folder, file))
}

/** Sources have the name `package/path`, as an import states it. */
function readSource(source: Source, name: string): string | undefined {
  if (name.startsWith('instances/')) return readFileSync(instancesFile(name.slice('instances/'.length)), 'utf8')
  for (const [prefix, target] of Object.entries(source.remap ?? {}))
    if (name.startsWith(prefix)) {
      const at = target.indexOf('/', target.startsWith('@') ? target.indexOf('/') + 1 : 0)
      const file = join(folderOf(target.slice(0, at)), target.slice(at + 1), name.slice(prefix.length))
      if (existsSync(file)) return readFileSync(file, 'utf8')
    }
  const packages = { ...source.with, [source.package]: source.version }
  for (const [each, version] of Object.entries(packages))
    if (name.startsWith(`${each}/`)) {
      const file = join(folderOf(`${each}@${version}`), name.slice(each.length + 1))
      if (existsSync(file)) return readFileSync(file, 'utf8')
    }
  return undefined
}

const importsOf = (name: string, content: string): readonly string[] =>
  [...content.matchAll(/^\s*(?:import|\}\s*from)\b[^;"']*["']([^"']+)["']/gm)].map(([, path = '']) =>
    path.startsWith('.') ? normalize(join(dirname(name), path)) : path,
  )

/** A source and all that it imports; undefined where one of them is in no package. */
function closure(
  source: Source,
  entry: string,
  contents: Map<string, string | undefined>,
): ReadonlySet<string> | undefined {
  const seen = new Set<string>()
  const waiting = [entry]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    if (!contents.has(name)) contents.set(name, readSource(source, name))
    const content = contents.get(name)
    if (content === undefined) return undefined
    waiting.push(...importsOf(name, content))
  }
  return seen
}

/** Compiles; sources that the compiler refuses, and those that import them, are left out. */
function compile(source: Source): Output {
  const require = createRequire(import.meta.url)
  const wrapper = require('solc/wrapper') as (soljson: unknown) => { compile: (input: string) => string }
  const solc = wrapper(require(join(folderOf(`solc@${source.solc}`), 'soljson.js')))
  const folder = folderOf(`${source.package}@${source.version}`)
  const excluded = source.exclude === undefined ? undefined : new RegExp(source.exclude)
  const contents = new Map<string, string | undefined>()
  let entries = source.include
    .flatMap((each) => filesIn(join(folder, each)))
    .map((file) => `${source.package}/${file.slice(folder.length + 1)}`)
    .filter((name) => excluded?.test(name) !== true)
    .concat(source.instances === undefined ? [] : `instances/${source.instances}`)
    .flatMap((name) => {
      const needed = closure(source, name, contents)
      if (needed === undefined) console.error(`${name}: an import is in no package`)
      return needed === undefined ? [] : [{ name, needed }]
    })
  for (;;) {
    const sources = Object.fromEntries(
      [...new Set(entries.flatMap(({ needed }) => [...needed]))].map((name) => [name, { content: contents.get(name) }]),
    )
    const wanted = ['evm.bytecode.object', 'evm.deployedBytecode', 'evm.methodIdentifiers', 'storageLayout']
    const outputSelection = {
      '*': { '': ['ast'] },
      ...Object.fromEntries(entries.map(({ name }) => [name, { '': ['ast'], '*': wanted }])),
    }
    const input = { language: 'Solidity', sources, settings: { ...settingsOf(source), outputSelection } }
    const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output
    const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
    if (errors.length === 0) return output
    const refused = new Set(errors.flatMap(({ sourceLocation }) => sourceLocation?.file ?? []))
    const left = entries.filter(({ needed }) => ![...refused].some((name) => needed.has(name)))
    for (const { formattedMessage } of errors.slice(0, 3)) console.error(formattedMessage.slice(0, 300))
    if (left.length === entries.length || left.length === 0) return { sources: {}, contracts: {} }
    entries = left
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , text = '', file = ''] = process.argv
  const { sources, contracts } = compile(JSON.parse(text) as Source)
  // Contracts without code are interfaces and abstract.
  const deployable = Object.fromEntries(
    Object.entries(contracts).map(([path, named]) => [
      path,
      Object.fromEntries(Object.entries(named).filter(([, { evm }]) => evm.deployedBytecode?.object)),
    ]),
  )
  writeFileSync(`${file}.draft`, JSON.stringify({ sources, contracts: deployable }))
  renameSync(`${file}.draft`, file)
}
