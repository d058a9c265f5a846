#!/usr/bin/env node
// Plain JavaScript, so that an older Node can print the message below.
import * as nodeModule from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Gatewatch needs Node 24 or later; this is ${process.version}. On Linux, \`npm start\` installs it. Elsewhere, install it from nodejs.org.`,
  )
  process.exit(69)
}
// Caches compiled modules, because compiling takes longer than running. The cache is part of the installation.
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
nodeModule.enableCompileCache(join(root, 'node_modules', '.cache', 'compile'))
await import('../src/cli/gatewatch.ts')
