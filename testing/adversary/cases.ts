/** All cases and twins, one instance for each of their compiler settings. */
import type { Case, Twin } from './case.ts'
import { announced, announcedTwins } from './cases/announced.ts'
import { answers } from './cases/answers.ts'
import { appliedValues, appliedValueTwins } from './cases/applied-values.ts'
import { approvals, approvalTwins } from './cases/approvals.ts'
import { betweenContracts, betweenContractTwins } from './cases/between-contracts.ts'
import { brokenAssumptions } from './cases/broken-assumptions.ts'
import { castVotes, castVoteTwins } from './cases/cast-votes.ts'
import { changedInput, changedInputTwins } from './cases/changed-input.ts'
import { circles, circleTwins } from './cases/circles.ts'
import { computedPlaces } from './cases/computed-places.ts'
import { deadSigners, deadSignerTwins } from './cases/dead-signers.ts'
import { earlierCode, earlierCodeTwins } from './cases/earlier-code.ts'
import { earlierRules, earlierRuleTwins } from './cases/earlier-rules.ts'
import { earnedVotes } from './cases/earned-votes.ts'
import { forgedForms } from './cases/forged-forms.ts'
import { forwarders } from './cases/forwarders.ts'
import { handWritten } from './cases/hand-written.ts'
import { hiddenEntries } from './cases/hidden-entries.ts'
import { honestTwins } from './cases/honest-twins.ts'
import { lists, listTwins } from './cases/lists.ts'
import { loops } from './cases/loops.ts'
import { lyingGetters } from './cases/lying-getters.ts'
import { managedLogic, managedTwins } from './cases/managed.ts'
import { modules } from './cases/modules.ts'
import { obfuscated } from './cases/obfuscated.ts'
import { oldCompilers } from './cases/old-compilers.ts'
import { otherGuards } from './cases/other-guards.ts'
import { otherLengths, otherLengthTwins } from './cases/other-lengths.ts'
import { ownersInCode } from './cases/owners-in-code.ts'
import { passedBack, passedBackTwins } from './cases/passed-back.ts'
import { passingStorage } from './cases/passing-storage.ts'
import { pastVotes, pastVoteTwins } from './cases/past-votes.ts'
import { patterns } from './cases/patterns.ts'
import { proposalNumbers, proposalNumberTwins } from './cases/proposal-numbers.ts'
import { proposals, proposalTwins } from './cases/proposals.ts'
import { queues, queueTwins } from './cases/queues.ts'
import { repeatedVotes } from './cases/repeated-votes.ts'
import { secondWriters } from './cases/second-writers.ts'
import { signedVotes } from './cases/signed-votes.ts'
import { trialDetectors } from './cases/trial-detectors.ts'
import { unopposedVotes, unopposedVoteTwins } from './cases/unopposed-votes.ts'
import { walks } from './cases/walks.ts'
import { weakChecks } from './cases/weak-checks.ts'
import { SETTINGS, type Settings } from './compile.ts'

export const CASES: readonly Case[] = [
  ...secondWriters,
  ...trialDetectors,
  ...otherGuards,
  ...lyingGetters,
  ...modules,
  ...forwarders,
  ...passedBack,
  ...forgedForms,
  ...handWritten,
  ...oldCompilers,
  ...obfuscated,
  ...lists,
  ...hiddenEntries,
  ...computedPlaces,
  ...passingStorage,
  ...answers,
  ...ownersInCode,
  ...loops,
  ...patterns,
  ...weakChecks,
  ...walks,
  ...signedVotes,
  ...queues,
  ...otherLengths,
  ...repeatedVotes,
  ...pastVotes,
  ...proposals,
  ...proposalNumbers,
  ...approvals,
  ...earlierRules,
  ...betweenContracts,
  ...castVotes,
  ...circles,
  ...announced,
  ...brokenAssumptions,
  ...appliedValues,
  ...changedInput,
  ...managedLogic,
  ...earlierCode,
  ...earnedVotes,
  ...deadSigners,
  ...unopposedVotes,
]
export const TWINS: readonly Twin[] = [
  ...honestTwins,
  ...listTwins,
  ...queueTwins,
  ...otherLengthTwins,
  ...pastVoteTwins,
  ...proposalTwins,
  ...proposalNumberTwins,
  ...approvalTwins,
  ...earlierRuleTwins,
  ...betweenContractTwins,
  ...castVoteTwins,
  ...passedBackTwins,
  ...circleTwins,
  ...announcedTwins,
  ...changedInputTwins,
  ...appliedValueTwins,
  ...managedTwins,
  ...earlierCodeTwins,
  ...deadSignerTwins,
  ...unopposedVoteTwins,
]

const ALL_SETTINGS = Object.keys(SETTINGS) as readonly Settings[]

/** A case or twin with the compiler settings it is built with. */
export type Instance<T> = T & { readonly with: Settings; readonly title: string }

export const instancesOf = <T extends Case | Twin>(table: readonly T[]): readonly Instance<T>[] =>
  table.flatMap((entry) =>
    (entry.settings ?? ALL_SETTINGS).map((settings) => ({
      ...entry,
      with: settings,
      title: `${entry.name} [${settings}]`,
    })),
  )
