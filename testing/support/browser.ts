/**
 * Launches Chromium for tests: npm's on x64, otherwise the machine's own.
 *
 * npm's Chromium is unpacked once into `node_modules/.cache`, under a temporary name until it is complete, because two test
 * files may start at once. Its fonts are the same on every machine, so that screenshots of text can be compared.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { type Browser, chromium } from 'playwright-core'

const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache')
const PACKAGE = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')))
const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)
const isPacked = process.arch === 'x64' && process.platform === 'linux'

/** The reason why there is no browser, or false: the value of a test's `skip`. In CI a missing browser is a failure. */
export const browserMissing: string | false =
  isPacked || INSTALLED !== undefined ? false : 'no Chromium on this machine (on Debian: apt-get install chromium)'
if (browserMissing !== false && process.env.CI !== undefined) throw new Error(browserMissing)

/** Launches a browser that closes after the tests of the file. */
export async function browserForTests(): Promise<Browser> {
  const browser = await launchBrowser()
  after(() => browser.close())
  return browser
}

export async function launchBrowser(): Promise<Browser> {
  const { executablePath, env } = await findBrowser()
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    // Tests run as root in containers with little shared memory, and text must look the same on every machine.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none', '--disable-lcd-text'],
  })
}

type Found = { readonly executablePath: string; readonly env: Readonly<Record<string, string>> }

async function findBrowser(): Promise<Found> {
  if (!isPacked) {
    if (INSTALLED === undefined) throw new Error(String(browserMissing))
    return { executablePath: INSTALLED, env: {} }
  }
  const folder = await unpacked(['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'])
  // Libraries and fonts that a machine without a desktop lacks.
  const libraries = [join(folder, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  const hasFonts = existsSync('/etc/fonts/fonts.conf')
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: libraries, ...(hasFonts ? {} : { FONTCONFIG_FILE: join(folder, 'fonts.conf') }) },
  }
}

/** The files of Open Sans, for a page's `@font-face`. */
export async function testFonts(): Promise<{ readonly regular: string; readonly bold: string }> {
  const folder = join(await unpacked(['fonts.tar.br']), 'fonts', 'fonts', 'Open_Sans')
  return { regular: join(folder, 'OpenSans-Regular.ttf'), bold: join(folder, 'OpenSans-Bold.ttf') }
}

async function unpacked(archives: readonly string[]): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string }
  const folder = join(CACHE, `chromium-${version}-${archives.length}`)
  if (existsSync(folder)) return folder
  const draft = `${folder}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  const { inflate } = await import('@sparticuz/chromium')
  const usual = process.env.TMPDIR
  process.env.TMPDIR = draft // the package unpacks into the temporary folder only
  try {
    await Promise.all(archives.map((archive) => inflate(join(PACKAGE, 'bin', archive))))
  } finally {
    if (usual === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = usual
  }
  const fonts = `<dir>${join(folder, 'fonts')}</dir><cachedir>${join(folder, 'fonts-cache')}</cachedir>`
  writeFileSync(join(draft, 'fonts.conf'), `<?xml version="1.0"?><fontconfig>${fonts}</fontconfig>\n`)
  try {
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error // another test file was faster
  }
  return folder
}
