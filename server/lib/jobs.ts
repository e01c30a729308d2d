import { Logger } from 'graphile-worker'
import { sql } from 'kysely'
import type { Logger as PinoLogger } from 'pino'
import type { Tx } from './database.ts'

/** Every job and its payload. A payload names rows, never times or texts: a job wakes and looks. */
export type Jobs = {
  'send-mail': { mail_id: string }
  'erase-old-mails': object
  'publish-target': { target_id: string }
  'erase-deleted-posts': object
  'erase-deleted-workspaces': object
  'hold-deliveries': { webhook_id: string }
  'care-for-webhooks': object
  'keep-webhook-history': object
  'generate-video': { generation_id: string }
}

type JobOptions = {
  /** Not before this time. */
  runAt?: Date
  /** One waiting job a key: adding it again replaces the former. */
  key?: string
  maxAttempts?: number
  /** Jobs of one queue run one after the other, so that what hangs holds up nothing else. */
  queue?: string
}

/** Adds a job in the transaction that needs it: it exists exactly when that commits. */
export async function addJob<Name extends keyof Jobs>(
  tx: Tx,
  name: Name,
  payload: Jobs[Name],
  options: JobOptions = {},
) {
  const { runAt = null, key = null, maxAttempts = 10, queue = null } = options
  await sql`select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, ${queue}::text, ${runAt}::timestamptz,
    ${maxAttempts}::int, ${key}::text)`.execute(tx)
}

/** Takes back a waiting job. One that runs already finds its row changed. */
export async function removeJob(tx: Tx, key: string) {
  await sql`select graphile_worker.remove_job(${key})`.execute(tx)
}

/** What the job library says, at the level below: its every step is our debugging. */
export const graphileLogger = (log: PinoLogger) =>
  new Logger((scope) => (level, message, meta) => {
    if (level === 'error') log.error({ ...scope, ...meta }, message)
    else if (level === 'warning') log.warn({ ...scope }, message)
    else log.debug({ ...scope }, message)
  })
