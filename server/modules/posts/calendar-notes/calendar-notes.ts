import { sql } from 'kysely'
import type { Static } from 'typebox'
import { DAY } from '../../../../shared/time.ts'
import { invalid, limitExceeded, notFound } from '../../../errors.ts'
import { audit, changedFields } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, newId, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { parseDay } from '../../../lib/http/schema/day.ts'
import {
  type CalendarNoteChanges,
  type CalendarNoteQuery,
  DEFAULT_DAYS,
  MAX_DAYS,
  MAX_NOTES_A_DAY,
  type NewCalendarNote,
} from './calendar-notes.schema.ts'

const dayOf = (time: Date) => time.toISOString().slice(0, 10)
const LAST_DAY = Date.UTC(9999, 11, 31)
const addDays = (time: Date, days: number) => new Date(Math.min(time.getTime() + days * DAY, LAST_DAY))

const notesOf = (db: Db, { workspace_id }: Pick<Member, 'workspace_id'>) =>
  db
    .selectFrom('calendar_note')
    .select(['id', 'text', 'created_by', 'created_at', 'updated_at', 'version', sql<string>`day::text`.as('day')])
    .where('workspace_id', '=', workspace_id)

export async function readCalendarNote(db: Db, caller: Member, id: string) {
  const note = await notesOf(db, caller).where('id', '=', id).executeTakeFirst()
  if (!note) throw notFound()
  return note
}

export async function listCalendarNotes(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  query: Static<typeof CalendarNoteQuery>,
) {
  const from = query.from === undefined ? clock.now() : new Date(parseDay('/from', query.from))
  const to = query.to === undefined ? addDays(from, DEFAULT_DAYS) : new Date(parseDay('/to', query.to))
  if (to < from || to > addDays(from, MAX_DAYS))
    throw invalid('/to', {
      en: `This must be at most ${MAX_DAYS} days after the first day, and not before it.`,
      tr: `Bu, ilk günden en çok ${MAX_DAYS} gün sonra olmalı; ondan önce olamaz.`,
    })
  const data = await notesOf(db, caller)
    .where(sql<boolean>`day >= ${dayOf(from)}::date and day < ${dayOf(to)}::date`)
    .orderBy('calendar_note.day')
    .orderBy('id')
    .limit(MAX_DAYS * MAX_NOTES_A_DAY)
    .execute()
  return { data }
}

/** Keeps concurrent calls from exceeding the limit of a day. */
const lockWorkspace = (tx: Tx, { workspace_id }: Member) =>
  tx.selectFrom('workspace').select('id').where('id', '=', workspace_id).forNoKeyUpdate().execute()

/** 403 when the day is full. */
async function checkRoom(tx: Tx, { workspace_id }: Member, day: string) {
  const { count } = await tx
    .selectFrom('calendar_note')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('workspace_id', '=', workspace_id)
    .where(sql<boolean>`day = ${day}::date`)
    .executeTakeFirstOrThrow()
  if (count >= MAX_NOTES_A_DAY)
    throw limitExceeded(
      'calendar_notes',
      MAX_NOTES_A_DAY,
      count,
      `A day can have at most ${MAX_NOTES_A_DAY} calendar notes.`,
    )
}

export const createCalendarNote = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  { day, text }: Static<typeof NewCalendarNote>,
) =>
  inTransaction(db, async (tx) => {
    parseDay('/day', day)
    await lockWorkspace(tx, caller)
    await checkRoom(tx, caller, day)
    const id = await newId(tx)
    const now = clock.now()
    const note = { day, text: text.trim() }
    await tx
      .insertInto('calendar_note')
      .values({
        ...{ id, workspace_id: caller.workspace_id, created_by: caller.user_id, ...note },
        ...{ created_at: now, updated_at: now },
      })
      .execute()
    await audit(tx, caller, 'calendar_note.created', id, { after: note })
    return readCalendarNote(tx, caller, id)
  })

const FIELDS = ['day', 'text'] as const

export const changeCalendarNote = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  id: string,
  input: Static<typeof CalendarNoteChanges>,
  ifMatch: IfMatch,
) =>
  inTransaction(db, async (tx) => {
    if (input.day !== undefined) parseDay('/day', input.day)
    // Before the note, as where a workspace is deleted.
    if (input.day !== undefined) await lockWorkspace(tx, caller)
    const before = await notesOf(tx, caller).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
    if (!before) throw notFound()
    ifMatch(before.version)
    const after = { day: input.day ?? before.day, text: input.text?.trim() ?? before.text }
    const changed = FIELDS.filter((field) => after[field] !== before[field])
    if (changed.length === 0) return before
    if (after.day !== before.day) await checkRoom(tx, caller, after.day)
    await tx
      .updateTable('calendar_note')
      .set({ ...after, updated_at: sql`greatest(updated_at + interval '1 ms', ${clock.now()}::timestamptz)` })
      .where('id', '=', id)
      .execute()
    await audit(tx, caller, 'calendar_note.changed', id, changedFields(before, after, changed))
    return readCalendarNote(tx, caller, id)
  })

export const deleteCalendarNote = (db: Db, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const deleted = await tx
      .deleteFrom('calendar_note')
      .where('id', '=', id)
      .where('workspace_id', '=', caller.workspace_id)
      .returning([sql<string>`day::text`.as('day'), 'text'])
      .executeTakeFirst()
    if (!deleted) throw notFound()
    await audit(tx, caller, 'calendar_note.deleted', id, { before: deleted })
  })
