import { hostname } from 'node:os'
import { pino } from 'pino'

/** The log: one JSON object a line, to standard output. Removes credentials from logged requests. */
export const createLog = ({
  LOG_LEVEL,
  NODE_NAME = hostname(),
}: {
  LOG_LEVEL: string
  NODE_NAME?: string | undefined
}) =>
  pino({
    level: LOG_LEVEL,
    base: { node: NODE_NAME },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['req.headers.authorization', 'req.headers.cookie', '*.connectionString', '*.password'],
  })

/** Writes a line for the person at the terminal. */
export const sayStep = (message: string) => process.stderr.write(`${message}\n`)
