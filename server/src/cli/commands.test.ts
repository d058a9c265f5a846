import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../../testing/support/temporary-folder.ts'
import { parseArguments, readText } from './command.ts'
import { FAMILIES, findCommand, loadCommands, unknownCommandText } from './commands.ts'

test('every command is found by its name, in the module of its first word', async () => {
  for (const { words, load } of FAMILIES)
    assert.deepEqual(new Set((await load()).map(({ name }) => name.split(' ')[0])), new Set(words))
  const commands = await loadCommands()
  for (const command of commands) assert.equal(await findCommand([...command.name.split(' '), '--json']), command)
  assert.equal(new Set(commands.map(({ name }) => name)).size, commands.length)
})

test('other words are no command', async () => {
  for (const typed of [[], ['account'], ['nothing'], ['start-now'], ['--help']])
    assert.equal(await findCommand(typed), undefined)
})

test('an unknown command is refused with the commands that may be meant', async () => {
  const all = 'List all commands with: gatewatch --help'
  assert.equal(
    await unknownCommandText(['key', '--json']),
    `Unknown command "key --json". Use key create, key revoke or key list. ${all}`,
  )
  assert.equal(await unknownCommandText(['stauts']), `Unknown command "stauts". Use status. ${all}`)
  assert.equal(await unknownCommandText(['nothing']), `Unknown command "nothing". ${all}`)
})

test('an unknown option and a missing file are named once', async () => {
  const status = (await findCommand(['status'])) ?? assert.fail()
  assert.throws(() => parseArguments(status, ['--jsn']), {
    message: "Unknown option '--jsn'. See: gatewatch status --help",
  })
  assert.throws(() => readText('/nothing/here'), { message: 'Cannot read /nothing/here: there is no such file.' })
})

test('a file is read without its byte order mark', () => {
  const file = join(temporaryFolder(), 'list.json')
  writeFileSync(file, '\uFEFF[]')
  assert.equal(readText(file), '[]')
})
