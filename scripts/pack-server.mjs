/**
 * Builds the npm package of the server: `node scripts/pack-server.mjs [FOLDER]` writes gatewatch-VERSION.tgz, which
 * `npx ./gatewatch-VERSION.tgz` runs. It contains the sources, the built web app and no development tools.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** What the server needs at run time, besides npm packages. */
export const SERVER_PARTS = [
  'LICENSE',
  'README.md',
  'server/bin',
  'server/src',
  'server/migrations',
  'server/distributed',
  'server/package.json',
  'server/openapi.json',
  'server/chains.json',
  'server/policy.schema.json',
  'vocabulary',
  'web/dist',
]

const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8'))

/** Returns the path of the package. `web`: whether the built web app is part of it. */
export function packServer(folder, { web = true } = {}) {
  const stage = mkdtempSync(join(tmpdir(), 'gatewatch-server-'))
  try {
    for (const part of [...SERVER_PARTS, 'docs/systemd'].filter((name) => web || name !== 'web/dist')) {
      mkdirSync(dirname(join(stage, part)), { recursive: true })
      cpSync(join(root, part), join(stage, part), { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
    }
    const { private: _private, bin: _bin, ...manifest } = readJson('server', 'package.json')
    const pinned = Object.entries(readJson('package.json').optionalDependencies).filter(([name]) =>
      name.startsWith('node-'),
    )
    const packed = {
      ...manifest,
      description: 'Watches who controls smart contracts, and serves coin data of Bitcoin and Litecoin',
      bin: { gatewatch: 'server/bin/gatewatch.mjs' },
      engines: { node: '>=20' },
      optionalDependencies: { ...manifest.optionalDependencies, ...Object.fromEntries(pinned) },
    }
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(packed, undefined, 2)}\n`)
    execFileSync('npm', ['pack', '--silent', '--pack-destination', resolve(folder)], { cwd: stage })
    return join(resolve(folder), `${manifest.name}-${manifest.version}.tgz`)
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { buildWebIfStale } = await import('./build-web.mjs')
  if (!buildWebIfStale()) process.exit(1)
  process.stdout.write(`${packServer(process.argv[2] ?? '.')}\n`)
}
