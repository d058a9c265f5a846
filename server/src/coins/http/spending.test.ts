/** The further terms of /simulate over HTTP, on the recorded chain: recipients, coins, change, target, lock time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordedOracle } from '../../../../testing/coins/fixtures.ts'
import { recordedChain } from '../../../../testing/coins/recorded-chain.ts'
import { startV2App } from '../../../../testing/coins/v2-app.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import { describeScript } from '../parse/address.ts'

const recorded = recordedOracle()
const chain = await recordedChain()
const { app, key } = await startV2App({ plan: () => 'pro', btc: () => chain })

type Utxo = { readonly txid: string; readonly vout: number; readonly value: number }
type Data = {
  readonly viable: boolean
  readonly reason: string | null
  readonly amount: number
  readonly recipients: { readonly address: string; readonly amount: number; readonly dustThreshold: number }[]
  readonly selectedUtxos: Utxo[]
  readonly totalInput: number
  readonly totalOutput: number
  readonly estimatedFee: number
  readonly change: number
  readonly changeAddress: string | null
  readonly outputCount: number
  readonly feeRate: number
  readonly psbt?: string
  readonly psbtV2?: string
  readonly warnings: string[]
  readonly excluded: Record<string, number>
}

async function simulate(
  body: unknown,
): Promise<{ readonly outcome: string; readonly error: string; readonly data: Data }> {
  const { statusCode, body: text } = await app.inject({
    url: '/api/v2/simulate',
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  })
  const { code = '', error = '', data } = JSON.parse(text) as { code?: string; error?: string; data: Data }
  return { outcome: `${statusCode} ${code}`.trim(), error, data }
}

const rich = recorded.addresses.filter(({ utxos }) => utxos.length > 3).toSorted((a, b) => b.balance - a.balance)
const [fromAddress = '', toAddress = '', other = ''] = rich.map(({ address }) => address)
/** Addresses that have never been used. */
const manyAddresses = Array.from({ length: 1_000 }, (_, i) => {
  const program = Buffer.alloc(20, 1)
  program.writeUInt32LE(i)
  return describeScript(chain.network, Buffer.concat([Buffer.from([0, 20]), program])).address ?? ''
})
const outpoint = ({ txid, vout }: Utxo): string => `${txid}:${vout}`

async function paid(body: Record<string, unknown>): Promise<Data> {
  const { outcome, error, data } = await simulate({ fromAddress, ...body })
  assert.deepEqual([outcome, data?.reason ?? null], ['200', null], error)
  assert.equal(data.totalInput, data.totalOutput + data.estimatedFee)
  assert.equal(
    data.totalOutput,
    data.recipients.reduce((sum, { amount }) => sum + amount, data.change),
  )
  assert.equal(data.outputCount, data.recipients.length + (data.change > 0 ? 1 : 0))
  return data
}

test('several recipients are paid, and the change goes where the caller wants', async () => {
  const recipients = [{ address: other, amount: 20_000 }]
  const data = await paid({ toAddress, amount: 30_000, recipients, changeAddress: other })
  assert.deepEqual([data.amount, data.changeAddress], [50_000, other])
  assert.ok(!data.warnings.some((warning) => warning.startsWith('PRIVACY_SELF_CHANGE')))
  const only = await paid({ recipients: [...recipients, { address: toAddress, amount: 5_000 }] })
  assert.deepEqual([only.amount, only.changeAddress], [25_000, fromAddress])
})

test('sendAll spends every coin, with and without other recipients', async () => {
  const data = await paid({ toAddress, sendAll: true, psbt: true })
  assert.deepEqual([data.change, data.changeAddress, data.outputCount], [0, null, 1])
  const all = await paid({ toAddress, sendAll: true, recipients: [{ address: other, amount: 77_777 }] })
  assert.deepEqual([all.totalInput, all.recipients[1]?.amount], [data.totalInput, 77_777])
  const [spared] = data.selectedUtxos
  assert.ok(spared !== undefined)
  const most = await paid({ toAddress, sendAll: true, mustNotUse: [outpoint(spared)] })
  assert.deepEqual([most.totalInput, most.excluded['mustNotUse']], [data.totalInput - spared.value, 1])
})

