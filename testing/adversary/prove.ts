/**
 * Proves the adversary suite on a local chain: builds every system, runs its exploit, and checks that it takes control.
 *
 *     node testing/adversary/prove.ts               all cases with all compiler settings
 *     node testing/adversary/prove.ts fallback Safe the cases whose title contains one of these texts
 *
 * Each exploit runs right after its system is built: building another one may let days pass. An exploit of a case must fail
 * on its honest twin.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startAnvil } from '../evm/anvil.ts'
import { attackOn } from './attack.ts'
import { CAUSES, type Case, type Twin } from './case.ts'
import { CASES, type Instance, instancesOf, TWINS } from './cases.ts'
import {
  type Built,
  type Chain,
  chainFor,
  codeOf,
  type Environment,
  environmentOf,
  HARDFORKS,
  isTaken,
  optionsOf,
} from './chain.ts'
import { compileAllWith, type Settings } from './compile.ts'

type Ready<T> = { readonly entry: Instance<T>; readonly chain: Chain; readonly built: Built }

/** Makes this program compile the contracts with one setting. */
const COMPILE = '--compile'
const words = process.argv.length > 2 ? process.argv.slice(2) : ['']
const faults: string[] = []
const startedAt = Date.now()
const seconds = (): string => `${((Date.now() - startedAt) / 1_000).toFixed(0)} s`
const isWanted = ({ title }: { readonly title: string }): boolean => words.some((word) => title.includes(word))

if (process.argv[2] === COMPILE) {
  compileAllWith(process.argv[3] as Settings)
  process.exit()
}
await compileAll([...instancesOf(CASES), ...instancesOf(TWINS)].filter(isWanted).map((entry) => entry.with))
console.log(`compiled after ${seconds()}`)

const nodes = await Promise.all(HARDFORKS.map((hardfork, at) => startAnvil(31_337 + at, optionsOf(hardfork))))
const environments = new Map(
  await Promise.all(nodes.map(async (node, at) => [HARDFORKS[at], await environmentOf(node)] as const)),
)
try {
  const wanted = instancesOf(CASES).filter(isWanted)
  for (const [at, entry] of wanted.entries()) {
    await attempt(entry.title, () => runOn(entry, prove))
    if ((at + 1) % 50 === 0) console.log(`${at + 1} exploits run after ${seconds()}`)
  }
  for (const entry of instancesOf(TWINS).filter(isWanted)) await attempt(entry.title, () => runOn(entry, refute))
  report()
} finally {
  for (const node of nodes) await node.stop()
}

/** Compiles with each of the settings in a process of its own, because the compiler blocks. */
async function compileAll(settings: readonly Settings[]): Promise<void> {
  const compile = async (one: Settings): Promise<void> => {
    const child = spawn(process.execPath, [import.meta.filename, COMPILE, one], { stdio: 'inherit' })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`the contracts do not compile with the settings ${one}`)
  }
  await Promise.all([...new Set(settings)].map(compile))
}

/** Builds a system and runs an exploit on it. */
async function runOn<T extends Case | Twin>(
  entry: Instance<T>,
  run: (ready: Ready<T>) => Promise<void>,
): Promise<void> {
  const chain = chainFor(environmentFor(entry), entry.name, entry.with)
  const built = await entry.build(chain)
  if (await isControlled(chain, built)) throw new Error('controlled by the attacker before the exploit')
  await rolledBack(chain, () => run({ entry, chain, built }))
}

function environmentFor(entry: Case | Twin): Environment {
  return environments.get('hardfork' in entry ? (entry.hardfork ?? 'prague') : 'prague') as Environment
}

async function prove({ entry, chain, built }: Ready<Case>): Promise<void> {
  await entry.exploit(await attackOn(chain, entry.by, await chain.deploy('Taken')), built)
  if (!(await isControlled(chain, built))) throw new Error('the exploit ran and took no control')
}

async function refute({ entry, chain, built }: Ready<Twin>): Promise<void> {
  const trick = CASES.find(({ name }) => name === entry.twinOf)
  if (trick === undefined) return
  const attack = await attackOn(chain, trick.by, await chain.deploy('Taken'))
  await trick.exploit(attack, built).catch(() => undefined)
  if (await isControlled(chain, built)) throw new Error('the exploit works on the honest twin')
}

/** Restores the chain after an exploit, so that the time it waits does not affect the next one. */
async function rolledBack({ node }: Chain, run: () => Promise<void>): Promise<void> {
  const snapshot = await node.rpc('evm_snapshot')
  try {
    await run()
  } finally {
    await node.rpc('evm_revert', snapshot)
  }
}

/** Whether the attacker's code answers, or the code was destroyed. */
async function isControlled(chain: Chain, { address }: Built): Promise<boolean> {
  return (await codeOf(chain, address)) === '0x' || (await isTaken(chain, address))
}

async function attempt(title: string, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    faults.push(title)
    console.error(`${title}: ${(error instanceof Error ? error.message : String(error)).slice(0, 600)}`)
  }
}

function report(): void {
  for (const cause of CAUSES) {
    const count = (table: readonly (Case | Twin)[]): number => table.filter((entry) => entry.cause === cause).length
    console.log(`${cause}: ${count(CASES)} tricks, ${count(instancesOf(CASES))} systems, ${count(TWINS)} twins`)
  }
  console.log(`${faults.length} faults after ${seconds()}`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
