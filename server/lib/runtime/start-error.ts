/** Meydan cannot start, for a reason that the operator can fix. The message says how, and needs no stack. */
export class StartError extends Error {}

const advice: [RegExp, string][] = [
  [
    /insufficient file descriptors|too many open files|\bEMFILE\b|\bENFILE\b/i,
    'The limit of open files is too low. Raise it to at least 1024: `ulimit -n 1024`, or LimitNOFILE of the service.',
  ],
  [/no space left on device|\bENOSPC\b|\bEDQUOT\b/i, 'The disk is full. Free some space and start again.'],
  [
    /read-only file system|\bEROFS\b/i,
    'The file system is read-only. Set DATA_DIR to a folder that can be written to.',
  ],
  [/\bEACCES\b|\bEPERM\b/, 'Meydan may not use this file. Start it as the user who owns DATA_DIR.'],
  [
    /unsupported startup parameter/,
    'This address is a PgBouncer. If it is in transaction mode, set DATABASE_DIRECT_URL to the address of its PostgreSQL. In session mode, let it ignore the parameter.',
  ],
  [
    /lock file ".*" is empty|bogus data in lock file/,
    'Make sure that no PostgreSQL runs on this folder, remove the lock file that it names, and start again.',
  ],
]

/** Advice about an error of the system or of PostgreSQL; undefined for other errors. */
export const adviceFor = (words: string) => advice.find(([pattern]) => pattern.test(words))?.[1]

export const refuseAddress = (error: Error): never => {
  throw new StartError(
    `Meydan cannot listen on this address: ${error.message}. Choose another PORT, HEALTH_PORT or HOST.`,
  )
}

/** An error with the words of PostgreSQL, and with what to do about them on a line of its own. */
export const explainedError = (words: string) => new StartError([words, adviceFor(words)].filter(Boolean).join('\n'))
