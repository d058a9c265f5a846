/** A thread that turns one SVG image into PNG: this takes tens of milliseconds of CPU time. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

const fontBuffers = ['geist-400.ttf', 'geist-600.ttf'].map((name) =>
  readFileSync(join(import.meta.dirname, 'fonts', name)),
)
await initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')))
const font = { fontBuffers, loadSystemFonts: false, defaultFontFamily: 'Geist' }
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(new Resvg(workerData as string, { font }).render().asPng())
