/**
 * Writes the code hashes of the libraries and fallback handlers that Safe released, from published npm packages.
 *
 *     node scripts/safe-libraries.mjs   # needs the npm registry
 *
 * A hash is that of the code at the official address (safe-deployments), or of the compiled code with zeros in place of
 * the contract's own address, which finds it at any address.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keccak256 } from 'viem'

const OUTPUT = join(import.meta.dirname, '../server/src/control/catalog/safe-libraries.json')
const DEPLOYMENTS = '@safe-global/safe-deployments@1.37.63'
const RELEASES = {
  '1.0.0': '@gnosis.pm/safe-contracts@1.0.0',
  '1.1.0': '@gnosis.pm/safe-contracts@1.1.0',
  '1.1.1': '@gnosis.pm/safe-contracts@1.1.1',
  '1.2.0': '@gnosis.pm/safe-contracts@1.2.0',
  '1.3.0': '@gnosis.pm/safe-contracts@1.3.0',
  '1.4.1': '@safe-global/safe-contracts@1.4.1',
  '1.5.0': '@safe-global/safe-smart-account@1.5.0',
}
const LIBRARIES = [
  'CreateAndAddModules',
  'CreateCall',
  'MultiSend',
  'MultiSendCallOnly',
  'SafeMigration',
  'SafeToL2Migration',
  'SafeToL2Setup',
  'SignMessageLib',
]
const HANDLERS = [
  'CompatibilityFallbackHandler',
  'DefaultCallbackHandler',
  'ExtensibleFallbackHandler',
  'TokenCallbackHandler',
]

const folder = mkdtempSync(join(tmpdir(), 'safe-libraries-'))
const unpack = (name) => {
  const target = mkdtempSync(join(folder, 'package-'))
  const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', name, '--json', '--pack-destination', target]))
  execFileSync('tar', ['xzf', join(target, filename.replace('@', '').replaceAll('/', '-')), '-C', target])
  return join(target, 'package')
}

const found = { libraries: {}, handlers: {} }
const add = (name, version, hash) => {
  const table = LIBRARIES.includes(name) ? found.libraries : HANDLERS.includes(name) ? found.handlers : undefined
  if (table !== undefined) table[hash] ??= `${name} ${version}`
}

try {
  for (const [version, name] of Object.entries(RELEASES)) {
    const root = join(unpack(name), 'build')
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.json') || entry.name.endsWith('.dbg.json')) continue
      const { contractName, deployedBytecode } = JSON.parse(readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      // The constructor of a migration decides its new singleton: only the official ones are known.
      if (!/^0x(?:[0-9a-f]{2}){8,}$/.test(deployedBytecode ?? '') || contractName.endsWith('Migration')) continue
      add(contractName, version, keccak256(deployedBytecode))
    }
  }
  const assets = join(unpack(DEPLOYMENTS), 'src', 'assets')
  for (const release of existsSync(assets) ? readdirSync(assets) : [])
    for (const file of readdirSync(join(assets, release))) {
      const { contractName, version, deployments } = JSON.parse(readFileSync(join(assets, release, file), 'utf8'))
      for (const { codeHash } of Object.values(deployments)) add(contractName, version, codeHash)
    }
} finally {
  rmSync(folder, { recursive: true })
}
const sorted = (table) => Object.fromEntries(Object.entries(table).sort(([, a], [, b]) => a.localeCompare(b)))
const text = { libraries: sorted(found.libraries), handlers: sorted(found.handlers) }
writeFileSync(OUTPUT, `${JSON.stringify(text, undefined, 2)}\n`)
