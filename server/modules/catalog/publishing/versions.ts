import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import { readBody } from '../recipe-record.ts'
import type { RecipeBody } from '../recipes.schema.ts'

/** Adds a version to a recipe whose row is locked, unless its newest one says the same. Returns the newest number. */
export async function addVersion(
  tx: Tx,
  { id, version }: { id: string; version: number },
  body: RecipeBody,
  now: Date,
): Promise<number> {
  if (version > 0 && isDeepStrictEqual(await readBody(tx, id, version), body)) return version
  const json = JSON.stringify(body)
  const { version: added } = await tx
    .updateTable('recipe')
    .set({
      version: sql<number>`version + 1`,
      category: body.category,
      language: body.language,
      search: sql<string>`recipe_search(${json}::jsonb)`,
      updated_at: nextUpdatedAt(now),
    })
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow()
  await tx.insertInto('recipe_version').values({ recipe_id: id, version: added, body: json, created_at: now }).execute()
  return added
}
