/** Compiles the sources and packages into `artifacts.json`: `node demo/contracts/compile.ts`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Artifact, compileContracts, openZeppelin5, safeContract } from '../../testing/evm/compile.ts'
import { ARTIFACTS_FILE, OPEN_ZEPPELIN, OWN, SAFE } from './artifacts.ts'

/** viem contains the bytecode of Multicall3 but does not export it. */
const MULTICALL3 = join(import.meta.dirname, '..', '..', 'node_modules', 'viem', '_esm', 'constants', 'contracts.js')

/** One contract per line, so that a diff shows which contract changed. */
export async function compiledArtifacts(): Promise<string> {
  const { multicall3Bytecode } = (await import(MULTICALL3)) as { readonly multicall3Bytecode: Artifact['bytecode'] }
  const own = compileContracts(import.meta.dirname)
  const artifacts: [string, Artifact | undefined][] = [
    ...OPEN_ZEPPELIN.map((name): [string, Artifact] => [name, openZeppelin5(name)]),
    ...Object.entries(SAFE).map(([name, path]): [string, Artifact] => [name, safeContract('1.4.1', path)]),
    ['Multicall3', { abi: [], bytecode: multicall3Bytecode }],
    ...OWN.map((name): [string, Artifact | undefined] => [name, own[name]]),
  ]
  const lines = artifacts.map(
    ([name, artifact]) =>
      `${JSON.stringify(name)}: ${JSON.stringify(artifact && { abi: artifact.abi, bytecode: artifact.bytecode })}`,
  )
  return `{\n${lines.join(',\n')}\n}\n`
}

if (import.meta.main) writeFileSync(ARTIFACTS_FILE, await compiledArtifacts())
