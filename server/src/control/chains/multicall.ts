/** The function of Multicall3 (https://www.multicall3.com) that runs calls and returns also those that failed. */
import { parseAbi } from 'viem/utils'

export const MULTICALL_ABI = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) payable returns (Result[] results)',
])
