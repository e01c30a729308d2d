import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Db, Tx } from '../../../../lib/db/database.ts'
import { compileValidator, fieldErrors } from '../../../../lib/http/schema/validation.ts'
import { mapInTurns } from '../../../../lib/runtime/concurrency/map-in-turns.ts'
import { findMedia, missingMedia } from '../../record/post-media.ts'
import { NewPost } from '../../record/posts.schema.ts'
import { type Duplicate, findDuplicates } from '../../validation/duplicates.ts'
import { draftRecord, readCheckedAccounts } from '../../validation/read-draft.ts'
import { requestedTargets } from '../../validation/requested-targets.ts'
import { checkPost } from '../../validation/validate-post.ts'
import type { ImportRecord } from '../imports.ts'
import { readAccountNames } from './account-names.ts'
import { duplicateKeys, findTaken, type KnownPosts, noKnownPosts } from './duplicates.ts'
import { type ImportedPost, readRow } from './read-row.ts'
import type { Reading } from './row.ts'
import { problemOfPost, type RowProblem, rowProblem } from './row-problems.ts'

/** Problems that are kept of a row. */
const MAX_PROBLEMS = 50

export type StoredRow = { row: number; cells: string[]; faults: RowProblem[] }

const validateBody = compileValidator(NewPost, 'body')

/** The body of `POST /posts` for a row, but for the files that are still to be fetched. */
export const bodyOf = ({
  content,
  account_ids,
  scheduled_at,
  first_comment,
  labels,
  media_ids,
  status,
}: ImportedPost): Omit<Static<typeof NewPost>, 'publish_now' | 'queue'> => ({
  ...{ content, account_ids, labels, media_ids },
  ...(status === 'idea' ? { is_idea: true } : scheduled_at !== null && { scheduled_at }),
  ...(first_comment !== null && { first_comment }),
})

export async function readingOf(db: Db, record: ImportRecord): Promise<Reading> {
  const { fields, columns, date_order, timezone, account_ids, workspace_id, account_names, format } = record
  return {
    ...{ fields, columns, date_order, timezone, account_ids, clocks: new Map() },
    // One tool writes them.
    shortYears: format === 'buffer',
    accounts: await readAccountNames(db, workspace_id, account_names),
  }
}

/** Reads rows and checks the posts that they become by the rules of all posts. Stores what it finds. */
export async function checkRows(
  tx: Tx,
  { id, workspace_id }: Pick<ImportRecord, 'id' | 'workspace_id'>,
  rows: readonly StoredRow[],
  reading: Reading,
  { now, known = noKnownPosts() }: { now: Date; known?: KnownPosts },
) {
  const read = await mapInTurns(rows, ({ row, cells, faults }) => {
    const { post, problems } = readRow(cells, reading)
    // The cells of a row that could not be read are not those of its columns.
    return faults.length > 0 ? { row, post, problems: faults } : { row, post, problems }
  })
  const accounts = await readCheckedAccounts(tx, workspace_id, [
    ...new Set(read.flatMap(({ post }) => post.account_ids)),
  ])
  const files = { media_ids: read.flatMap(({ post }) => post.media_ids), thread: null, targets: [] }
  const { media } = await findMedia(tx, workspace_id, files)

  const checked = await mapInTurns(read, ({ row, post, problems }) => {
    const body = bodyOf(post)
    if (!validateBody({ ...body }))
      problems.push(...fieldErrors(validateBody.errors ?? []).map((error) => problemOfPost(reading.fields, error)))
    else {
      const missing = missingMedia({ media_ids: post.media_ids, thread: null, targets: [] }, media)
      const draft = draftRecord(body, { requested: requestedTargets(body), accounts })
      const { refused, unfit } = checkPost(body, { ...draft, media, missing }, now)
      // Files that are still to be fetched are checked when they are there.
      const fits =
        post.media_urls.length === 0 ? unfit : unfit.filter(({ pointer, code }) => !isAboutFiles(pointer, code))
      const known = new Set(problems.map(({ field }) => field))
      problems.push(
        ...refused.map((error) => problemOfPost(reading.fields, error)),
        ...fits
          .map((error) => problemOfPost(reading.fields, error, post.status === 'draft' ? 'warning' : 'error'))
          // A name that is no account already says so.
          .filter(({ field }) => !((field === 'accounts' || field === 'network') && known.has(field))),
      )
    }
    return { row, post, problems, keys: duplicateKeys(post) }
  })

  const similar = await findSimilar(tx, workspace_id, checked, now)
  const taken = await findTaken(tx, { id, workspace_id }, checked, known)
  const earlier = new Map<string, number>()
  for (const { row, problems, keys, post } of checked) {
    const other = keys.flatMap((key) => taken.get(key) ?? earlier.get(key) ?? [])[0]
    if (other !== undefined)
      problems.push(
        rowProblem(reading.fields, {
          ...{ field: 'text', code: 'duplicate', severity: 'warning', value: post.content },
          text:
            typeof other === 'number'
              ? {
                  en: `Row ${other} has the same text for the same account and time.`,
                  tr: `${other}. satırda aynı hesap ve zaman için aynı metin var.`,
                }
              : {
                  en: 'A post with this text is already scheduled for this account and time.',
                  tr: 'Bu hesap ve zaman için bu metinle zaten bir gönderi var.',
                },
        }),
      )
    else {
      const same = similar.get(row)
      if (same) problems.push(sameText(same, reading, post.content))
    }
    for (const key of keys) if (!earlier.has(key)) earlier.set(key, row)
  }
  const results = checked.map(({ row, post, problems, keys }) => ({
    ...{ row, post, duplicate_keys: keys },
    problems: problems.slice(0, MAX_PROBLEMS),
    state: problems.some(({ severity }) => severity === 'error') ? 'error' : problems.length > 0 ? 'warning' : 'ok',
  }))
  await sql`update post_import_row as stored
    set state = found.state, post = found.post, problems = found.problems, duplicate_keys = found.duplicate_keys
    from json_to_recordset(${JSON.stringify(results)}::json) as found (row int, state post_import_row_state, post jsonb,
      problems jsonb, duplicate_keys text[])
    where stored.import_id = ${id} and stored.row = found.row`.execute(tx)
}

const isAboutFiles = (pointer: string, code: string) =>
  pointer.startsWith('/media_ids') || (pointer === '/content' && code === 'too_short')

/** The posts of the month around each row that have its text on one of its accounts. */
async function findSimilar(
  tx: Tx,
  workspace_id: string,
  checked: readonly { row: number; post: ImportedPost }[],
  now: Date,
) {
  const planned = checked.flatMap(({ row, post: { account_ids, content, scheduled_at } }) =>
    account_ids.map((account_id) => ({ row, account_id, content, time: scheduled_at ? new Date(scheduled_at) : now })),
  )
  const found = await findDuplicates(tx, workspace_id, planned)
  return new Map(planned.flatMap(({ row }, place) => (found[place] ? [[row, found[place]] as const] : [])))
}

const sameText = ({ scheduled_at }: Duplicate, { fields, timezone }: Reading, value: string) => {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(scheduled_at)
  return rowProblem(fields, {
    ...{ field: 'text', code: 'same_text', severity: 'warning', value },
    text: {
      en: `A post of ${day} has the same text on this account.`,
      tr: `Bu hesapta ${day} tarihli bir gönderinin metni aynı.`,
    },
  })
}
