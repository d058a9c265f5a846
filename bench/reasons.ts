/** Why a figure fell short when it last did, as far as it is known, by the name of its result. */
export const REASONS: Readonly<Record<string, string>> = {
  'protocol of 500 contracts, p99':
    'The answer is that large: it holds every contract. The largest protocol of the registry has 47 contracts; those of 40 hold the limit.',
  'protocol of 10,000 contracts, p99':
    'The answer is that large: 4.6 MB of JSON with every contract. Protocols of the registry are far smaller.',
  'events a second from a cold start, 20000 events':
    'The node ran under emulation and both waited for it. Of our 8 s it worked 5.6 on the logs, half of them for a first question whose answer was larger than we hold in memory (8 MB), so that it was asked for again in parts: the 170 events a block that timing gave that chain (it has 50 now) are far more than a real one has. Our own start took 1.4 s. Not repeated since, nor on a machine that runs the node itself.',
  'lines of the log at warning or above without a cause':
    'All of two kinds: a node whose proxy erred or refused (“HTTP 429 without JSON that can be read”, “refuses a batch: HTTP 500”), in words that had been changed the same day, while the list of the soak still had the old ones. It has the new ones now; not run for half an hour since.',
}