test('required coins are spent and excluded coins are not, for every strategy', async () => {
  const { selectedUtxos: all } = await paid({ toAddress, sendAll: true })
  const smallest = all.toSorted((a, b) => a.value - b.value).slice(0, 2)
  const largest = all.toSorted((a, b) => b.value - a.value).slice(0, 1)
  for (const utxoSelection of ['optimal', 'largest', 'smallest', 'oldest']) {
    const data = await paid({
      toAddress,
      amount: 40_000,
      utxoSelection,
      mustUse: smallest.map((each) => outpoint(each).toUpperCase()),
      mustNotUse: [...largest.map(outpoint), `${'ab'.repeat(32)}:4`],
    })
    const used = data.selectedUtxos.map(outpoint)
    assert.ok(smallest.every((each) => used.includes(outpoint(each))))
    assert.ok(largest.every((each) => !used.includes(outpoint(each))))
    assert.equal(data.excluded['mustNotUse'], 1)
  }
})

test('a target gives a rate, lock time and sequence are in both PSBTs', async () => {
  const soon = await paid({ toAddress, amount: 40_000, confTarget: 1 })
  const late = await paid({ toAddress, amount: 40_000, confTarget: 1_008 })
  assert.ok(soon.feeRate >= late.feeRate && late.feeRate > 0)
  const data = await paid({ toAddress, amount: 40_000, locktime: 900_000, sequence: 4_294_967_294, psbt: true })
  assert.deepEqual(
    data.warnings.map((warning) => warning.split(':')[0]).filter((code) => code !== 'PRIVACY_SELF_CHANGE'),
    ['LOCKTIME', 'NOT_REPLACEABLE'],
  )
  const lock = Buffer.from('a0bb0d00', 'hex')
  for (const psbt of [data.psbt, data.psbtV2]) assert.ok(Buffer.from(psbt ?? '', 'base64').includes(lock))
})

test('1,000 recipients are paid, and a dust recipient is named', async () => {
  const recipients = Array.from({ length: 1_000 }, (_, i) => ({ address: manyAddresses[i] ?? '', amount: 1_000 + i }))
  const data = await paid({ recipients, feeRate: 1 })
  assert.equal(data.recipients.length, 1_000)
  const dusty = recipients.with(500, { address: recipients[500]?.address ?? '', amount: 293 })
  const { data: refused } = await simulate({ fromAddress, recipients: dusty })
  assert.deepEqual([refused.viable, refused.reason], [false, 'AMOUNT_BELOW_DUST'])
  assert.deepEqual(
    refused.recipients.filter(({ amount, dustThreshold }) => amount < dustThreshold).map(({ amount }) => amount),
    [293],
  )
})

test('bad combinations and values are refused with the field', async () => {
  const { selectedUtxos: all } = await paid({ toAddress, sendAll: true })
  const coin = outpoint(all[0] ?? assert.fail())
  const good = { toAddress, amount: 40_000 }
  const max = 2_100_000_000_000_000
  for (const [body, field] of [
    [{}, 'toAddress'],
    [{ toAddress }, 'amount'],
    [{ amount: 40_000 }, 'toAddress'],
    [{ recipients: [] }, 'toAddress'],
    [{ sendAll: true }, 'toAddress'],
    [{ ...good, sendAll: true }, 'amount'],
    [{ toAddress, sendAll: true, changeAddress: other }, 'changeAddress'],
    [{ toAddress, sendAll: true, compareStrategies: true }, 'compareStrategies'],
    [{ ...good, recipients: [{ address: toAddress, amount: 1_000 }] }, 'recipients.0.address'],
    [{ ...good, recipients: [{ address: other, amount: max }] }, 'recipients.0.amount'],
    [{ ...good, recipients: [{ address: other, amount: 0 }] }, 'recipients.0.amount'],
    [{ ...good, recipients: [{ address: other, amount: -5 }] }, 'recipients.0.amount'],
    [{ ...good, recipients: [{ address: other, amount: '1000' }] }, 'recipients.0.amount'],
    [{ ...good, recipients: [{ address: 'nonsense', amount: 1_000 }] }, 'recipients.0.address'],
    [{ ...good, recipients: [{ address: other }] }, 'recipients.0.amount'],
    [{ ...good, recipients: [{ address: other, amount: 1_000, label: 'x' }] }, 'label'],
    [{ ...good, changeAddress: 'nonsense' }, 'changeAddress'],
    [{ ...good, feeRate: 3, confTarget: 3 }, 'confTarget'],
    [{ ...good, confTarget: 0 }, 'confTarget'],
    [{ ...good, confTarget: 1.5 }, 'confTarget'],
    [{ ...good, feeRate: -1 }, 'feeRate'],
    [{ ...good, feeRate: '10' }, 'feeRate'],
    [{ ...good, locktime: 5, sequence: 0xffff_ffff }, 'sequence'],
    [{ ...good, locktime: -1 }, 'locktime'],
    [{ ...good, sequence: 2 ** 32 }, 'sequence'],
    [{ ...good, mustUse: [coin, coin] }, 'mustUse.1'],
    [{ ...good, mustUse: [coin.toUpperCase(), coin.replace(/:(\d+)$/, ':0$1')] }, 'mustUse.1'],
    [{ ...good, mustUse: [coin], mustNotUse: [coin] }, 'mustNotUse.0'],
    [{ ...good, mustUse: [`${'ab'.repeat(32)}:0`] }, 'mustUse.0'],
    [{ ...good, mustUse: [coin.replace(/:\d+$/, ':4294967295')] }, 'mustUse.0'],
    [{ ...good, mustUse: ['nonsense'] }, 'mustUse.0'],
    [{ ...good, mustUse: coin }, 'mustUse'],
  ] as const) {
    const { outcome, error } = await simulate({ fromAddress, ...body })
    assert.match(outcome, /^400 INVALID_(PARAMETER|ADDRESS)$/, JSON.stringify(body))
    assert.ok(error.startsWith(`${field}:`), `${error} for ${JSON.stringify(body)}`)
  }
})

