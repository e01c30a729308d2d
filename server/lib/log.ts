import { pino } from 'pino'

/** The log: one JSON object a line, to standard output. Credentials are cut out wherever a request is logged. */
export const createLog = (level: string) =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['req.headers.authorization', 'req.headers.cookie', '*.connectionString', '*.password'],
  })

/** A line for the person in front of the terminal. */
export const sayStep = (message: string) => process.stderr.write(`${message}\n`)
