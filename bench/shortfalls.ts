/** Known reasons for missed limits, by the name of the result. */
export const SHORTFALLS: Readonly<Record<string, string>> = {
  'requests a second with key, limits and log':
    'Client, service and PostgreSQL share two cores, and the bare route has them alone. The same ratio was 0.55 on two Neoverse-N1 cores, and 0.39 for commit 2f1dfdd on the machine of this result.',
  'backfill relative to fetching the same logs':
    'The node runs natively on this machine, so that fetching alone takes 1.6 s for 120,000 logs; storing them takes the rest. The ratio was 5.8 for commit 2f1dfdd on the same machine, and 2.7 where the node ran under emulation.',
  'slowest of 68 v1 queries at 5000000 events, p99':
    'Other programs used the two cores during part of this run. The slowest query, a protocol of 40 contracts, took 18.6 ms on two Neoverse-N1 cores.',
  'largest growth of a p50 at ten times the events, same response size':
    'Other programs used the two cores during part of this run; the growth was 1.30 in a quiet one.',
  'events a second from a cold start, 20000 events':
    'Measured where the node ran under emulation and both programs waited for it. Not measured again since.',
  'lines of the log at warning or above without a cause':
    'Two log messages had been reworded on the day of the run, and the soak did not know the new texts. Not measured again since.',
}
