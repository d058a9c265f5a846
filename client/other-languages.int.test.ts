/** The Python and Go clients against a real service, and against one that limits, fails and redirects. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { hexOf, storeEvent } from '../testing/support/control-records.ts'
import { createTestDatabase } from '../testing/support/database.ts'
import { makeTestAccount, makeTestKey, startService } from '../testing/support/service.ts'
import { temporaryFolder } from '../testing/support/temporary-folder.ts'

const folder = temporaryFolder()
const run = promisify(execFile)
const own = import.meta.dirname
const { version: VERSION } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as { version: string }

function missing(command: string, args: readonly string[], needed: RegExp): string | false {
  const { stdout, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (error !== undefined) return `${command} is not installed`
  return needed.test(stdout) ? false : `${command} is too old: ${stdout.trim()}`
}
const noPython = missing('python3', ['--version'], /Python 3\.(1[1-9]|[2-9]\d)/)
const noPip = noPython || missing('python3', ['-m', 'pip', '--version'], /pip (2[3-9]|[3-9]\d)/)
const noGo = missing('go', ['version'], /go1\.(2[3-9]|[3-9]\d)/)

const PYTHON = `
import asyncio, json, os
from gatewatch import AsyncGatewatch, Gatewatch, GatewatchError

url, odd, control, coins = (os.environ[name] for name in ("URL", "ODD_URL", "KEY", "COINS_KEY"))
client = Gatewatch(url, control_key=control, coins_key=coins)

async def read_async():
    return [event["blockNumber"] async for event in AsyncGatewatch(url, control_key=control).iter_events(limit=2)]

def code_of(call):
    try:
        call()
    except GatewatchError as error:
        return [error.status, error.code]

pauses = []
odd_client = Gatewatch(odd, control_key=control, sleep=pauses.append)
print(json.dumps({
    "sync": [event["blockNumber"] for event in client.iter_events(limit=2)],
    "async": asyncio.run(read_async()),
    "page": client.events(limit=2).next_cursor is not None,
    "missing": code_of(lambda: client.contract("ethereum", "0x" + "00" * 19 + "07")),
    "coins": [chain["id"] for chain in client.coin_chains()["chains"]],
    "refused": code_of(lambda: client.simulate("x", to_address="y", amount=1)),
    "limited": [odd_client.events().data, pauses],
    "redirect": code_of(lambda: odd_client.protocol("moved")),
    "garbage": code_of(lambda: odd_client.protocol("garbage")),
    "longest": str(odd_client.contract("ethereum", "0x" + "00" * 19 + "07")["latestSnapshot"]["extra"]["minDelay"]),
    "repr": control in repr(client._transport._options),
}))
`

const GO = `package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"

	gatewatch "gatewatch/client"
)

func codeOf(err error) []any {
	var refused *gatewatch.Error
	if errors.As(err, &refused) {
		return []any{refused.Status, refused.Code}
	}
	return []any{nil, err != nil}
}

func main() {
	ctx := context.Background()
	client := gatewatch.New(os.Getenv("URL"), os.Getenv("KEY"), os.Getenv("COINS_KEY"))
	odd := gatewatch.New(os.Getenv("ODD_URL"), os.Getenv("KEY"), "")
	blocks := []int64{}
	for event, err := range client.AllEvents(ctx, gatewatch.EventsOptions{Limit: gatewatch.Ptr(int64(2))}) {
		if err != nil {
			panic(err)
		}
		blocks = append(blocks, event.BlockNumber)
	}
	_, missing := client.Contract(ctx, "ethereum", "0x0000000000000000000000000000000000000007")
	chains, err := client.CoinChains(ctx)
	if err != nil {
		panic(err)
	}
	ids := []string{}
	for _, chain := range chains.Chains {
		ids = append(ids, chain.ID)
	}
	_, refused := client.Simulate(ctx, "x", gatewatch.SimulateOptions{ToAddress: gatewatch.Ptr("y"), Amount: gatewatch.Ptr(int64(1))})
	limited, err := odd.Events(ctx, gatewatch.EventsOptions{})
	if err != nil {
		panic(err)
	}
	_, moved := odd.Protocol(ctx, "moved")
	_, garbage := odd.Protocol(ctx, "garbage")
	frozen, err := odd.Contract(ctx, "ethereum", "0x0000000000000000000000000000000000000007")
	if err != nil {
		panic(err)
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"sync": blocks, "missing": codeOf(missing), "coins": ids, "refused": codeOf(refused),
		"limited": limited.Items, "redirect": codeOf(moved), "garbage": codeOf(garbage),
		"longest": frozen.LatestSnapshot.Extra.MinDelay.String(),
	})
}
`

/** Requests that reached the host of a redirect, which must never see the key. */
const elsewhere: string[] = []
const store = await createTestDatabase()
const service = await startService(store, { env: { ROLES: 'serve' } })
const account = await makeTestAccount(store.database, { plan: 'team', utxoPlan: 'pro' })
const [v1, v2] = [await makeTestKey(store.database, account, 'v1'), await makeTestKey(store.database, account, 'v2')]
const blocks: number[] = []
for (let n = 0; n < 5; n++)
  blocks.push((await storeEvent(store.database, { chainId: 1, address: hexOf(n, 20) })).blockNumber)
const stored = blocks.toSorted((a, b) => a - b)
const env = { ...process.env, URL: service.url, KEY: v1.key, COINS_KEY: v2.key, ODD_URL: await oddService() }

/** A delay that a contract can have. */
const LONGEST = String(2n ** 256n - 1n)

