// Prints a software bill of materials (CycloneDX 1.6) of package-lock.json. The same lock file gives the same text.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The name of a package from its path in the lock file: node_modules/a/node_modules/@b/c is @b/c. */
const nameAt = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

const purlOf = (name, version) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`

/** `sha512-BASE64`, several separated by spaces. */
const hashesOf = (integrity = '') =>
  integrity
    .split(' ')
    .filter((part) => part.includes('-'))
    .map((part) => {
      const [algorithm, digest] = part.split(/-(.*)/)
      return {
        alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
        content: Buffer.from(digest, 'base64').toString('hex'),
      }
    })

/** The path of the package that `name` means for the package at `from`, as Node resolves it. */
function resolve(packages, from, name) {
  for (let at = from; ; ) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (packages[path] !== undefined) return packages[path].link === true ? packages[path].resolved : path
    if (at === '') return undefined
    at = at.includes('node_modules/') ? at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/'))) : ''
  }
}

export function billOfMaterials(lock, { production = false } = {}) {
  const { packages } = lock
  const included = Object.entries(packages).filter(
    ([path, entry]) => path.includes('node_modules/') && entry.link !== true && !(production && entry.dev === true),
  )
  const named = new Map(included.map(([path, entry]) => [path, { name: entry.name ?? nameAt(path), ...entry }]))
  const refAt = (path) => {
    const entry = named.get(path)
    return entry === undefined ? undefined : purlOf(entry.name, entry.version)
  }
  const components = new Map()
  const dependencies = new Map()
  for (const [path, entry] of named) {
    const ref = purlOf(entry.name, entry.version)
    const [group, name] = entry.name.startsWith('@') ? entry.name.split('/') : [undefined, entry.name]
    components.set(ref, {
      type: 'library',
      'bom-ref': ref,
      ...(group !== undefined && { group }),
      name,
      version: entry.version,
      scope: entry.optional === true || entry.dev === true ? 'optional' : 'required',
      ...(entry.integrity !== undefined && { hashes: hashesOf(entry.integrity) }),
      ...(typeof entry.license === 'string' && { licenses: [{ expression: entry.license }] }),
      purl: ref,
    })
    const wanted = Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
    const found = wanted.map((each) => refAt(resolve(packages, path, each))).filter((each) => each !== undefined)
    dependencies.set(ref, new Set([...(dependencies.get(ref) ?? []), ...found]))
  }
  const sorted = (values) => [...values].sort((a, b) => (a < b ? -1 : 1))
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': 'gatewatch', name: 'gatewatch' } },
    components: sorted(components.keys()).map((ref) => components.get(ref)),
    dependencies: sorted(dependencies.keys()).map((ref) => ({ ref, dependsOn: sorted(dependencies.get(ref)) })),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const made = billOfMaterials(lock, { production: process.argv.includes('--production') })
  console.log(JSON.stringify(made, null, 2))
}
