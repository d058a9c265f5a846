/** The GitHub Action against a server that speaks the part of GitHub's API that it uses. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { freePort } from '../testing/support/port.ts'
import { REPOSITORY } from '../testing/support/service.ts'
import { temporaryFolder } from '../testing/support/temporary-folder.ts'

type Comment = { readonly id: number; body: string; readonly user: { readonly type: string } }

test('the differences are commented once, and the comment is changed later', async (context) => {
  const cwd = temporaryFolder()
  const foreign = { id: 1, body: '<!-- gatewatch-check --> not ours', user: { type: 'User' } }
  const comments: Comment[] = [foreign]
  const requests: string[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const [path = ''] = (request.url ?? '').split('?')
    requests.push(`${request.method} ${path}`)
    assert.equal(request.headers.authorization, 'Bearer token-of-the-run')
    const { body = '' } = (text === '' ? {} : JSON.parse(text)) as { body?: string }
    const own = comments.find(({ id }) => path === `/repos/o/r/issues/comments/${id}`)
    if (request.method === 'PATCH' && own !== undefined) own.body = body
    if (request.method === 'POST') comments.push({ id: comments.length + 1, body, user: { type: 'Bot' } })
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(request.method === 'GET' ? comments : {}))
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  context.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const [event, summary] = [join(cwd, 'event.json'), join(cwd, 'summary.md')]
  writeFileSync(event, JSON.stringify({ pull_request: { number: 7 } }))
  writeFileSync(join(cwd, 'own.yaml'), `version: 1\ncontracts: [{ chain: base, address: "0x${'ab'.repeat(20)}" }]\n`)
  const env = {
    PATH: process.env.PATH,
    GITHUB_API_URL: `http://127.0.0.1:${port}`,
    GITHUB_EVENT_PATH: event,
    GITHUB_REPOSITORY: 'o/r',
    GITHUB_STEP_SUMMARY: summary,
    INPUT_POLICY: 'own.yaml',
    INPUT_COMMENT: 'true',
    INPUT_TOKEN: 'token-of-the-run',
    BASE_RPC_URL: `http://127.0.0.1:${await freePort()}`,
  }
  const run = async (): Promise<number> => {
    const child = spawn(process.execPath, [join(REPOSITORY, 'scripts', 'check-action.mjs')], { cwd, env })
    const [code] = (await once(child, 'exit')) as [number]
    return code
  }
  // The endpoint does not respond, so that the result is the same each time.
  assert.equal(await run(), 2)
  assert.equal(await run(), 2)
  assert.deepEqual(requests, [
    'GET /repos/o/r/issues/7/comments',
    'POST /repos/o/r/issues/7/comments',
    'GET /repos/o/r/issues/7/comments',
    'PATCH /repos/o/r/issues/comments/2',
  ])
  assert.match(
    comments[1]?.body ?? '',
    /^<!-- gatewatch-check -->\n### Control of contracts\n\n`own\.yaml`: 1 contract/,
  )
  assert.equal(comments[0], foreign)
  assert.match(readFileSync(summary, 'utf8'), /### Control of contracts/)
})

test('no input of the action is part of a command', () => {
  const { runs, inputs } = parse(readFileSync(join(REPOSITORY, 'action.yml'), 'utf8')) as {
    runs: { steps: { run: string; env?: Record<string, string> }[] }
    inputs: Record<string, unknown>
  }
  for (const { run } of runs.steps) assert.doesNotMatch(run, /\$\{\{/)
  const passed = Object.keys(runs.steps.at(-1)?.env ?? {})
  assert.deepEqual(
    passed,
    Object.keys(inputs).map((name) => `INPUT_${name.toUpperCase()}`),
  )
})
