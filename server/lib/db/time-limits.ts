import type pg from 'pg'
import type { Logger } from 'pino'

/** Warns when sessions have no time limits. Through PgBouncer, only the role can have them. */
export async function checkTimeLimits(pool: pg.Pool, log: Logger) {
  const { rows } = await pool.query<{ limited: boolean }>(
    `select current_setting('statement_timeout') <> '0'
      and current_setting('idle_in_transaction_session_timeout') <> '0' as limited`,
  )
  if (!rows[0]?.limited)
    log.warn(
      "the role in DATABASE_URL has no time limits: run `alter role … set statement_timeout = '30s'` and `alter role … set idle_in_transaction_session_timeout = '60s'`",
    )
}
