/** The OCI image: its layout, and the service in a container with a read-only root. Runs with TEST_IMAGE=1. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from '../testing/support/port.ts'
import { eventually } from '../testing/support/receivers.ts'
import { REPOSITORY } from '../testing/support/service.ts'
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
const image = `oci:${layout}:0.1.0`
const LIMITS = '--ulimit nofile=4096:4096 --ulimit nproc=4096:4096'
const RESTRICTED = '--network host --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges'

/** The options with which podman can start a container here, or why it cannot. */
function findOptions(): readonly string[] | string {
  let reason = cannotBuild === false ? '' : cannotBuild
  for (const runtime of cannotBuild === false ? [[], ['--runtime', 'runc']] : []) {
    const options = [...runtime, ...LIMITS.split(' '), ...RESTRICTED.split(' ')]
    const { status, stderr, error } = spawnSync('podman', ['run', '--rm', ...options, image, '--version'], {
      encoding: 'utf8',
    })
    if (status === 0) return options
    reason = `podman cannot start a container here: ${error?.message ?? stderr.trim().split('\n').at(-1)}`
  }
  return reason
}
const options = findOptions()

type Descriptor = { readonly digest: string; readonly size: number }

test('the image has three layers, an account that is not root, and valid digests', { skip: cannotBuild }, (t) => {
  const blob = ({ digest, size }: Descriptor): Buffer => {
    const data = readFileSync(join(layout, 'blobs', 'sha256', digest.slice('sha256:'.length)))
    assert.equal(`sha256:${createHash('sha256').update(data).digest('hex')}`, digest)
    assert.equal(data.length, size)
    return data
  }
  const index = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as { manifests: [Descriptor] }
  const manifest = JSON.parse(blob(index.manifests[0]).toString()) as { config: Descriptor; layers: Descriptor[] }
  assert.equal(manifest.layers.length, 3)
  for (const layer of manifest.layers) blob(layer)
  const { config } = JSON.parse(blob(manifest.config).toString()) as { config: { User: string } }
  assert.equal(config.User, '10001:10001')
  t.diagnostic(`${Math.round(manifest.layers.reduce((sum, { size }) => sum + size, 0) / 1e6)} MB compressed`)
})

test('the service starts from the image with a read-only root, and stops in order', {
  skip: typeof options === 'string' && options,
}, async () => {
  const port = String(await freePort())
  const podman = (...args: readonly string[]) => execFileSync('podman', args, { encoding: 'utf8' }).trim()
  const env = ['ROLES=serve', `PORT=${port}`].flatMap((setting) => ['--env', setting])
  const id =
    podman('run', '--detach', ...(typeof options === 'string' ? [] : options), ...env, image)
      .split('\n')
      .at(-1) ?? ''
  after(() => {
    spawnSync('podman', ['rm', '--force', '--volumes', id])
    spawnSync('podman', ['rmi', '--force', `localhost${layout}`])
  })
  await eventually(() => works('podman', 'exec', id, ...HEALTH_CHECK) || undefined)
  const script = `try { fs.writeFileSync('/opt/x', '') } catch (error) { console.log(process.getuid(), error.code) }`
  assert.equal(podman('exec', id, HEALTH_CHECK[0] ?? '', '-e', script), '10001 EROFS')
  assert.equal(podman('exec', id, 'gatewatch', 'account', 'list', '--json'), '[]')
  podman('stop', '--time', '60', id)
  assert.equal(podman('inspect', id, '--format', '{{.State.ExitCode}}'), '0')
})
