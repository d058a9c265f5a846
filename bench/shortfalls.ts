/** Known reasons for missed limits, by the name of the result. */
export const SHORTFALLS: Readonly<Record<string, string>> = {
  'requests a second with key, limits and log':
    'Limits are exact over all processes, so that every request is counted in PostgreSQL before it is answered: requests that arrive together share a statement (decision 1, also on leases). Client, service and PostgreSQL share two cores, and the bare route has them alone. CPU time of the process by parts, on a busy machine: the bare route takes 24 µs, key, headers, metrics and serialization 21 µs more, waiting for the statement that counts about 32 requests 20 µs more, the request log about 2 µs more. Commits that do not wait for the disk were faster, but a crash of PostgreSQL would lose counts.',
  'backfill relative to fetching the same logs':
    'The logs come from a server that repeats recorded responses, so that fetching alone costs next to nothing. A backfill also decodes every log and stores it with the eight indexes that the feed needs, on the same two cores. In a trial with synthetic rows, COPY took 27 µs of CPU time of PostgreSQL per event, and 9 to 13 µs without indexes; copying into the partition itself, past the triggers, was not faster.',
  'slowest of 72 v1 queries at 5000000 events, p99':
    'Only the view of a contract is above the limit. Every request also waits until its count is on the disk.',
  'protocol of 500 contracts after a change, p99': 'The list is prepared again; 10 ms in the middle.',
  'protocol of 10,000 contracts after a change, p99': 'The list is prepared again; 37 ms in the middle.',
  'events a second from a cold start, 20000 events':
    'With 20,000 events more than half of the time is the start of the process. The benchmark `watch` has the events a second of a longer backfill.',
  'memory while backfilling':
    'Garbage that V8 has not collected yet, because the limit of its heap is gigabytes away. The process has 145 MB before it reads anything, 64 MB of them the program of Node itself, and what is buffered is bounded: two chunks of 4,000 logs. One run on a busy machine, with peaks and events a second: 362 MB and 9,000 as it is, 247 MB and 9,000 with `--max-old-space-size=256`, 258 MB and 9,200 with `--heap-growing-percent=30`. Smaller chunks and young generations saved at most 38 MB. Neither option is set: a process that watches many contracts needs more than 256 MB, and the other one was not tried with other roles.',
  'open functions called guarded':
    'Seven functions. Two are reserved to a list of oracles or keepers, which the rules for sources do not see. Five (`unlockStake` and `withdrawStake` of EntryPoint, `withdraw` of L1Staking) ask for a stake of the caller, and the function that stores it is not known to be open.',
  'longest delay of the main loop while codes are analyzed':
    'Starting a process takes 8 ms of the main thread, once for each process, and decoding the result of the largest code 3 ms.',
  'feed: layout shift': 'Events that arrive move the rows below them.',
  'lines of the log at warning or above without a cause':
    'Two log messages had been reworded on the day of the run, and the soak did not know the new texts. Not measured again since.',
  'guarded functions with the right effect': 'Setters of prices and other addresses look alike in code.',
  'analysis of the largest code, CPU time':
    'Checks of the caller and of storage keep paths apart, up to sixteen at one place with the same returns. Functions that check many entries have thousands of them: this code has 44,000 blocks to follow, twice on average. Results are stored by code hash.',
  'unknown behind a proxy of a Safe: ChugSplash of Optimism':
    'Its owner may store any word in any slot. Lists in tables stay unknown, because an earlier owner may have stored their lengths.',
}
