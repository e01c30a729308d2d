import { sql } from 'kysely'
import type { Tx } from '../../../lib/db/database.ts'

type Day = { agent_id: string; day: string }

/** Takes up to `wanted` posts of the day's limit, in one statement, so that concurrent runs never exceed it. */
export async function takeFromDay(tx: Tx, { agent_id, day }: Day, wanted: number, limit: number) {
  const { rows } = await sql<{ granted: number }>`
    insert into agent_day as d (agent_id, day, used) values (${agent_id}, ${day}::date, least(${wanted}::int, ${limit}::int))
    on conflict (agent_id, day) do update set used = greatest(d.used, least(d.used + ${wanted}::int, ${limit}::int))
    returning new.used - coalesce(old.used, 0) as granted`.execute(tx)
  return rows[0]?.granted ?? 0
}

/** Gives back what a run took and did not write. */
export const giveBackToDay = (tx: Tx, { agent_id, day }: Day, amount: number) =>
  sql`update agent_day set used = greatest(used - ${amount}::int, 0)
    where agent_id = ${agent_id} and day = ${day}::date`.execute(tx)
