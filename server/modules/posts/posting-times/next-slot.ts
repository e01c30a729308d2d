import { sql } from 'kysely'
import { MINUTE } from '../../../../shared/time.ts'
import { type FieldError, invalid, problem, toMessage } from '../../../errors.ts'
import type { Db, Tx } from '../../../lib/db/database.ts'
import type { Language } from '../../../lib/language.ts'
import { lockQueues } from './lock.ts'
import { findPostingTimes } from './posting-times.ts'
import { slotsBetween } from './slots.ts'

/** Time in which the queue looks for a free slot. */
export const QUEUE_HORIZON_MS = 366 * 24 * 60 * MINUTE

const refusals = {
  no_posting_times: {
    en: 'Set posting times for the first account of the post.',
    tr: 'Gönderinin ilk hesabı için yayın saatleri belirleyin.',
  },
  queue_full: { en: 'No posting time is free within a year.', tr: 'Bir yıl içinde boş yayın saati yok.' },
} as const satisfies Record<string, Record<Language, string>>
type Refusal = keyof typeof refusals

export const minuteOf = (time: Date) => Math.floor(time.getTime() / MINUTE)

/**
 * Posts between two times that take a slot of one of these accounts: scheduled ones, and those in review that are
 * planned for a time.
 */
export type Span = { workspace_id: string; account_ids: readonly string[]; from: Date; to: Date }
export const postsAtTimes = ({ workspace_id, account_ids, from, to }: Span) => sql<{ id: string; time: Date }>`
  select id, time from (
    select id, scheduled_at as time from post
    where workspace_id = ${workspace_id} and deleted_at is null and scheduled_at >= ${from} and scheduled_at < ${to}
    union all
    select id, review_scheduled_at from post
    where workspace_id = ${workspace_id} and deleted_at is null and review = 'pending'
      and review_scheduled_at >= ${from} and review_scheduled_at < ${to}
  ) as at_times
  where exists (select from post_target where post_id = at_times.id and account_id = any(${account_ids}::uuid[]))`

type Search = { workspace_id: string; account_ids: readonly string[]; now: Date; post_id?: string }

/** The next slot of the first account that no other post takes on any of the accounts, or why there is none. */
export async function findSlot(db: Db, { workspace_id, account_ids, now, post_id }: Search): Promise<Date | Refusal> {
  const [first] = account_ids
  const found = first === undefined ? undefined : await findPostingTimes(db, { workspace_id }, first)
  if (!found || found.times.length === 0) return 'no_posting_times'
  const [from, to] = [new Date(now.getTime() + 1), new Date(now.getTime() + QUEUE_HORIZON_MS)]
  const { rows } = await postsAtTimes({ workspace_id, account_ids, from: now, to }).execute(db)
  const taken = new Set(rows.filter(({ id }) => id !== post_id).map(({ time }) => minuteOf(time)))
  for (const slot of slotsBetween(found, from, to)) if (!taken.has(minuteOf(slot))) return slot
  return 'queue_full'
}

/** Takes the next free slot for a post. Until the commit, nobody else gets a slot of its accounts. */
export async function takeSlot(tx: Tx, search: Search) {
  if (search.account_ids.length === 0)
    throw invalid('/queue', {
      en: 'Choose an account, whose posting times the queue uses.',
      tr: 'Kuyruğun yayın saatlerini kullanacağı bir hesap seçin.',
    })
  await lockQueues(tx, search.account_ids)
  const slot = await findSlot(tx, search)
  if (slot instanceof Date) return slot
  throw problem(slot, { detail: refusals[slot].en })
}

/** The refusal as a problem of the field. */
export const queueProblem = (code: Refusal): FieldError => ({ pointer: '/queue', code, ...toMessage(refusals[code]) })
