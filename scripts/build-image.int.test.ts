/** The OCI image: its layout, and the service in a container with a read-only root. Runs with TEST_IMAGE=1. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { blobOf, findRuntime, makeVolume, readImage } from '../testing/support/containers.ts'
import { freePort } from '../testing/support/port.ts'
import { eventually } from '../testing/support/receivers.ts'
import { REPOSITORY } from '../testing/support/service.ts'
import { temporaryFolder } from '../testing/support/temporary-folder.ts'
import { buildImage, HEALTH_CHECK } from './build-image.mjs'

const works = (command: string, ...args: readonly string[]): boolean => spawnSync(command, args).status === 0
const cannotBuild =
  (process.env.TEST_IMAGE !== '1' && 'it takes minutes and the network: TEST_IMAGE=1 runs it') ||
  (process.getuid?.() !== 0 && 'only root can build the image') ||
  (!works('mmdebstrap', '--version') && 'no mmdebstrap (on Debian: apt-get install mmdebstrap)') ||
  (!existsSync(join(REPOSITORY, 'web', 'dist', 'index.html')) && 'the web app is not built') ||
  false

// Podman names an image after its path, and refuses upper case, which temporary folders have.
const layout = join(tmpdir(), `gatewatch-test-image-${process.pid}`)
after(() => rmSync(layout, { recursive: true, force: true }))
if (cannotBuild === false) buildImage(layout)
const folder = temporaryFolder()
const runtime = cannotBuild === false ? await findRuntime(readImage(layout), folder) : cannotBuild

test('the image has three layers, an account that is not root, and valid digests', { skip: cannotBuild }, (t) => {
  const { config, layers } = readImage(layout)
  assert.equal(layers.length, 3)
  for (const layer of layers) {
    const data = blobOf(layout, layer)
    assert.equal(`sha256:${createHash('sha256').update(data).digest('hex')}`, layer.digest)
    assert.equal(data.length, layer.size)
  }
  assert.equal(config.User, '10001:10001')
  assert.deepEqual(config.Healthcheck.Test, ['CMD', ...HEALTH_CHECK])
  t.diagnostic(`${Math.round(layers.reduce((sum, { size }) => sum + size, 0) / 1e6)} MB compressed`)
})

test('the service starts from the image with a read-only root, stops in order, and keeps its data', {
  skip: typeof runtime === 'string' && runtime,
}, async (t) => {
  if (typeof runtime === 'string') return
  t.diagnostic(`run with ${runtime.name}`)
  const image = readImage(layout)
  const volume = makeVolume(join(folder, 'volume'), image)
  const [, ...healthCheck] = image.config.Healthcheck.Test
  const [node = ''] = healthCheck
  const port = String(await freePort())
  const env = { ROLES: 'serve', PORT: port }

  const first = await runtime.start(image, volume, env)
  await eventually(() => first.exec(healthCheck).code === 0 || undefined)
  assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200, 'reached from outside')
  assert.equal(first.exec(healthCheck, { PORT: '1' }).code, 1, 'the health check fails where nothing listens')
  const script = `try { fs.writeFileSync('/opt/x', '') } catch (error) { console.log(process.getuid(), error.code) }`
  assert.equal(first.exec([node, '-e', script]).output, '10001 EROFS')
  const status = `console.log(/CapEff:\\s+(\\S+)/.exec(fs.readFileSync('/proc/1/status', 'utf8'))[1], /NoNewPrivs:\\s+(\\d)/.exec(fs.readFileSync('/proc/1/status', 'utf8'))[1])`
  assert.equal(first.exec([node, '-e', status]).output, '0000000000000000 1')
  assert.equal(first.exec(['gatewatch', 'account', 'list', '--json']).output, '[]')
  const made = first.exec([
    'gatewatch',
    'account',
    'create',
    '--email',
    'ann@example.org',
    '--password',
    'two words of ann',
    '--json',
  ])
  assert.equal(made.code, 0, made.output)
  assert.equal(await first.stop(), 0)

  const second = await runtime.start(image, volume, env)
  await eventually(() => second.exec(healthCheck).code === 0 || undefined)
  assert.match(second.exec(['gatewatch', 'account', 'list', '--json']).output, /ann@example\.org/)
  assert.equal(await second.stop(), 0)
})
