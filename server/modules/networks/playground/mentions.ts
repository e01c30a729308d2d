import type { MentionSearch } from '../network.ts'

/** Finds the other accounts of the Playground in the workspace. */
export const mentions: MentionSearch = {
  by: 'beginning',
  find: async ({ db }, { account }, { query, max }) => {
    const wanted = query.toLowerCase()
    const accounts = await db
      .selectFrom('account')
      .select(['name', 'handle'])
      .distinct()
      .where('workspace_id', '=', account.workspace_id)
      .where('network', '=', 'playground')
      .where('deleted_at', 'is', null)
      .orderBy('name')
      .limit(100)
      .execute()
    return accounts
      .filter(({ name, handle }) => [name, handle].some((each) => each.toLowerCase().startsWith(wanted)))
      .slice(0, max)
      .map(({ name, handle }) => ({ name, handle, text: `@${handle}` }))
  },
}
