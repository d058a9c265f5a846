#!/usr/bin/env node
// Plain JavaScript, so that an older Node can still say what is missing.
import * as nodeModule from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Gatewatch needs Node 24 or later, and this is ${process.version}. On Linux \`npm start\` brings it; elsewhere install it from nodejs.org.`,
  )
  process.exit(69)
}
// Compiling what is imported takes longer than running it: keep the result, where it goes with the installation.
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
nodeModule.enableCompileCache(join(root, 'node_modules', '.cache', 'compile'))
await import('../src/cli/gatewatch.ts')
