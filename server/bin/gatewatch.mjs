#!/usr/bin/env node
// Plain JavaScript, so that an older Node can still say what is missing.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Gatewatch needs Node 24 or later, and this is ${process.version}. On Linux \`npm start\` brings it; elsewhere install it from nodejs.org.`,
  )
  process.exit(69)
}
await import('../src/cli/gatewatch.ts')
