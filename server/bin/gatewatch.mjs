#!/usr/bin/env node
// Plain JavaScript, so that an older Node can start the pinned one, or print the message below.
import { spawn } from 'node:child_process'
import * as nodeModule from 'node:module'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const own = fileURLToPath(import.meta.url)
const root = dirname(dirname(dirname(own)))
const isOld = Number(process.versions.node.split('.')[0]) < 24
const isPackage = root.split(sep).includes('node_modules')
/** Set for the process below, so that it does not start another one. */
const STARTED = 'GATEWATCH_STARTED_BY'

/** The Node that this package depends on; undefined if npm could not install it. */
function pinnedNode() {
  try {
    const name = `node-${process.platform}-${process.arch}`
    return join(dirname(nodeModule.createRequire(own).resolve(`${name}/package.json`)), 'bin', 'node')
  } catch {
    return undefined
  }
}

/** Runs this file with another Node, or with further options, which its threads and processes inherit. */
function runAgain(node) {
  const hook = new URL('./strip-types.mjs', import.meta.url).href
  const options = isPackage ? `--import=${hook} --disable-warning=ExperimentalWarning` : ''
  const env = { ...process.env, [STARTED]: String(process.pid) }
  env.NODE_OPTIONS = [process.env.NODE_OPTIONS, options].filter(Boolean).join(' ')
  const child = spawn(node, [own, ...process.argv.slice(2)], { stdio: 'inherit', env })
  // A terminal sends Ctrl-C to both. Other signals reach this process only.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`Gatewatch could not start ${node}: ${error.message}`)
    process.exit(69)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)))
}

if ((isOld || isPackage) && process.env[STARTED] !== String(process.ppid)) {
  const node = isOld ? pinnedNode() : process.execPath
  if (node === undefined) {
    console.error(
      `Gatewatch needs Node 24 or later; this is ${process.version}. On Linux, \`npm start\` installs it. Elsewhere, install it from nodejs.org.`,
    )
    process.exit(69)
  }
  runAgain(node)
} else {
  // Caches compiled modules, because compiling takes longer than running. The cache is part of the installation.
  nodeModule.enableCompileCache(join(root, 'node_modules', '.cache', 'compile'))
  await import('../src/cli/gatewatch.ts')
}
