/** Safes of three versions: created by the factory, then every change that owners can make. */
import { type Hex, zeroAddress } from 'viem'
import { type SafeVersion, safeContract } from './compile.ts'
import { ANY, call, type EmittedEvent, type Scenario, word } from './scenario.ts'

const PATHS: Readonly<Record<SafeVersion, { singleton: string; factory: string; create: string }>> = {
  '1.3.0': { singleton: 'GnosisSafeL2', factory: 'proxies/GnosisSafeProxyFactory', create: 'createProxyWithNonce' },
  '1.4.1': { singleton: 'SafeL2', factory: 'proxies/SafeProxyFactory', create: 'createProxyWithNonce' },
  '1.5.0': { singleton: 'SafeL2', factory: 'proxies/SafeProxyFactory', create: 'createProxyWithNonce' },
}
const SENTINEL: Hex = '0x0000000000000000000000000000000000000001'

export async function safe({ evm, expectEvents, watch }: Scenario, version: SafeVersion): Promise<void> {
  const [me, other] = evm.accounts as readonly [Hex, Hex]
  const { singleton: name, factory: path, create } = PATHS[version]
  const singleton = await evm.deploy(safeContract(version, name))
  const factory = watch(await evm.deploy(safeContract(version, path)))
  const setup = call(singleton, 'setup', [[me], 1n, zeroAddress, '0x', zeroAddress, zeroAddress, 0n, zeroAddress])
  const { data: made, tx } = await createThroughFactory()
  const wallet = watch({ address: made, abi: singleton.abi, txHash: tx }, 'safe')
  expectEvents(
    tx,
    [
      wallet,
      'safe.setup',
      'setup',
      {
        initiator: factory.address,
        owners: [me],
        threshold: '1',
        initializer: zeroAddress,
        fallbackHandler: zeroAddress,
      },
    ],
    [factory, 'safe.proxy_creation', 'setup', { proxy: made, singleton: singleton.address, subject: made }],
  )

  /** The signature of the only owner, who is the sender: Safe accepts it as pre-approved. */
  const signature: Hex = `0x${me.slice(2).padStart(64, '0')}${'0'.repeat(64)}01`
  const exec = async (data: Hex, ...events: readonly EmittedEvent[]): Promise<void> => {
    const args = [wallet.address, 0n, data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, signature]
    expectEvents(
      await evm.send(wallet, 'execTransaction', args),
      [
        wallet,
        'safe.multisig_tx',
        'info',
        {
          to: wallet.address,
          value: '0',
          data,
          operation: 0,
          safeTxGas: '0',
          baseGas: '0',
          gasPrice: '0',
          gasToken: zeroAddress,
          refundReceiver: zeroAddress,
          signatures: signature,
          additionalInfo: ANY,
        },
      ],
      ...events,
      [wallet, 'safe.exec_ok', 'info', { txHash: ANY, payment: '0' }],
    )
  }

  await exec(call(wallet, 'addOwnerWithThreshold', [other, 1n]), [wallet, 'safe.added_owner', 'high', { owner: other }])
  await exec(call(wallet, 'enableModule', [me]), [wallet, 'safe.enabled_module', 'critical', { module: me }])
  const inner = call(wallet, 'changeThreshold', [2n])
  const moduleCall = { to: wallet.address, value: '0', data: inner, operation: 0 }
  const detailed: readonly EmittedEvent[] = [[wallet, 'safe.module_tx', 'high', { module: me, ...moduleCall }]]
  expectEvents(
    await evm.send(wallet, 'execTransactionFromModule', [wallet.address, 0n, inner, 0]),
    ...detailed,
    [wallet, 'safe.changed_threshold', 'high', { threshold: '2', previousThreshold: '1' }],
    [wallet, 'safe.module_tx_ok', 'high', { module: me }],
  )
  const lower = call(wallet, 'removeOwner', [SENTINEL, other, 1n])
  // The newest owner is first in the linked list, after the sentinel.
  expectEvents(
    await evm.send(wallet, 'execTransactionFromModule', [wallet.address, 0n, lower, 0]),
    ...detailed.map(
      ([emitter, key, severity, args]): EmittedEvent => [emitter, key, severity, { ...args, data: lower }],
    ),
    [wallet, 'safe.removed_owner', 'high', { owner: other }],
    [wallet, 'safe.changed_threshold', 'critical', { threshold: '1', previousThreshold: '2' }],
    [wallet, 'safe.module_tx_ok', 'high', { module: me }],
  )
  expectEvents(
    await evm.send(wallet, 'execTransactionFromModule', [factory.address, 0n, '0xdeadbeef', 0]),
    ...detailed.map(
      ([emitter, key, severity, args]): EmittedEvent => [
        emitter,
        key,
        severity,
        { ...args, to: factory.address, data: '0xdeadbeef' },
      ],
    ),
    [wallet, 'safe.module_tx_fail', 'info', { module: me }],
  )
  await exec(call(wallet, 'setFallbackHandler', [factory.address]), [
    wallet,
    'safe.changed_fallback_handler',
    'critical',
    { handler: factory.address },
  ])
  await exec(call(wallet, 'setGuard', [zeroAddress]), [
    wallet,
    'safe.changed_guard',
    'critical',
    { guard: zeroAddress },
  ])
  if (version === '1.5.0')
    await exec(call(wallet, 'setModuleGuard', [zeroAddress]), [
      wallet,
      'safe.changed_module_guard',
      'critical',
      { moduleGuard: zeroAddress },
    ])
  await exec(call(wallet, 'disableModule', [SENTINEL, me]), [wallet, 'safe.disabled_module', 'high', { module: me }])
  const approved = word(0xabc)
  expectEvents(await evm.send(wallet, 'approveHash', [approved]), [
    wallet,
    'safe.approve_hash',
    'info',
    { approvedHash: approved, owner: me },
  ])

  async function createThroughFactory(): Promise<{ data: Hex; tx: Hex }> {
    const args = [singleton.address, setup, 7n]
    const result = await evm.read(factory, create, args)
    return { data: `0x${result.slice(-40)}`, tx: await evm.send(factory, create, args) }
  }
}
