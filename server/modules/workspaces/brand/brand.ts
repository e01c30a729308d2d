import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid } from '../../../errors.ts'
import { audit, changedFields } from '../../../lib/db/audit.ts'
import { type Db, inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { checkLocale } from '../../auth/locale.ts'
import { lockWorkspaceAs } from '../members/members.ts'
import type { Brand, BrandFields } from './brand.schema.ts'

type Fields = Static<typeof BrandFields>

const fieldNames = [
  ...(['about', 'audience', 'voice'] as const),
  ...(['use_words', 'avoid_words', 'never_mention', 'links', 'hashtags', 'languages', 'liked_posts'] as const),
]

const EMPTY: Static<typeof Brand> = {
  ...{ about: null, audience: null, voice: null },
  ...{ use_words: [], avoid_words: [], never_mention: [], links: [], hashtags: [], languages: [], liked_posts: [] },
  ...{ updated_at: null, version: 0 },
}

/** The brand of a workspace. One without has no texts, and empty lists. */
export const readBrand = async (db: Db, { workspace_id }: Pick<Member, 'workspace_id'>) =>
  (await db
    .selectFrom('workspace_brand')
    .select([...fieldNames, 'updated_at', 'version'])
    .where('workspace_id', '=', workspace_id)
    .executeTakeFirst()) ?? EMPTY

const distinct = (texts: readonly string[]) => [...new Set(texts.map((text) => text.trim()))]

/** Throws `invalid` unless this is a link to a name with a dot. */
function checkLink(link: string, pointer: string) {
  if (!URL.parse(link)?.hostname.includes('.'))
    throw invalid(pointer, { en: 'This is not an address of a website.', tr: 'Bu bir web sitesi adresi değil.' })
  return link
}

/** Without spaces around texts, twins in lists and `#` before hashtags. Throws a Problem for a link that leads nowhere. */
export const cleanBrand = (fields: Fields): Fields => ({
  about: fields.about?.trim() ?? null,
  audience: fields.audience?.trim() ?? null,
  voice: fields.voice?.trim() ?? null,
  use_words: distinct(fields.use_words),
  avoid_words: distinct(fields.avoid_words),
  never_mention: distinct(fields.never_mention),
  links: distinct(fields.links.map((link, index) => checkLink(link, `/links/${index}`))),
  hashtags: distinct(fields.hashtags.map((hashtag) => hashtag.replace(/^#/, ''))),
  languages: distinct(fields.languages.map((language, index) => checkLocale(language, `/languages/${index}`))),
  liked_posts: distinct(fields.liked_posts),
})

/** Replaces the brand of a workspace. */
export const saveBrand = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, caller: Member, input: Fields, ifMatch: IfMatch) =>
  inTransaction(db, async (tx) => {
    const fields = cleanBrand(input)
    await lockWorkspaceAs(tx, caller, 'editor')
    const before = await readBrand(tx, caller)
    ifMatch(before.version)
    const changed = fieldNames.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(fields[name]))
    if (changed.length === 0 && before.version > 0) return before
    const updated_at = clock.now()
    await tx
      .insertInto('workspace_brand')
      .values({ workspace_id: caller.workspace_id, ...fields, updated_at })
      .onConflict((conflict) =>
        conflict.column('workspace_id').doUpdateSet({
          ...fields,
          updated_at: sql`greatest(workspace_brand.updated_at + interval '1 ms', ${updated_at}::timestamptz)`,
        }),
      )
      .execute()
    const after = await readBrand(tx, caller)
    await audit(tx, caller, 'workspace.brand_changed', caller.workspace_id, changedFields(before, after, changed))
    return after
  })

/**
 * Reads the brand of a workspace, with the element that a prompt has it in: its name, and what is set (`shown`). No text
 * can end the element, because JSON can have its slash as an escape.
 */
export async function readBrandForModel(db: Db, { workspace_id }: Pick<Member, 'workspace_id'>) {
  const { name } = await db
    .selectFrom('workspace')
    .select('name')
    .where('id', '=', workspace_id)
    .executeTakeFirstOrThrow()
  const brand = await readBrand(db, { workspace_id })
  const set = fieldNames.map((field) => [field, brand[field]] as const).filter(([, value]) => value?.length)
  const shown: { name: string } & Partial<Fields> = { name, ...Object.fromEntries(set) }
  return { brand, shown, text: `<brand>${JSON.stringify(shown).replaceAll('</', '<\\/')}</brand>` }
}
