import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAMILIES, findCommand, loadCommands } from './commands.ts'

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
