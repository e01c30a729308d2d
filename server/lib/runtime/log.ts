import { pino } from 'pino'

/** The log: one JSON object a line, to standard output. Removes credentials from logged requests. */
export const createLog = (level: string) =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['req.headers.authorization', 'req.headers.cookie', '*.connectionString', '*.password'],
  })

/** Writes a line for the person at the terminal. */
export const sayStep = (message: string) => process.stderr.write(`${message}\n`)
