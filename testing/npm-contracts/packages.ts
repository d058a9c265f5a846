/** The packages of the corpus: where they are pinned, and how they come to this machine. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** One compilation of a package. */
export type Source = {
  readonly publisher: string
  readonly package: string
  readonly version: string
  readonly solc: string
  /** Folders of the package with its contracts. */
  readonly include: readonly string[]
  /** A file of `instances`: contracts that derive from abstract ones of the package. */
  readonly instances?: string
  /** Paths that are left out, as a regular expression. */
  readonly exclude?: string
  /** Packages that it imports, and their versions. */
  readonly with?: Readonly<Record<string, string>>
  /** Prefixes of imports, and the package and folder they stand for. */
  readonly remap?: Readonly<Record<string, string>>
  readonly runs?: number
  readonly viaIR?: boolean
  readonly evmVersion?: string
}

const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8')

export const SOURCES = JSON.parse(read('packages.json')) as readonly Source[]

/** Downloads and compiler output. Nothing of it belongs to the repository. */
export const CACHE = process.env['GATEWATCH_CORPUS_CACHE'] ?? join(homedir(), '.cache', 'gatewatch', 'npm-contracts')

const PINS = join(import.meta.dirname, 'integrity.json')
const pins = (): Record<string, string> =>
  existsSync(PINS) ? (JSON.parse(readFileSync(PINS, 'utf8')) as Record<string, string>) : {}

/** A package with its version, as npm names it. */
export const specOf = (source: Source): string => `${source.package}@${source.version}`

/** Every package of the corpus, as `name@version`: compilers and imported packages included. */
export function packagesOf(sources: readonly Source[]): readonly string[] {
  const all = sources.flatMap((source) => [
    specOf(source),
    `solc@${source.solc}`,
    ...Object.entries(source.with ?? {}).map(([name, version]) => `${name}@${version}`),
  ])
  return [...new Set(all)].sort()
}

export const folderOf = (spec: string): string => join(CACHE, 'packages', spec.replaceAll('/', '+'))

/** Downloads a package, compares it with its pinned hash, and unpacks it. `pin`: records a hash that is not known. */
export function download(spec: string, pin: boolean): void {
  const folder = folderOf(spec)
  if (existsSync(folder)) return
  const tarballs = join(CACHE, 'tarballs')
  mkdirSync(tarballs, { recursive: true })
  const name = `${spec
    .replace(/^@/, '')
    .replace('/', '-')
    .replace(/@(?=[^@]*$)/, '-')}.tgz`
  const tarball = join(tarballs, name)
  if (!existsSync(tarball))
    execFileSync('npm', ['pack', '--silent', '--pack-destination', tarballs, spec], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`
  const known = pins()
  if (known[spec] === undefined && pin) {
    const sorted = Object.entries({ ...known, [spec]: integrity }).sort(([a], [b]) => (a < b ? -1 : 1))
    writeFileSync(PINS, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`)
  } else if (known[spec] !== integrity) {
    rmSync(tarball)
    throw new Error(`${spec} has the hash ${integrity}; ${known[spec] ?? 'none'} is pinned.`)
  }
  mkdirSync(join(CACHE, 'packages'), { recursive: true })
  const draft = mkdtempSync(join(CACHE, 'packages', 'draft-'))
  execFileSync('tar', ['-xzf', tarball, '-C', draft, '--strip-components=1', '--no-same-owner'])
  renameSync(draft, folder)
}
