/** The same contract and the same events that `bench/ponder.ts` has our watcher read. */
import { createConfig } from 'ponder'
import { parseAbi } from 'viem'

const { PONDER_RPC_URL: url, BENCH_CONTRACT: address, DATABASE_URL: connectionString } = process.env

export default createConfig({
  database: { kind: 'postgres', connectionString },
  // Many times the same: its limit on requests a second is for each, and must not decide.
  chains: { ethereum: { id: 1, rpc: Array.from({ length: 16 }, () => url) } },
  contracts: {
    Watched: {
      chain: 'ethereum',
      address: address as `0x${string}`,
      startBlock: 0,
      abi: parseAbi([
        'event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)',
        'event Paused(address account)',
        'event Blacklisted(address indexed _account)',
        'event MinterConfigured(address indexed minter, uint256 minterAllowedAmount)',
      ]),
    },
  },
})