/** Limits two of three requests, redirects, and returns what is no JSON. */
async function oddService(): Promise<string> {
  let requests = 0
  const server = createServer(({ url = '' }, response) => {
    if (url.startsWith('/elsewhere')) elsewhere.push(url)
    if (url.includes('moved')) return response.writeHead(302, { location: '/elsewhere' }).end()
    if (url.includes('garbage')) return response.end('<html>')
    if (url.includes('/contracts/'))
      return response.end(`{"data":{"latestSnapshot":{"extra":{"minDelay":${LONGEST}}}},"nextCursor":null}`)
    requests += 1
    if (requests % 3 === 0) return response.end('{"data":[],"nextCursor":null}')
    return response.writeHead(requests % 3 === 1 ? 429 : 503, { 'retry-after': '0' }).end('{}')
  }).listen(0, '127.0.0.1')
  server.unref()
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

type Result = Readonly<Record<string, unknown>>
const sorted = (blocks: unknown): readonly number[] => (blocks as number[]).toSorted((a, b) => a - b)

function checkCommon(result: Result): void {
  assert.deepEqual(sorted(result.sync), stored)
  assert.deepEqual(result.missing, [404, 'contract_not_found'])
  assert.deepEqual(result.coins, ['btc', 'ltc'])
  assert.deepEqual(result.refused, [400, 'CHAIN_DISABLED'])
  assert.deepEqual(result.redirect, [302, 'http_error'])
  assert.equal(result.longest, LONGEST)
  assert.deepEqual(elsewhere, [])
}

test('Python', { skip: noPython }, async () => {
  const { stdout } = await run('python3', ['-c', PYTHON], {
    env: { ...env, PYTHONPATH: join(own, 'python'), PYTHONDONTWRITEBYTECODE: '1' },
  })
  const result = JSON.parse(stdout) as Result
  checkCommon(result)
  assert.deepEqual(sorted(result.async), stored)
  assert.deepEqual([result.page, result.repr], [true, false])
  assert.deepEqual(result.limited, [[], [0, 0]])
  assert.deepEqual(result.garbage, [null, 'invalid_response'])
})

test('a wheel, installed into an environment of its own', { skip: noPip }, async (t) => {
  // The build writes into the folder of the sources.
  const [source, wheels, place] = [join(folder, 'python'), join(folder, 'wheels'), join(folder, 'venv')]
  cpSync(join(own, 'python'), source, { recursive: true })
  await run('python3', ['-m', 'venv', '--without-pip', place])
  const python = join(place, 'bin', 'python')
  const pip = (...args: readonly string[]) =>
    run('python3', ['-m', 'pip', '--python', python, '--disable-pip-version-check', '--quiet', ...args])
  try {
    await pip('wheel', '--no-deps', '--wheel-dir', wheels, source)
  } catch (error) {
    // The build needs setuptools of PyPI.
    const reason = /No matching distribution|NewConnectionError|Temporary failure/.exec(String(error))
    if (reason === null || (process.env.CI ?? '') !== '') throw error
    return t.skip(`no package index can be reached: ${reason[0]}`)
  }
  const [wheel = '', ...others] = readdirSync(wheels)
  assert.deepEqual([wheel, others], [`gatewatch-${VERSION}-py3-none-any.whl`, []])
  await pip('install', '--no-index', join(wheels, wheel))
  await pip('check')
  const METADATA = `
import json, gatewatch
from importlib.metadata import distribution
from pathlib import Path
found = distribution("gatewatch")
typed = (Path(gatewatch.__file__).parent / "py.typed").exists()
print(json.dumps([found.version, found.requires, found.metadata["Requires-Python"], found.metadata["License"], typed]))
`
  // Isolated: neither the variables of Python nor the current folder count.
  const { stdout: metadata } = await run(python, ['-I', '-c', METADATA], { cwd: folder })
  assert.deepEqual(JSON.parse(metadata), [VERSION, null, '>=3.11', 'MIT', true])
  const { stdout } = await run(python, ['-I', '-c', PYTHON], { cwd: folder, env })
  checkCommon(JSON.parse(stdout) as Result)
  const example = await run(python, ['-I', join(own, 'python', 'examples', 'critical_events.py')], { cwd: folder, env })
  assert.equal(example.stdout.trim().split('\n').length, stored.length)
})

test('a Go module that another module uses', { skip: noGo }, async () => {
  const [module, program] = [join(folder, 'go'), join(folder, 'program')]
  cpSync(join(own, 'go'), module, { recursive: true })
  mkdirSync(program)
  writeFileSync(join(program, 'main.go'), GO)
  // The lines of the README.
  const uses = `require gatewatch/client v${VERSION}\nreplace gatewatch/client => ${module}\n`
  writeFileSync(join(program, 'go.mod'), `module example.org/program\n\ngo 1.23\n\n${uses}`)
  const options = { cwd: module, env: { ...env, GOTOOLCHAIN: 'local', GOPROXY: 'off', GOFLAGS: '-mod=readonly' } }
  assert.equal((await run('gofmt', ['-l', '.'], options)).stdout, '')
  await run('go', ['vet', './...'], options)
  assert.equal((await run('go', ['list', '-m', 'all'], options)).stdout.trim(), 'gatewatch/client', 'no dependencies')
  const example = await run('go', ['run', './examples/feed'], options)
  assert.equal(example.stdout.trim().split('\n').length, stored.length)
  const { stdout } = await run('go', ['run', '.'], { ...options, cwd: program })
  const result = JSON.parse(stdout) as Result
  checkCommon(result)
  assert.deepEqual(result.limited, [])
  assert.deepEqual(result.garbage, [null, true])
})
