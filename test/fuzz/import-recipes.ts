import { expectStatus, playgroundAccount } from '../factories.ts'
import { checkedImport, confirmed } from '../imports.ts'
import { headersOf } from './agent-recipes.ts'
import { asOwner, type Recipe, type RecipeContext } from './recipe-context.ts'

type Credentials = 'session' | 'token'

/** A workspace can have twenty only, so the former ones are deleted. */
async function makeImport(context: RecipeContext) {
  const { client, headers } = asOwner(context)
  const owner = client.with({ 'x-workspace-id': headers['x-workspace-id'] })
  const { data } = expectStatus(await owner.get('/api/v1/imports?limit=100'), 200).body
  for (const { id } of data) await owner.delete(`/api/v1/imports/${id}`)
  const file = `accounts,text\n${await playgroundAccount(owner)},Hello\n`
  return { owner, id: (await checkedImport(context.t, owner, file)).id as string }
}

type Wanted = { body?: object; row?: boolean; isConfirmed?: boolean }

const on =
  (credentials: Credentials, { body, row = false, isConfirmed = false }: Wanted = {}): Recipe =>
  async (context) => {
    const { owner, id } = await makeImport(context)
    if (isConfirmed) await confirmed(context.t, owner, id, { only: 'ok', as: 'draft' })
    return { headers: headersOf(context, credentials), path: { id, ...(row && { row: '1' }) }, ...(body && { body }) }
  }

const recipes: Record<string, (credentials: Credentials) => Recipe> = {
  readImport: (credentials) => on(credentials),
  changeImport: (credentials) => on(credentials, { body: { timezone: 'UTC' } }),
  deleteImport: (credentials) => on(credentials),
  listImportRows: (credentials) => on(credentials),
  changeImportRow: (credentials) => on(credentials, { row: true, body: { skip: true } }),
  exportImportErrors: (credentials) => on(credentials),
  confirmImport: (credentials) => on(credentials, { body: { only: 'ok', as: 'draft' } }),
  undoImport: (credentials) => on(credentials, { isConfirmed: true }),
}

export const importRecipes: Record<string, Recipe> = Object.fromEntries(
  Object.entries(recipes).flatMap(([name, recipe]) => [
    [name, recipe('session')],
    [`public${name[0]?.toUpperCase()}${name.slice(1)}`, recipe('token')],
  ]),
)