test('random requests are paid exactly or refused with a field or a reason', async () => {
  const random = seededRandom(74)
  const { selectedUtxos: all } = await paid({ toAddress, sendAll: true, protect: 'none' })
  const some = (): string[] => all.filter(() => random.chance(0.2)).map(outpoint)
  const maybe = (name: string, value: () => unknown, probability = 0.3): Record<string, unknown> =>
    random.chance(probability) ? { [name]: value() } : {}
  const amount = (): number =>
    random.pick([1, 293, 330, 1_000, 1_000, 30_000, 30_000, 5_000_000, 2_100_000_000_000_000])
  const counts = { paid: 0, impossible: 0, refused: 0 }
  for (let i = 0; i < 300; i++) {
    const [mustUse, mustNotUse] = [random.chance(0.3) ? some() : [], random.chance(0.3) ? some() : []]
    const body: Record<string, unknown> = {
      ...maybe('toAddress', () => random.pick([toAddress, toAddress, toAddress, fromAddress, 'nonsense']), 0.9),
      ...maybe('amount', amount, 0.8),
      ...maybe('recipients', () =>
        manyAddresses.slice(0, random.pick([0, 1, 2, 260])).map((address) => ({ address, amount: amount() })),
      ),
      ...maybe('sendAll', () => random.chance(0.5), 0.2),
      mustUse,
      mustNotUse,
      ...maybe('changeAddress', () => random.pick([other, fromAddress])),
      ...maybe('locktime', () => random.pick([0, 1, 499_999_999, 500_000_000, 4_294_967_295])),
      ...maybe('sequence', () => random.pick([0, 1, 0x40_0001, 0x8000_0000, 0xffff_fffe, 0xffff_ffff])),
      ...maybe('feeRate', () => random.pick([0.001, 1, 7.125, 500, 10_000])),
      ...maybe('confTarget', () => random.pick([1, 6, 1_008]), 0.1),
      ...maybe('utxoSelection', () => random.pick(['optimal', 'largest', 'smallest', 'oldest'])),
      ...maybe('protect', () => random.pick(['small', 'all', 'none'])),
      ...maybe('psbt', () => true),
    }
    const { outcome, error, data } = await simulate({ fromAddress, ...body })
    const about = JSON.stringify(body)
    if (outcome !== '200') {
      assert.match(outcome, /^400 INVALID_(PARAMETER|ADDRESS)$/, about)
      assert.ok(outcome.endsWith('ADDRESS') || /^[a-zA-Z]+(\.\d+)?(\.[a-z]+)?: /.test(error), `${error} for ${about}`)
      counts.refused++
    } else if (data.viable) {
      const used = data.selectedUtxos.map(outpoint)
      assert.equal(new Set(used).size, used.length, about)
      assert.ok(
        mustUse.every((coin) => used.includes(coin)),
        about,
      )
      assert.ok(!mustNotUse.some((coin) => used.includes(coin)), about)
      assert.equal(data.totalInput, data.totalOutput + data.estimatedFee, about)
      assert.equal(
        data.totalOutput,
        data.recipients.reduce((sum, each) => sum + each.amount, data.change),
        about,
      )
      assert.ok(
        data.recipients.every((each) => each.amount >= each.dustThreshold),
        about,
      )
      counts.paid++
    } else {
      assert.ok(data.reason !== null && data.selectedUtxos.length === 0, about)
      counts.impossible++
    }
  }
  assert.ok(Math.min(...Object.values(counts)) > 20, JSON.stringify(counts))
})
