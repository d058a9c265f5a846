/** The Compose file and the Helm chart, checked by their own programs where this machine has them. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { HEALTH_CHECK } from '../../scripts/build-image.mjs'
import { REPOSITORY } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const composeFile = join(REPOSITORY, 'docs', 'compose', 'compose.yaml')
const chart = join(REPOSITORY, 'docs', 'helm', 'gatewatch')
const versionOf = (...path: string[]): string =>
  (JSON.parse(readFileSync(join(REPOSITORY, ...path), 'utf8')) as { version: string }).version

const missing = (command: string, ...args: readonly string[]): string | false =>
  spawnSync(command, args).status !== 0 && `${[command, ...args].join(' ')} does not work on this machine`

function run(command: string, args: readonly string[], cwd = REPOSITORY) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  return { status, text: `${stdout}${stderr}`, stdout }
}

test('the Compose file restricts the service, and its version is that of the server', () => {
  const { services } = parse(readFileSync(composeFile, 'utf8')) as {
    services: { gatewatch: Readonly<Record<string, unknown>> & { healthcheck: { test: readonly string[] } } }
  }
  const { gatewatch } = services
  assert.equal(gatewatch.image, `\${GATEWATCH_IMAGE:-gatewatch:${versionOf('server', 'package.json')}}`)
  assert.deepEqual([gatewatch.read_only, gatewatch.cap_drop], [true, ['ALL']])
  assert.deepEqual(gatewatch.healthcheck.test, ['CMD', ...HEALTH_CHECK])
})

test('Compose accepts the file as it is meant', { skip: missing('docker', 'compose', 'version') }, () => {
  const folder = temporaryFolder()
  cpSync(composeFile, join(folder, 'compose.yaml'))
  const config = () => run('docker', ['compose', 'config', '--format', 'json'], folder)
  assert.match(config().text, /gatewatch\.env/, 'the settings are not there')
  writeFileSync(join(folder, 'gatewatch.env'), 'PUBLIC_URL=https://example.org\n')
  const { status, stdout, text } = config()
  assert.equal(status, 0, text)
  const { services } = JSON.parse(stdout) as { services: { gatewatch: Readonly<Record<string, unknown>> } }
  const { read_only: isReadOnly, security_opt: options, environment, ports, volumes, healthcheck } = services.gatewatch
  assert.deepEqual(
    [isReadOnly, options, environment],
    [true, ['no-new-privileges:true'], { PUBLIC_URL: 'https://example.org' }],
  )
  assert.partialDeepStrictEqual(ports, [{ host_ip: '127.0.0.1', target: 8080, published: '8080' }])
  assert.partialDeepStrictEqual(volumes, [{ type: 'volume', source: 'data', target: '/var/lib/gatewatch' }])
  // Compose doubles a dollar sign that it must not replace.
  const { test: command } = healthcheck as { test: readonly string[] }
  assert.deepEqual(command, ['CMD', ...HEALTH_CHECK.map((part) => part.replaceAll('$', '$$$$'))])
})

test('Compose refuses a field that it does not know', { skip: missing('docker', 'compose', 'version') }, () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'compose.yaml'), readFileSync(composeFile, 'utf8').replace('read_only:', 'readonly:'))
  writeFileSync(join(folder, 'gatewatch.env'), '')
  assert.notEqual(run('docker', ['compose', 'config', '--quiet'], folder).status, 0)
})

test('the chart has the version of the server', () => {
  const { version, appVersion } = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8')) as Readonly<
    Record<string, string>
  >
  assert.deepEqual([version, appVersion], [versionOf('server', 'package.json'), versionOf('server', 'package.json')])
})

const noHelm = missing('helm', 'version')

type Rendered = {
  readonly kind: string
  readonly spec: {
    readonly template: {
      readonly spec: { readonly containers: readonly { readonly env: readonly Readonly<Record<string, string>>[] }[] }
    }
  }
}

test('Helm accepts the chart and its values', { skip: noHelm }, () => {
  const { status, text } = run('helm', ['lint', '--strict', chart])
  assert.equal(status, 0, text)
})

test('the chart renders a restricted container, and refuses wrong values', { skip: noHelm }, () => {
  const render = (...settings: readonly string[]) =>
    run('helm', ['template', 'watch', chart, ...settings.flatMap((setting) => ['--set', setting])], temporaryFolder())
  const { status, stdout, text } = render(
    'existingSecret=settings',
    'env.PUBLIC_URL=https://example.org',
    'env.PORT=8080',
  )
  assert.equal(status, 0, text)
  const objects = parseAllDocuments(stdout).map((each) => each.toJS() as { kind: string })
  assert.deepEqual(objects.map(({ kind }) => kind).sort(), ['Service', 'StatefulSet'])
  for (const line of ['readOnlyRootFilesystem: true', 'runAsNonRoot: true', 'name: settings', 'value: "8080"'])
    assert.ok(stdout.includes(line), line)
  assert.match(render('replicas=2').text, /externalDatabase/)
  assert.equal(render('replicas=2', 'externalDatabase=true').status, 0)
  for (const wrong of ['replicas=0', 'replica=1', 'service.port=x', 'image.pullPolicy=Sometimes'])
    assert.notEqual(render(wrong).status, 0, wrong)
})

test('the chart passes numbers of a values file as they are written', { skip: noHelm }, () => {
  const folder = temporaryFolder()
  const values = { BODY_LIMIT: 10_000_000, SHARE: 1.5, ON: true, NAME: 'x"y', NONE: '' }
  writeFileSync(join(folder, 'values.yaml'), JSON.stringify({ env: values }))
  const { stdout } = run('helm', ['template', 'watch', chart, '--values', 'values.yaml'], folder)
  const set = parseAllDocuments(stdout)
    .map((each) => each.toJS() as Rendered)
    .find(({ kind }) => kind === 'StatefulSet')
  assert.deepEqual(
    Object.fromEntries(set?.spec.template.spec.containers[0]?.env.map(({ name, value }) => [name, value]) ?? []),
    { BODY_LIMIT: '10000000', SHARE: '1.5', ON: 'true', NAME: 'x"y', NONE: '' },
  )
})

test('what the chart renders has the schema of Kubernetes', {
  skip: noHelm || missing('kubernetes-validate', '--help'),
}, () => {
  const [folder, file] = [temporaryFolder(), 'rendered.yaml']
  const settings =
    'existingSecret=settings,env.PORT=8080,replicas=2,externalDatabase=true,persistence.storageClass=fast'
  const { stdout } = run('helm', ['template', 'watch', chart, '--set', settings], folder)
  writeFileSync(join(folder, file), stdout)
  const { status, text } = run('kubernetes-validate', ['--strict', file], folder)
  assert.equal(status, 0, text)
  writeFileSync(join(folder, file), stdout.replace('serviceName:', 'servicename:'))
  assert.notEqual(run('kubernetes-validate', ['--strict', file], folder).status, 0, 'an unknown field')
})

test('systemd knows every setting of the unit, and finds it hardened', {
  skip: missing('systemd-analyze', '--version'),
}, () => {
  const [folder, unit] = [temporaryFolder(), 'gatewatch@.service']
  const text = readFileSync(join(REPOSITORY, 'docs', 'systemd', unit), 'utf8')
  // The program is not installed here.
  writeFileSync(join(folder, unit), text.replaceAll('/usr/local/bin/gatewatch', '/bin/true'))
  // An unknown setting is a line of the output, and no failure.
  assert.deepEqual(run('systemd-analyze', ['verify', '--man=no', join(folder, unit)], folder), {
    status: 0,
    text: '',
    stdout: '',
  })
  const { text: report } = run(
    'systemd-analyze',
    ['security', '--offline=true', '--no-pager', join(folder, unit)],
    folder,
  )
  const [, exposure] = /exposure level for [^:]+: ([\d.]+)/.exec(report) ?? []
  assert.ok(Number(exposure) < 3, report)
})
