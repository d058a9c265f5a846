/**
 * Runs an OCI image of a local layout with podman, or with crun or runc alone where podman cannot start a container:
 * read-only root, no capabilities, no new privileges, the account and the entry point of the image, the network of the host.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Descriptor = { readonly digest: string; readonly size: number }

export type ImageConfig = {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly WorkingDir: string
  readonly Volumes: Readonly<Record<string, object>>
  readonly Healthcheck: { readonly Test: readonly string[] }
}

export type Image = { readonly layout: string; readonly config: ImageConfig; readonly layers: readonly Descriptor[] }

export type Container = {
  /** Runs a command in the container as its account. */
  readonly exec: (
    command: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => { code: number | null; output: string }
  /** Sends SIGTERM and returns the exit code. The volume stays. */
  readonly stop: () => Promise<number | null>
}

export type ContainerRuntime = {
  readonly name: string
  /** `volume` is a folder for the data of the image, owned by its account. */
  readonly start: (image: Image, volume: string, env: Readonly<Record<string, string>>) => Promise<Container>
}

export const blobOf = (layout: string, { digest }: Descriptor): Buffer =>
  readFileSync(join(layout, 'blobs', 'sha256', digest.slice('sha256:'.length)))

export function readImage(layout: string): Image {
  const index = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as { manifests: [Descriptor] }
  const manifest = JSON.parse(blobOf(layout, index.manifests[0]).toString()) as {
    config: Descriptor
    layers: Descriptor[]
  }
  const { config } = JSON.parse(blobOf(layout, manifest.config).toString()) as { config: ImageConfig }
  return { layout, config, layers: manifest.layers }
}

/** A folder that belongs to the account of the image. */
export function makeVolume(folder: string, { config }: Image): string {
  const [uid = 0, gid = 0] = config.User.split(':').map(Number)
  mkdirSync(folder, { mode: 0o700 })
  chownSync(folder, uid, gid)
  return folder
}

const outcome = (command: string, args: readonly string[]) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  return { code: status, output: error === undefined ? `${stdout}${stderr}`.trim() : error.message }
}

/** The first runtime that can start a container of the image here, or why none can. */
export async function findRuntime(image: Image, folder: string): Promise<ContainerRuntime | string> {
  const reasons: string[] = []
  for (const runtime of [podman([]), podman(['--runtime', 'runc']), alone('crun', folder), alone('runc', folder)]) {
    const volume = makeVolume(join(folder, `trial-${reasons.length}`), image)
    try {
      const container = await runtime.start({ ...image, config: { ...image.config, Cmd: ['--version'] } }, volume, {})
      if ((await container.stop()) === 0) return runtime
      reasons.push(`${runtime.name} cannot start a container here`)
    } catch (error) {
      reasons.push(
        `${runtime.name}: ${error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error)}`,
      )
    }
  }
  return reasons.join('; ')
}

const LIMITS = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096']
const RESTRICTED = '--network host --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges'.split(' ')

const podman = (options: readonly string[]): ContainerRuntime => ({
  name: ['podman', ...options].join(' '),
  start: async ({ layout, config }, volume, env) => {
    const [home = ''] = Object.keys(config.Volumes)
    const settings = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`])
    const args = [...options, ...LIMITS, ...RESTRICTED, ...settings, '--volume', `${volume}:${home}`]
    const id = execFileSync('podman', ['run', '--detach', ...args, `oci:${layout}:0.1.0`, ...config.Cmd], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const name = id.trim().split('\n').at(-1) ?? ''
    return {
      exec: (command, more = {}) =>
        outcome('podman', [
          'exec',
          ...Object.entries(more).flatMap((each) => ['--env', each.join('=')]),
          name,
          ...command,
        ]),
      stop: async () => {
        spawnSync('podman', ['stop', '--time', '60', name])
        const { output } = outcome('podman', ['inspect', name, '--format', '{{.State.ExitCode}}'])
        spawnSync('podman', ['rm', '--force', name])
        return Number(output)
      },
    }
  },
})

let started = 0

/** Options that a runtime needs without podman, which makes control groups for it. */
const ALONE = { crun: ['--cgroup-manager', 'disabled'], runc: [] } as const

const alone = (name: keyof typeof ALONE, folder: string): ContainerRuntime => ({
  name,
  start: async (image, volume, env) => {
    const bundle = join(folder, 'bundle')
    const rootfs = join(bundle, 'rootfs')
    rmSync(bundle, { recursive: true, force: true })
    mkdirSync(rootfs, { recursive: true })
    for (const layer of image.layers)
      execFileSync('tar', ['-xzf', '-', '--numeric-owner', '-C', rootfs], { input: blobOf(image.layout, layer) })
    writeFileSync(join(bundle, 'config.json'), JSON.stringify(specOf(image, volume, env)))
    const id = `gatewatch-test-${process.pid}-${started++}`
    const global = [...ALONE[name], '--root', join(folder, 'state')]
    const child = spawn(name, [...global, 'run', '--bundle', bundle, id], { stdio: ['ignore', 'ignore', 'pipe'] })
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('exit', (code) => {
        if (code !== null && code > 0 && errors !== '') reject(new Error(errors))
        else resolve(code)
      })
    })
    ended.catch(() => {}) // reported by `stop`
    return {
      exec: (command, more = {}) =>
        outcome(name, [
          ...global,
          'exec',
          ...Object.entries(more).flatMap((each) => ['--env', each.join('=')]),
          id,
          ...command,
        ]),
      stop: async () => {
        // A container that ends by itself is waited for.
        if (image.config.Cmd.includes('start')) spawnSync(name, [...global, 'kill', id, 'TERM'])
        return await ended
      },
    }
  },
})

function specOf({ config }: Image, volume: string, env: Readonly<Record<string, string>>): object {
  const [uid = 0, gid = 0] = config.User.split(':').map(Number)
  const tmpfs = (destination: string, ...options: readonly string[]) => ({
    destination,
    type: 'tmpfs',
    source: 'tmpfs',
    options: ['nosuid', ...options],
  })
  const [home = ''] = Object.keys(config.Volumes)
  const limit = (type: string) => ({ type, hard: 4_096, soft: 4_096 })
  return {
    ociVersion: '1.0.2',
    process: {
      user: { uid, gid },
      args: [...config.Entrypoint, ...config.Cmd],
      env: [...config.Env, ...Object.entries(env).map((each) => each.join('='))],
      cwd: config.WorkingDir,
      noNewPrivileges: true,
      capabilities: { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] },
      rlimits: [limit('RLIMIT_NOFILE'), limit('RLIMIT_NPROC')],
    },
    root: { path: 'rootfs', readonly: true },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      tmpfs('/dev', 'mode=755', 'size=65536k'),
      tmpfs('/dev/shm', 'nodev', 'mode=1777'),
      tmpfs('/tmp', 'nodev', 'mode=1777'),
      { destination: home, type: 'bind', source: volume, options: ['rbind', 'rw', 'nosuid', 'nodev'] },
    ],
    linux: { namespaces: ['pid', 'mount', 'ipc', 'uts'].map((type) => ({ type })) },
  }
}
