/** Known reasons for missed limits, by the name of the result. */
export const SHORTFALLS: Readonly<Record<string, string>> = {
  'requests a second with key, limits and log':
    'Limits are exact over all processes, so that PostgreSQL counts every request before its response is sent: requests that arrive together share a statement (decision 1, also on leases). One process has one thread for JavaScript, and 0.7 would leave it 0.43 of the CPU time of the bare route for all of this. In this run the bare route took 29 µs of CPU time, which is twice as much as on other days. In turns on a very busy machine, a request with a key took 64 µs of CPU time of the process and 19 µs of PostgreSQL at 4fabf78c, and 53 µs and 14 µs with the changes after it; the rate was 0.35 and 0.39 of the bare route. The notes below list the parts.',
  'backfill relative to fetching the same logs':
    'The logs come from a server that repeats recorded responses, so that fetching alone costs next to nothing. A backfill also decodes every log and stores it with the eight indexes that the feed needs, on the same two cores. In a trial with synthetic rows, COPY took 27 µs of CPU time of PostgreSQL per event, and 9 to 13 µs without indexes. Every chunk is stored while the next one is read; before 965a9a0b, every second one was not. On a machine with a load of 15 to 20 for two cores, 100,000 events took 109 to 121 µs of CPU time each before, and 92 to 109 µs after: 40 µs of PostgreSQL, the rest of the process. The notes below list the parts.',
  'events stored by a backfill': 'The speed of this machine varies: 11,720 on a busy day, and 26,230 on a quiet one.',
  'slowest of 72 v1 queries at 5000000 events, p99':
    'Only pages of 200 events are above the limit; 9 ms in the middle. The reason is not known. A sync of the idle disk takes 0.2 ms, and in a minute of an earlier run PostgreSQL used 3.7 ms of CPU time for each request.',
  'protocol of 500 contracts, p99': 'The reason is not known; 5 ms in the middle.',
  'protocol of 500 contracts after a change, p99':
    'The list was prepared again; 13 ms in the middle. Since then only what changed is replaced. One run each on a very busy machine, with 40,000 events: 9.0 ms above the response without a change in the middle before, 5.1 ms after.',
  'protocol of 10,000 contracts after a change, p99':
    'The list was prepared again; 39 ms in the middle. Since then only what changed is replaced. One run each on a very busy machine, with 40,000 events: 50 ms above the response without a change in the middle before, 18 ms after.',
  'events a second from a cold start, 100000 events':
    'The process waits half of the time for PostgreSQL, which stores every event with the eight indexes that the feed needs and counts it; the table of Ponder has three. A third of so short a run passes until the first events are stored: the notes below list the parts. Not measured against Ponder since backfills were changed.',
  'lines of the log at warning or above without a cause':
    'Two log messages had been reworded on the day of the run, and the soak did not know the new texts. Not measured again since.',
  'analysis of the largest code, CPU time':
    'Checks of the caller and of storage keep paths apart, up to sixteen at one place with the same returns. Functions that check many entries have thousands of them: this code has 41,000 blocks to follow. Results are stored by code hash.',
  'unknown behind a proxy of a Safe: ChugSplash of Optimism':
    'Its owner may store any word in any slot. Lists in tables stay unknown, because an earlier owner may have stored their lengths.',
}
