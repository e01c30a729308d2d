import { type SelectQueryBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, notFound, refusedFields } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { contains } from '../../../lib/db/contains.ts'
import { type Db, inTransaction } from '../../../lib/db/database.ts'
import type { DB } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { writeMail } from '../mail.ts'
import { commonVariables, describeKey, mailKeys, variablesOf } from './catalogue.ts'
import { givenValue } from './placeholders.ts'
import {
  type Compiled,
  canonical,
  compile,
  compileStored,
  DEFAULT,
  ownText,
  renderWithin,
  type Template,
} from './render.ts'
import type * as schema from './templates.schema.ts'

type Row = Template & { id: string; locale: string; description: string | null; version: number }
type Filters = { search?: string | undefined; key?: string | undefined; locale?: string | undefined }
type Variables = Static<typeof schema.PreviewInput>['variables']

export function listTemplates(db: Db, { search = '', key, locale }: Filters = {}) {
  let templates: SelectQueryBuilder<DB, 'email_template', object> = db.selectFrom('email_template')
  if (key !== undefined) templates = templates.where('key', '=', key)
  if (locale !== undefined) templates = templates.where('locale', '=', canonical(locale) ?? locale)
  if (search !== '') {
    const columns = ['key', 'locale', 'subject', 'description']
    templates = templates.where((where) => where.or(columns.map((column) => contains(column, search))))
  }
  return templates.selectAll()
}

/** Unused variables that only this key has: the author may have forgotten the code or the link. */
function warningsOf({ key, subject, body_html, body_text }: Template) {
  const common = commonVariables.map(({ name }) => name)
  const used = (name: string) =>
    [subject, body_html, body_text ?? ''].some((text) => new RegExp(`\\{\\{\\s*${name}\\s*\\}\\}`).test(text))
  return (variablesOf(key) ?? []).map(({ name }) => name).filter((name) => !common.includes(name) && !used(name))
}

export const withWarnings = <R extends Template>(row: R) => ({ ...row, warnings: warningsOf(row) })

export async function readTemplate(db: Db, id: string) {
  const row = await listTemplates(db).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return withWarnings(row)
}

function checkedLocale(locale: string) {
  const tag = canonical(locale)
  if (tag === undefined || tag.length > 35)
    throw invalid('/locale', 'This must be a language tag such as tr or en-GB, or `default`.')
  return tag
}

/** Treats blank text as absent. */
const textOrNone = (text: string | null | undefined) => (text === undefined || text?.trim() === '' ? null : text)

/** Fields for the audit log. Of the bodies, only their lengths. */
const auditedFields = ({
  key,
  locale,
  subject,
  body_html,
  body_text,
  description,
}: Row | Omit<Row, 'id' | 'version'>) => ({
  key,
  locale,
  subject,
  description,
  body_html_length: body_html.length,
  body_text_length: body_text?.length ?? null,
})

export function createTemplate(db: Db, caller: User, input: Static<typeof schema.NewEmailTemplate>) {
  const { locale = DEFAULT, body_text, description = null, ...rest } = input
  const values = { ...rest, locale: checkedLocale(locale), body_text: textOrNone(body_text), description }
  compile(values)
  return inTransaction(db, async (tx) => {
    const row = await tx.insertInto('email_template').values(values).returningAll().executeTakeFirstOrThrow()
    await audit(tx, { ...caller, workspace_id: null }, 'email_template.created', row.id, { after: auditedFields(row) })
    return withWarnings(row)
  })
}

export function changeTemplate(
  db: Db,
  caller: User,
  id: string,
  input: Static<typeof schema.EmailTemplateChanges>,
  ifMatch: IfMatch,
) {
  return inTransaction(db, async (tx) => {
    const before = await tx.selectFrom('email_template').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!before) throw notFound()
    ifMatch(before.version)
    const wanted = {
      ...before,
      ...input,
      ...(input.locale !== undefined && { locale: checkedLocale(input.locale) }),
      ...(input.body_text !== undefined && { body_text: textOrNone(input.body_text) }),
    }
    const { key, locale, subject, body_html, body_text, description } = wanted
    const fields = { key, locale, subject, body_html, body_text, description }
    const changed = (Object.keys(fields) as (keyof typeof fields)[]).filter((name) => fields[name] !== before[name])
    if (changed.length === 0) return withWarnings(before)
    compile(fields)
    const row = await tx
      .updateTable('email_template')
      .set({ ...fields, updated_at: sql`now()` })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(tx, { ...caller, workspace_id: null }, 'email_template.updated', id, {
      changed,
      before: auditedFields(before),
      after: auditedFields(row),
    })
    return withWarnings(row)
  })
}

