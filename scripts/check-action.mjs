/**
 * The GitHub Action of action.yml: runs `gatewatch check`, and comments the differences on the pull request.
 *
 * Plain JavaScript, because the runner's Node may be older than the one that Gatewatch needs.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { linkPinnedNode } from './pinned-node.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** Recognizes our comment in later runs. */
const MARK = '<!-- gatewatch-check -->'
const PAGE = 100
const { env } = process

function check() {
  const report = join(mkdtempSync(join(tmpdir(), 'gatewatch-')), 'report.md')
  const files = ['sarif', 'junit'].flatMap((kind) => {
    const file = env[`INPUT_${kind.toUpperCase()}`]
    return file ? [`--${kind}`, file] : []
  })
  const pinned = join(root, 'node_modules', '.bin', 'node')
  linkPinnedNode(join(root, 'node_modules'))
  const node = existsSync(pinned) ? pinned : process.execPath
  const policy = env.INPUT_POLICY || 'policy.yaml'
  const args = [join(root, 'server', 'bin', 'gatewatch.mjs'), 'check', '--markdown', report, ...files, '--', policy]
  const { status } = spawnSync(node, args, { stdio: 'inherit' })
  return { status: status ?? 70, markdown: existsSync(report) ? readFileSync(report, 'utf8') : undefined }
}

async function github(method, path, body) {
  const response = await fetch(`${env.GITHUB_API_URL}${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${env.INPUT_TOKEN}`,
      'content-type': 'application/json',
      'user-agent': 'gatewatch-check',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`GitHub returned ${response.status} for ${method} ${path}`)
  return await response.json()
}

async function ownComment(comments) {
  for (let page = 1; ; page += 1) {
    const list = await github('GET', `${comments}?per_page=${PAGE}&page=${page}`)
    const own = list.find(({ body, user }) => body?.startsWith(MARK) && user?.type === 'Bot')
    if (own !== undefined || list.length < PAGE) return own
  }
}

/** Changes the comment of an earlier run. A first comment is made only if something differs. */
async function comment(markdown, isFailure) {
  const event = env.GITHUB_EVENT_PATH ? JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8')) : {}
  const number = event.pull_request?.number
  if (number === undefined || env.INPUT_COMMENT !== 'true' || !env.INPUT_TOKEN) return
  const issues = `/repos/${env.GITHUB_REPOSITORY}/issues`
  const own = await ownComment(`${issues}/${number}/comments`)
  const body = `${MARK}\n${markdown}`
  if (own !== undefined) await github('PATCH', `${issues}/comments/${own.id}`, { body })
  else if (isFailure) await github('POST', `${issues}/${number}/comments`, { body })
}

const { status, markdown } = check()
process.exitCode = status
if (markdown !== undefined) {
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, markdown)
  try {
    await comment(markdown, status !== 0)
  } catch (error) {
    // The result of the check counts, whether it can be commented or not.
    console.log(`::warning::The differences could not be commented: ${error.message}`)
  }
}
