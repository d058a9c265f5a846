/** Tokens of governors whose holders, by a harmless call, let one key take their votes. */
import { type Hex, parseSignature } from 'viem'
import { type Case, type Twin, WEAK } from '../case.ts'
import type { Built, Chain } from '../chain.ts'
import { TENTH, voted } from './lists.ts'
import { controlledBy, part, passAsVoter, voting } from './lying-getters.ts'
import { NEW_EVM } from './second-writers.ts'
import { voteAfter } from './walks.ts'

/** What the holder of all votes does before the label is given. */
type Use = (chain: Chain, token: Hex, holder: Hex) => Promise<void>
const call =
  (signature: string, argsOf: (chain: Chain) => readonly unknown[] = () => []): Use =>
  (chain, token, holder) =>
    chain.send(token, signature, argsOf(chain), holder)
const other = (chain: Chain): Hex => chain.hidden(2).address
const MOST = 6n * TENTH

async function used(chain: Chain, name: string, use: Use): Promise<Hex> {
  const holder = chain.hidden(1).address
  const token = await chain.deploy(name, holder, chain.hidden().address)
  await use(chain, token, holder)
  return token
}

/** A vote without a delay. */
const byBallots = (name: string, use: Use): Case['build'] => voted('HonestBallots', (chain) => used(chain, name, use))
const takeBallots: Case['exploit'] = voteAfter((attack, token) =>
  attack.send(token, 'transferFrom(address,address,uint96)', [attack.hidden(1).address, attack.account.address, MOST]),
)

/** A vote of OpenZeppelin's governor, and its timelock. */
const byGovernor =
  (name: string, use: Use) =>
  async (chain: Chain): Promise<Built> => {
    const { lock, token, governor } = await voting(chain, 'TokenGovernor', () => used(chain, name, use))
    return controlledBy(chain, lock, { token, governor })
  }
const takeVotes: Case['exploit'] = async (attack, built) => {
  const [holder, self] = [attack.hidden(1).address, attack.account.address]
  await attack.send(part(built, 'token'), 'transferFrom(address,address,uint256)', [holder, self, MOST])
  await passAsVoter(attack, built)
}

/** The holder signs an allowance of one unit for another account. */
const permit: Use = async (chain, token) => {
  const holder = chain.hidden(1)
  const deadline = 1n << 200n
  const types = {
    Permit: ['owner', 'spender', 'value', 'nonce', 'deadline'].map((name) => ({
      name,
      type: name === 'owner' || name === 'spender' ? 'address' : 'uint256',
    })),
  }
  const { v, r, s } = parseSignature(
    await holder.signTypedData({
      domain: {
        name: 'Votes',
        version: '1',
        chainId: Number(await chain.node.rpc('eth_chainId')),
        verifyingContract: token,
      },
      types,
      primaryType: 'Permit',
      message: { owner: holder.address, spender: other(chain), value: 1n, nonce: 0n, deadline },
    }),
  )
  await chain.send(token, 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)', [
    holder.address,
    other(chain),
    1n,
    deadline,
    Number(v),
    r,
    s,
  ])
}

const ballots = { exploit: takeBallots } as const
const governor = { exploit: takeVotes, settings: NEW_EVM } as const
const transfer96 = call('transfer(address,uint96)', (chain) => [other(chain), 1n])
const transfer256 = call('transfer(address,uint256)', (chain) => [other(chain), 1n])

const drafts: readonly Omit<Case, 'cause' | 'by' | 'truth'>[] = [
  {
    name: 'a transfer of votes lets one key take the others',
    build: byBallots('TransferAllowsKey', transfer96),
    ...ballots,
  },
  {
    name: 'a function that sends votes lets one key take the others',
    build: byBallots(
      'SendAllowsKey',
      call('send(address,uint96)', (chain) => [other(chain), 1n]),
    ),
    ...ballots,
  },
  {
    name: 'a claim lets one key take the votes of the caller',
    build: byBallots('ClaimAllowsKey', call('claim()')),
    ...ballots,
  },
  {
    name: 'an allowance for one account is also one for the key',
    build: byBallots(
      'AllowTwice',
      call('allow(address,uint96)', (chain) => [other(chain), MOST]),
    ),
    ...ballots,
  },
  {
    name: 'an allowance is for an account that is computed from the one that the holder names',
    build: byBallots(
      'AllowOther',
      call('allow(address,uint96)', () => ['0x0000000000000000000000000000000000000000', MOST]),
    ),
    ...ballots,
  },
  {
    name: "a transfer of OpenZeppelin's votes approves one key",
    build: byGovernor('TransferApprovesKey', transfer256),
    ...governor,
  },
  {
    name: "an approval of OpenZeppelin's votes approves one key",
    build: byGovernor(
      'ApproveApprovesKey',
      call('approve(address,uint256)', (chain) => [other(chain), 1n]),
    ),
    ...governor,
  },
  {
    name: "a claim of OpenZeppelin's votes approves one key",
    build: byGovernor('ClaimApprovesKey', call('claim()')),
    ...governor,
  },
  {
    name: "a permit of OpenZeppelin's votes approves one key",
    build: byGovernor('PermitApprovesKey', permit),
    ...governor,
  },
]

export const approvals: readonly Case[] = drafts.map((draft) => ({
  ...draft,
  cause: 'lying getter',
  by: 'one key',
  truth: WEAK,
}))

export const approvalTwins: readonly Twin[] = [
  {
    name: 'a vote by a token whose holders name who may take their votes',
    cause: 'lying getter',
    twinOf: 'a transfer of votes lets one key take the others',
    deserves: 'multisig',
    build: byBallots('PlainAllow', transfer96),
  },
  {
    name: "a vote by OpenZeppelin's token with permits",
    cause: 'lying getter',
    twinOf: "a permit of OpenZeppelin's votes approves one key",
    deserves: 'timelocked',
    settings: NEW_EVM,
    build: byGovernor('PermitVotes', permit),
  },
]
