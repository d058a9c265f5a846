/**
 * Builds the npm package of the client: `node client/pack.ts [FOLDER]` writes gatewatch-client-VERSION.tgz.
 *
 * The sources are TypeScript, which Node does not run inside `node_modules`. So the package has JavaScript and
 * declarations, and a `package.json` that points at them.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const own = import.meta.dirname
const TSC = join(own, '..', 'node_modules', '.bin', 'tsc')
const OPTIONS =
  '--ignoreConfig --declaration --module nodenext --target es2023 --lib es2023,dom,dom.iterable --strict --skipLibCheck --rewriteRelativeImportExtensions --verbatimModuleSyntax'

type Manifest = Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string }

/** Returns the path of the package. */
export function packClient(folder: string): string {
  const stage = mkdtempSync(join(tmpdir(), 'gatewatch-client-'))
  try {
    const dist = join(stage, 'dist')
    execFileSync(TSC, [join(own, 'src', 'client.ts'), '--outDir', dist, '--types', '', ...OPTIONS.split(' ')])
    // The compiler rewrites the imports of JavaScript only.
    for (const name of readdirSync(dist).filter((file) => file.endsWith('.d.ts'))) {
      const file = join(dist, name)
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/from '(\.\/[\w-]+)\.ts'/g, "from '$1.js'"))
    }
    copyFileSync(join(own, 'README.md'), join(stage, 'README.md'))
    copyFileSync(join(own, '..', 'LICENSE'), join(stage, 'LICENSE'))
    const source = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as Manifest
    const { private: _private, devDependencies: _development, ...rest } = source
    const manifest = {
      ...rest,
      exports: { '.': { types: './dist/client.d.ts', default: './dist/client.js' } },
      files: ['dist'],
    }
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
    const name = `${source.name}-${source.version}.tgz`
    execFileSync('npm', ['pack', '--silent', '--pack-destination', resolve(folder)], { cwd: stage })
    return join(resolve(folder), name)
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

if (import.meta.main) process.stdout.write(`${packClient(process.argv[2] ?? '.')}\n`)
