import type { Static } from 'typebox'
import { fillVariables, valuesOf } from '../../../../shared/text/variables.ts'
import { invalid } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { MAX_CONTENT } from '../record/posts.schema.ts'
import { readSnippet } from './snippets.ts'
import type { FillSnippet } from './variables.schema.ts'
import { readVariables } from './variables.ts'

/** The texts of a snippet with values in place of its variables. */
export async function fillSnippet(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  id: string,
  { time, account_ids = [] }: Static<typeof FillSnippet>,
) {
  const { content, first_comment } = await readSnippet(db, caller, id)
  const workspace = await db
    .selectFrom('workspace')
    .select(['name', 'timezone', 'locale'])
    .where('id', '=', caller.workspace_id)
    .executeTakeFirstOrThrow()
  const values = valuesOf({
    workspace,
    variables: (await readVariables(db, caller)).variables,
    time: time === undefined ? clock.now() : new Date(time),
    accounts: await accountNames(db, caller, account_ids),
  })
  const filled = (field: string, text: string) => {
    const whole = fillVariables(text, values)
    if (whole.length > MAX_CONTENT)
      throw invalid(`/${field}`, 'With its values, this text is longer than that of a post can be.', 'too_long')
    return whole
  }
  return {
    content: filled('content', content),
    first_comment: first_comment === null ? null : filled('first_comment', first_comment),
  }
}

/** Names of accounts in the order of their ids. Throws `invalid` for an id of no account here. */
async function accountNames(db: Db, { workspace_id }: Member, ids: readonly string[]) {
  if (ids.length === 0) return []
  const wanted = ids.map((id) => id.toLowerCase())
  const accounts = await db
    .selectFrom('account')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .where('id', 'in', wanted)
    .execute()
  const names = new Map(accounts.map(({ id, name }) => [id, name]))
  return wanted.map((id, index) => {
    const name = names.get(id)
    if (name === undefined) throw invalid(`/account_ids/${index}`, 'There is no account with this id.')
    return name
  })
}
