/** Owners in code, and proxies and libraries that choose what they run. */
import { concatHex, type Hex, keccak256, stringToHex } from 'viem'
import type { Case } from '../case.ts'
import { callData, codeOf, system } from '../chain.ts'
import { delegateAccount } from '../delegated-accounts.ts'
import { accountWith, type Draft, seize, timelocked, upgradeTo, weakCase, word } from './answers.ts'
import { part } from './lying-getters.ts'

const drafts: readonly Draft[] = [
  {
    name: 'a second owner is in the code of another contract',
    cause: 'other guard',
    by: 'one key',
    build: async (chain) => {
      const store = await chain.deployRuntime(concatHex(['0x00', chain.hidden().address]))
      return system(await chain.uups('CodeOwner', await chain.timelock(), store))
    },
    exploit: upgradeTo,
  },
  {
    name: 'any account may replace the code that names a second owner',
    cause: 'other guard',
    build: timelocked('MovableCodeOwner'),
    exploit: async (attack, built) => {
      await attack.send(built.address, 'configure(bytes)', [attack.account.address])
      await upgradeTo(attack, built)
    },
  },
  {
    name: 'a second owner is the solution of an equation with two numbers in the code',
    cause: 'other guard',
    by: 'one key',
    build: async (chain) => {
      const shift = 123_456_789n
      return system(
        await chain.uups('SplitOwner', await chain.timelock(), shift, BigInt(chain.hidden().address) * 3n + shift),
      )
    },
    exploit: upgradeTo,
  },
  {
    name: 'the last bytes of the code are an owner',
    cause: 'other guard',
    by: 'one key',
    build: async (chain) => {
      const code = await codeOf(chain, await chain.deploy('TailOwner'))
      const logic = await chain.deployRuntime(concatHex([code, chain.hidden().address]))
      return system(await chain.proxy(logic, callData('setNumber(uint256)', [1])))
    },
    exploit: ({ send, code }, { address }) => send(address, 'upgrade(address)', [code]),
  },
  {
    name: 'one address in 256 passes by its hash',
    cause: 'other guard',
    build: timelocked('GroundSender'),
    exploit: async ({ send, code }, { address }) => {
      const as = accountWith((each) => keccak256(each).endsWith('4d'))
      await send(address, 'upgradeTo(address)', [code], { as })
    },
  },
  {
    name: 'a hash of the sender with a text is compared',
    cause: 'other guard',
    by: 'one key',
    build: async (chain) => {
      const hash = keccak256(concatHex([stringToHex('v1'), chain.hidden().address]))
      return system(await chain.uups('SaltedSender', await chain.timelock(), hash))
    },
    exploit: upgradeTo,
  },
  {
    name: 'contracts that one key deploys may upgrade',
    cause: 'other guard',
    by: 'one key',
    build: async (chain) => system(await chain.uups('CreatedSender', await chain.timelock(), chain.hidden().address)),
    exploit: async ({ account, chain, deploy, sendRaw, code }, { address }) => {
      const nonceOf = async (): Promise<number> =>
        Number(await chain.node.rpc<Hex>('eth_getTransactionCount', account.address, 'latest'))
      while ((await nonceOf()) === 0) await sendRaw(account.address, '0x')
      await deploy('CreatedUser', address, await nonceOf(), code)
    },
  },
  {
    name: 'the proxy answers owner() instead of its logic',
    cause: 'lying getter',
    by: 'one key',
    build: async (chain) =>
      system(
        await chain.deploy(
          'AnsweringProxy',
          await chain.deploy('FirstSlotOwner'),
          await chain.timelock(),
          chain.hidden().address,
        ),
      ),
    exploit: upgradeTo,
  },
  {
    name: 'the proxy compares one byte of the selector',
    cause: 'forwarder',
    build: async (chain) => system(await chain.deploy('FirstByteProxy', await chain.deploy('Plain'))),
    exploit: ({ sendRaw, code }, { address }) => sendRaw(address, concatHex(['0x9b000000', word(code)])),
  },
  {
    name: 'one sender in sixteen gets another library',
    cause: 'second writer',
    build: async (chain) =>
      system(
        await chain.uups(
          'ChoosingLogic',
          await chain.timelock(),
          await chain.deploy('HarmlessHelper'),
          await chain.deploy('WritingHelper'),
        ),
      ),
    exploit: async ({ send, code }, { address }) => {
      const as = accountWith((each) => each.endsWith('7'))
      await send(address, 'assist(bytes)', [callData('note(address)', [code])], { as })
    },
  },
  {
    name: 'a library asks a registry of one key which code to run',
    cause: 'second writer',
    by: 'one key',
    build: async (chain) => {
      const key = chain.hidden().address
      const registry = await chain.deploy('KeyRegistry', await chain.deploy('HarmlessHelper'), key)
      const helper = await chain.deploy('AskingHelper', registry)
      return system(await chain.uups('LinkedLogic', await chain.timelock(), helper), { registry })
    },
    exploit: async (attack, built) => {
      await attack.send(part(built, 'registry'), 'set(address)', [attack.code])
      await attack.send(built.address, 'assist(bytes)', [seize(attack)])
    },
  },
  {
    name: 'a library runs the code that its input begins with',
    cause: 'second writer',
    build: async (chain) =>
      system(await chain.uups('LinkedLogic', await chain.timelock(), await chain.deploy('RepeatingHelper'))),
    exploit: (attack, { address }) => attack.send(address, 'assist(bytes)', [concatHex([attack.code, seize(attack)])]),
  },
  {
    name: 'a library is an account with a key that runs the code of a contract',
    cause: 'second writer',
    by: 'one key',
    build: async (chain) => {
      const helper = chain.hidden(1)
      await delegateAccount(chain.node, helper, chain.hidden(2), await chain.deploy('HarmlessHelper'))
      return system(await chain.uups('LinkedLogic', await chain.timelock(), helper.address))
    },
    exploit: async (attack, built) => {
      await delegateAccount(attack.chain.node, attack.hidden(1), attack.hidden(2), attack.code)
      await attack.send(built.address, 'assist(bytes)', [seize(attack)])
    },
  },
]

export const ownersInCode: readonly Case[] = drafts.map(weakCase)
