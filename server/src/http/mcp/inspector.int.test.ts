/** The MCP server over both transports, read by the MCP inspector where this machine has it. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { SAMPLES, seedControl } from '../../../../testing/support/sample-control.ts'
import { GATEWATCH, makeTestAccount, makeTestKey, startService } from '../../../../testing/support/service.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'

const skip =
  spawnSync('mcp-inspector', ['--cli', '--version']).status === 0
    ? false
    : 'mcp-inspector is not installed (npm install --global @modelcontextprotocol/inspector)'

test('the inspector finds the tools portable, calls them and reads resources', { skip }, async () => {
  const store = await createTestDatabase()
  const { url } = await startService(store, { env: { ROLES: 'serve' } })
  await seedControl(store.database)
  const { key } = await makeTestKey(store.database, await makeTestAccount(store.database, { plan: 'team' }), 'v1')
  const settings = [`GATEWATCH_URL=${url}`, `GATEWATCH_API_KEY=${key}`]
  const transports = {
    http: [`${url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${key}`],
    stdio: [process.execPath, GATEWATCH, 'mcp', ...settings.flatMap((setting) => ['-e', setting])],
  }
  for (const [name, target] of Object.entries(transports)) {
    // The inspector keeps a list of servers in the home folder.
    const home = temporaryFolder()
    const inspect = async (...args: readonly string[]) => {
      const { stdout, stderr } = await promisify(execFile)('mcp-inspector', ['--cli', ...target, ...args], {
        cwd: home,
        env: { PATH: process.env.PATH, HOME: home },
      })
      return { result: JSON.parse(stdout), stderr }
    }
    const { result, stderr } = await inspect('--method', 'tools/list', '--strict')
    const tools = (result as { tools: readonly { name: string }[] }).tools.map((tool) => tool.name)
    assert.deepEqual([tools.includes('contract_profile'), tools.includes('fee_rates')], [true, false], name)
    // An error of a schema would end the program. Of the schemas of inputs, which providers of models convert, none warns.
    assert.doesNotMatch(stderr, /Path: inputSchema/, name)
    const vault = ['chain=ethereum', `address=${SAMPLES.vault}`]
    const call = ['--method', 'tools/call', '--tool-name', 'contract_profile', '--tool-arg', ...vault]
    const { structuredContent } = (await inspect(...call)).result as {
      structuredContent: { data: { address: string } }
    }
    assert.equal(structuredContent.data.address, SAMPLES.vault, name)
    const read = ['--method', 'resources/read', '--uri', 'gatewatch://protocols/meadow']
    const { contents } = (await inspect(...read)).result as { contents: readonly { text: string }[] }
    assert.equal(typeof JSON.parse(contents[0]?.text ?? '').data, 'object', name)
  }
})
