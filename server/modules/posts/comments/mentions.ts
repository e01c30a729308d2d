import { invalid } from '../../../errors.ts'
import type { Db, Tx } from '../../../lib/db/database.ts'

const mention = /@\[([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\]/gi

/** The text as it is stored, with the ids of those whom it mentions in lower case. */
export const storedBody = (body: string) => body.trim().replace(mention, (found) => found.toLowerCase())

/** The text of a client, who mentions nobody: from an id that is guessed right, the client would read a name. */
export const withoutMentions = (body: string) => body.trim().replace(/@+(?=\[[0-9a-f-]{36}\])/gi, '')

/** The ids of those whom a text mentions, each once. */
export const mentionedIn = (body: string | null) => [
  ...new Set([...(body ?? '').matchAll(mention)].map(([, id = '']) => id)),
]

/** The text with names in place of ids. */
export const withNames = (body: string, names: ReadonlyMap<string, string>) =>
  body.replace(mention, (_, id: string) => `@${names.get(id) ?? '…'}`)

/** The names of those among `ids` who are members now. Nobody learns from a text of others that an id exists. */
export async function namesOfMembers(db: Db, workspace_id: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, string>()
  const members = await db
    .selectFrom('workspace_member')
    .innerJoin('user', 'user.id', 'workspace_member.user_id')
    .select(['user.id', 'user.name'])
    .where('workspace_member.workspace_id', '=', workspace_id)
    .where('user.id', 'in', ids)
    .execute()
  return new Map(members.map(({ id, name }) => [id, name]))
}

/** Throws for a text that mentions somebody who is no member. The response is the same whether that user exists. */
export async function checkMentions(tx: Tx, workspace_id: string, ids: readonly string[]) {
  const names = await namesOfMembers(tx, workspace_id, ids)
  if (ids.some((id) => !names.has(id)))
    throw invalid('/body', {
      en: 'Only members of the workspace can be mentioned.',
      tr: 'Yalnızca çalışma alanının üyelerinden söz edilebilir.',
    })
  return names
}
