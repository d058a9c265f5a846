/** Why a figure fell short when it last did, as far as it is known, by the name of its result. */
export const REASONS: Readonly<Record<string, string>> = {
  'events a second from a cold start, 20000 events':
    'The node ran under emulation and both waited for it: fetching the logs alone is a third of our time (see watch). Not repeated on a machine that runs the node itself.',
  'differences between books':
    'The recorded Bitcoin moved on while its index was compared. It stands still now; not run again since.',
  'lines of the log at warning or above without a cause':
    'A coin node lost in the middle of an answer and an index closed under its readers, both mended; and timeouts of the database on a machine at load 12. Not run again since.',
  'requests with an answer that nothing explains':
    'A coin node that failed in the middle of an answer gave 500, and its index was closed under those who read it. Both are mended; not run again since.',
}
