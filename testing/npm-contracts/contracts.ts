/** The contracts of the corpus: their code, ready to be analyzed, and their functions as the source states them. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Hex } from '../../server/src/lib/hex.ts'
import { type CompiledContract, compiled, type Output } from './compile.ts'
import { SOURCES, type Source, specOf } from './packages.ts'
import { children, type Node, Tree, text, typeText } from './source/ast.ts'
import { mayChangeCode, type SourceFunction, sourceFunctions } from './source/functions.ts'

export type CorpusContract = {
  readonly source: Source
  readonly path: string
  readonly name: string
  /** Deployed code, with values for immutables and libraries. */
  readonly code: Hex
  readonly hash: Hex
  /** Slot and byte offset of each state variable by its declaration. */
  readonly slots: ReadonlyMap<number, { readonly slot: bigint; readonly offset: number }>
  readonly functions: () => readonly SourceFunction[]
  /** The code of the libraries that it runs, and that these run, by their address in the code. */
  readonly libraries: ReadonlyMap<Hex, Hex>
  /** By its source, it may run other code on its storage, or is destroyed. */
  readonly mayChange: () => boolean
}

/** The address that stands for an immutable. */
export const immutableAddress = (id: number): string =>
  (0xaaaa_0000_0000_0000_0000_0000n * 2n ** 64n + BigInt(id)).toString(16).padStart(40, '0')

const hashOf = (code: Hex): Hex => `0x${bytesToHex(keccak_256(hexToBytes(code.slice(2))))}`

/** Contracts of one compilation that are measured: more of one package would count its patterns again. */
const MOST = 12

/** Contracts of one compilation: all instances, and a selection of the others by their code hash. */
export function contractsOf(source: Source): readonly CorpusContract[] {
  const all = deployable(source).toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
  const isInstance = ({ path }: CorpusContract): boolean => path.startsWith('instances/')
  return [...all.filter(isInstance), ...all.filter((each) => !isInstance(each)).slice(0, MOST)]
}

/** The deployed code of one contract of a package. `immutable`: the account in place of each immutable one. */
export function codeNamed(spec: string, name: string, immutable: Hex): Hex {
  const source = SOURCES.find((each) => specOf(each) === spec)
  const output = source === undefined ? undefined : compiled(source)
  const found = Object.values(output?.contracts ?? {}).find((named) => name in named)?.[name]
  if (output === undefined || found === undefined) throw new Error(`no contract ${name} in ${spec}`)
  const tree = new Tree(Object.values(output.sources).map(({ ast }) => ast))
  return filled(found, tree, () => immutable.slice(2))
}

function deployable(source: Source): readonly CorpusContract[] {
  const output = compiled(source)
  const tree = new Tree(Object.values(output.sources).map(({ ast }) => ast))
  return Object.entries(output.contracts).flatMap(([path, named]) =>
    Object.entries(named).flatMap(([name, contract]) => {
      const definition = definitionIn(output, path, name)
      if (definition === undefined || text(definition, 'contractKind') !== 'contract') return []
      const code = filled(contract, tree)
      // A contract without functions that differ, such as a plain proxy, has nothing to compare.
      if (Object.keys(contract.evm.methodIdentifiers).length === 0) return []
      const slots = new Map(
        (contract.storageLayout?.storage ?? []).map(({ astId, slot, offset }) => [
          astId,
          { slot: BigInt(slot), offset },
        ]),
      )
      const functions = (): readonly SourceFunction[] =>
        sourceFunctions(tree, definition, contract.evm.methodIdentifiers)
      const mayChange = (): boolean => mayChangeCode(tree, definition, functions())
      const libraries = librariesOf(output, contract, tree)
      return [{ source, path, name, code, hash: hashOf(code), slots, functions, libraries, mayChange }]
    }),
  )
}

const definitionIn = (output: Output, path: string, name: string): Node | undefined =>
  children(output.sources[path]?.ast, 'nodes').find(
    (node) => node.nodeType === 'ContractDefinition' && text(node, 'name') === name,
  )

type Link = { readonly path: string; readonly name: string; readonly starts: readonly number[] }

/** The libraries that code is linked with, and where it has their addresses. */
const linksOf = ({ evm }: CompiledContract): readonly Link[] =>
  Object.entries(evm.deployedBytecode.linkReferences ?? {}).flatMap(([path, named]) =>
    Object.entries(named).map(([name, places]) => ({ path, name, starts: places.map(({ start }) => start) })),
  )

type AddressOfLink = (link: Link, number: number) => string

/** The address that stands for a library in a contract of the corpus. */
const numberedAddress: AddressOfLink = (_, number) => `bbbb${number.toString(16).padStart(36, '0')}`
/** The same in a library. */
const namedAddress: AddressOfLink = ({ path, name }) =>
  `cccc${bytesToHex(keccak_256(utf8ToBytes(`${path}:${name}`))).slice(0, 36)}`

function librariesOf(
  output: Output,
  contract: CompiledContract,
  tree: Tree,
  addressOf: AddressOfLink = numberedAddress,
  found = new Map<Hex, Hex>(),
): ReadonlyMap<Hex, Hex> {
  for (const [at, link] of linksOf(contract).entries()) {
    const address: Hex = `0x${addressOf(link, at + 1)}`
    const library = output.contracts[link.path]?.[link.name]
    if (library === undefined || found.has(address)) continue
    found.set(address, filled(library, tree, immutableAddress, namedAddress))
    librariesOf(output, library, tree, namedAddress, found)
  }
  return found
}

/** Deployed code with values in place of immutables and libraries, as on a chain. */
function filled(
  contract: CompiledContract,
  tree: Tree,
  accountFor: (id: number) => string = immutableAddress,
  addressOf: AddressOfLink = numberedAddress,
): Hex {
  const { deployedBytecode } = contract.evm
  let { object } = deployedBytecode
  const put = (start: number, digits: string): void => {
    object = object.slice(0, start * 2) + digits + object.slice(start * 2 + digits.length)
  }
  for (const [at, link] of linksOf(contract).entries())
    for (const start of link.starts) put(start, addressOf(link, at + 1))
  for (const [id, places] of Object.entries(deployedBytecode.immutableReferences ?? {})) {
    const type = typeText(tree.find(Number(id)))
    const isAccount = /^(?:address|contract )/.test(type)
    const digits = isAccount ? accountFor(Number(id)) : '1'
    for (const { start, length } of places) put(start, digits.padStart(length * 2, '0'))
  }
  return `0x${object}`
}
