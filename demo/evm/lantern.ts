/** Lantern DAO: token holders vote, and a timelock delays decisions by three days. */
import { encodeFunctionData, type Hex, keccak256, stringToHex, zeroAddress, zeroHash } from 'viem'
import { demoAccount } from './accounts.ts'
import type { Contract } from './chain.ts'
import { callOf, DAY, type Life, type registrar, roleOf, type Stage } from './world.ts'

type Proposal = { readonly args: readonly unknown[]; readonly id: bigint; readonly block: number; isVoted: boolean }

/** The governor's voting period plus one block. */
const VOTING_BLOCKS = 40 + 1

export async function lanternDao(
  { chain, artifacts, ago }: Stage,
  register: ReturnType<typeof registrar>,
): Promise<Life> {
  const { Assembly, VotesToken, TimelockController, OwnedVault, OwnedVaultTwo, ERC1967Proxy } = artifacts
  const founder = demoAccount('Quentin of Lantern').address
  const token = chain.deploy(founder, VotesToken, founder)
  const lock = chain.deploy(founder, TimelockController, BigInt(3 * DAY), [], [], founder)
  const assembly = chain.deploy(founder, Assembly, token.address, lock.address)
  const [one, two] = [chain.deploy(founder, OwnedVault), chain.deploy(founder, OwnedVaultTwo)]
  const setup = callOf(OwnedVault, 'initialize', lock.address)
  const proxy = chain.deploy(founder, ERC1967Proxy, one.address, setup)
  const treasury: Contract = { ...proxy, abi: OwnedVault.abi }
  await ago(49 * DAY)
  register('Lantern DAO', 'Lantern Treasury', 'proxy_uups', treasury)
  register('Lantern DAO', 'Lantern Timelock', 'timelock_oz', lock)
  register('Lantern DAO', 'Lantern Assembly', 'governor', assembly)
  register('Lantern DAO', 'Lantern Token', 'immutable', token, { symbol: 'LNTN', decimals: 18 })

  let count = 0
  let open: Proposal | undefined
  const height = async (): Promise<number> => Number(await chain.rpc<Hex>('eth_blockNumber'))

  const propose = async (): Promise<boolean> => {
    if (open !== undefined) return false
    count += 1
    const next = count % 2 === 1 ? two.address : one.address
    const description = `LIP-${count}: move the treasury to version ${count + 1}`
    const calls = [[treasury.address], [0n], [callOf(OwnedVault, 'upgradeToAndCall', next, '0x')]]
    chain.call(founder, assembly, 'propose', ...calls, description)
    const args = [...calls, keccak256(stringToHex(description))]
    const data = encodeFunctionData({ abi: Assembly.abi, functionName: 'hashProposal', args })
    const id = BigInt(await chain.rpc<Hex>('eth_call', { to: assembly.address, data }, 'latest'))
    open = { args, id, block: (await height()) + 1, isVoted: false }
    return true
  }
  const vote = async (): Promise<boolean> => {
    if (open === undefined || open.isVoted || (await height()) > open.block + VOTING_BLOCKS - 3) return false
    chain.call(founder, assembly, 'castVote', open.id, 1)
    open.isVoted = true
    return true
  }
  const queue = async (): Promise<boolean> => {
    if (open === undefined || (await height()) < open.block + VOTING_BLOCKS) return false
    const { isVoted, args } = open
    open = undefined
    if (isVoted) chain.call(founder, assembly, 'queue', ...args)
    return isVoted
  }
  return {
    past: [
      [
        39 * DAY,
        () => {
          chain.call(founder, token, 'delegate', founder)
          chain.call(founder, lock, 'grantRole', roleOf('PROPOSER_ROLE'), assembly.address)
          chain.call(founder, lock, 'grantRole', roleOf('CANCELLER_ROLE'), assembly.address)
          chain.call(founder, lock, 'grantRole', roleOf('EXECUTOR_ROLE'), zeroAddress)
        },
      ],
      [38 * DAY, () => chain.call(founder, lock, 'renounceRole', zeroHash, founder)],
    ],
    acts: [propose, vote, () => false, queue, () => false, queue],
  }
}
