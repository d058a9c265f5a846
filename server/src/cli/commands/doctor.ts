import { checkSource, checkZmq } from '../../coins/node/connect-source.ts'
import { type CoinChain, type CoinChainConfig, type Config, loadConfig } from '../../config/config.ts'
import { findChain } from '../../control/chains/chains.ts'
import { checkSafeService } from '../../control/pending/safe/safe-service.ts'
import { checkSourcify } from '../../control/poll/sourcify.ts'
import { checkEndpoint } from '../../control/rpc/check-endpoint.ts'
import { reasonOf } from '../../lib/errors.ts'
import { createLogger } from '../../lib/log.ts'
import {
  checkDatabase,
  checkDisk,
  checkMail,
  checkRedis,
  checkReplica,
  checkTelegram,
} from '../../platform/checks/check-platform.ts'
import { checkProcesses } from '../../platform/checks/check-processes.ts'
import { type CheckResult, failed } from '../../platform/checks/check-result.ts'
import { checkService } from '../../platform/checks/check-service.ts'
import { type Command, withPlatform } from '../command.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  summary:
    'Check the endpoints, nodes, database, Redis, Sourcify, Safe services, mail and Telegram, and report what to fix',
  run: async () => {
    const config = loadConfig(process.env, process.cwd())
    const results = (await Promise.all([checkService(config), checkPlatform(config), ...remoteChecks(config)])).flat()
    const isFailure = results.some(({ status }) => status === 'failed')
    return { json: results, lines: results.map(lineOf), isFailure }
  },
}

const MARKS = { ok: 'ok  ', warning: 'WARN', failed: 'FAIL' } as const

const lineOf = ({ about, status, seen, advice }: CheckResult): string =>
  `${MARKS[status]} ${about}: ${seen}${advice === undefined ? '' : ` ${advice}`}`

async function checkPlatform(config: Config): Promise<readonly CheckResult[]> {
  const database = await withPlatform(
    async ({ database, url }) => [...(await checkDatabase(database, url)), ...(await checkProcesses(database, config))],
    'check',
  ).catch((error: unknown) => [failed('database', reasonOf(error), 'The service cannot run without it.')])
  return [...database, await checkDisk(config.dataDir)]
}

function remoteChecks({
  databaseReadUrl,
  redisUrl,
  evmChains,
  coinChains,
  sourcifyUrl,
  mail,
  telegram,
}: Config): readonly Promise<CheckResult>[] {
  const endpoints = Object.keys(evmChains).flatMap((slug) => {
    const [settings, chain] = [evmChains[slug], findChain(slug)]
    if (settings === undefined || chain === undefined) return []
    const { rpcUrls, startBlock, safeServiceUrl } = settings
    return [
      ...rpcUrls.map((url) => checkEndpoint({ chain, url, startBlock })),
      ...(safeServiceUrl === undefined ? [] : [checkSafeService(chain.slug, safeServiceUrl)]),
    ]
  })
  const sources = (Object.entries(coinChains) as [CoinChain, CoinChainConfig][]).flatMap(
    ([chain, { zmqUrl, ...source }]) => [
      checkSource({ chain, ...source }),
      ...(zmqUrl === undefined ? [] : [checkZmq(chain, zmqUrl)]),
    ],
  )
  const silent = createLogger({ level: 'silent' })
  return [
    ...(redisUrl === undefined ? [] : [checkRedis(redisUrl, silent)]),
    ...(databaseReadUrl === undefined ? [] : [checkReplica(databaseReadUrl, silent)]),
    ...endpoints,
    ...sources,
    ...(sourcifyUrl === undefined ? [] : [checkSourcify(sourcifyUrl)]),
    ...(mail === undefined ? [] : [checkMail(mail)]),
    ...(telegram === undefined ? [] : [checkTelegram(telegram)]),
  ]
}