export const deleteTemplate = (db: Db, caller: User, id: string) =>
  inTransaction(db, async (tx) => {
    const row = await tx.deleteFrom('email_template').where('id', '=', id).returningAll().executeTakeFirst()
    if (!row) throw notFound()
    await audit(tx, { ...caller, workspace_id: null }, 'email_template.deleted', id, { before: auditedFields(row) })
  })

export const listKeys = () =>
  mailKeys.map((key) => ({
    key,
    description: describeKey(key),
    variables: [...(variablesOf(key) ?? [])],
    texts: { default: ownText(key, 'en'), en: ownText(key, 'en'), tr: ownText(key, 'tr') },
  }))

/** Values of a preview or a test: the given ones, otherwise known ones, otherwise samples. */
async function valuesFor(
  db: Db,
  { options, baseUrl }: Pick<Deps, 'options' | 'baseUrl'>,
  key: string,
  given: Variables = {},
  more: Record<string, string> = {},
) {
  const variables = variablesOf(key)
  const unknown =
    variables && Object.keys(given).filter((name) => !variables.some((variable) => variable.name === name))
  if (unknown?.length)
    throw refusedFields(
      unknown.slice(0, 20).map((name) => ({
        pointer: `/variables/${name}`,
        code: 'unknown_field' as const,
        message: `E-mails with the key ${key} have no variable with this name.`,
      })),
    )
  const samples = (variables ?? commonVariables).map(({ name, sample }) => [name, sample] as const)
  return {
    ...Object.fromEntries(samples),
    app_name: await options.get('app.name', db),
    app_url: baseUrl,
    ...more,
    ...given,
  } as Record<string, string>
}

function tooLarge(): never {
  throw invalid('/body_html', 'The e-mail is too large to be sent with these values.', 'too_large')
}

function show(compiled: Compiled, template: Template, values: Record<string, string>) {
  const missing = [...compiled.names].filter((name) => givenValue(values, name) === undefined).slice(0, 200)
  try {
    return { ...renderWithin(compiled, values), missing, warnings: warningsOf(template) }
  } catch {
    return tooLarge()
  }
}

export async function previewTemplate(
  deps: Deps,
  _caller: User,
  id: string,
  { variables }: Static<typeof schema.PreviewInput>,
) {
  const row = await readTemplate(deps.db, id)
  return show(compileStored(row), row, await valuesFor(deps.db, deps, row.key, variables))
}

export async function previewDraft(deps: Deps, _caller: User, input: Static<typeof schema.DraftPreviewInput>) {
  checkedLocale(input.locale)
  const draft = { ...input, body_text: textOrNone(input.body_text) }
  return show(compile(draft), draft, await valuesFor(deps.db, deps, input.key, input.variables))
}

/** Mails a stored template to `to`, by default the caller. */
export async function sendTest(
  deps: Deps,
  caller: User,
  id: string,
  { to = caller.email, variables }: Static<typeof schema.SendTestInput>,
) {
  return inTransaction(deps.db, async (tx) => {
    const row = await readTemplate(tx, id)
    const user = await tx.selectFrom('user').select('name').where('id', '=', caller.user_id).executeTakeFirst()
    const name = to === caller.email ? (user?.name ?? '') : ''
    const values = await valuesFor(tx, deps, row.key, variables, { user_name: name || to })
    const { subject, body_html, body_text } = show(compileStored(row), row, values)
    const mail = await writeMail(tx, deps, {
      key: row.key,
      to: { address: to, name },
      locale: row.locale,
      subject,
      body_html,
      body_text,
    })
    const { key, locale } = row
    await audit(tx, { ...caller, workspace_id: null }, 'email_template.tested', id, { key, locale, to })
    return { mail_id: mail.id, state: mail.state }
  })
}
