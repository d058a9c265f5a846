/**
 * Downloads and compiles the corpus, and writes the list of its contracts.
 *
 *     node testing/npm-contracts/build.ts [--pin] [PACKAGE …]
 *
 * `--pin` records the hashes of packages that are new in `packages.json`. With names of packages only these are compiled,
 * and the list is not written.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsOf } from './compile.ts'
import { contractsOf } from './contracts.ts'
import { download, packagesOf, SOURCES } from './packages.ts'

const args = process.argv.slice(2)
const names = args.filter((arg) => arg !== '--pin')
const sources = SOURCES.filter((source) => names.length === 0 || names.includes(source.package))
for (const spec of packagesOf(sources)) download(spec, args.includes('--pin'))

const rows: Record<string, unknown>[] = []
const seen = new Set<string>()
for (const source of sources) {
  const contracts = contractsOf(source).filter(({ hash }) => !seen.has(hash))
  console.log(`${source.package}@${source.version}, solc ${source.solc}: ${contracts.length} contracts`)
  for (const { hash, path, name } of contracts) {
    seen.add(hash)
    const { publisher, package: from, version, solc } = source
    rows.push({
      publisher,
      package: from,
      version,
      path,
      contract: name,
      solc,
      settings: settingsOf(source),
      codeHash: hash,
    })
  }
}
if (names.length === 0)
  writeFileSync(join(import.meta.dirname, 'contracts.json'), `${JSON.stringify(rows, undefined, 2)}\n`)
