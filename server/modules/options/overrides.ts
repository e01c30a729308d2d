import type { Static } from 'typebox'
import type { Config } from '../../config/config.ts'
import { notFound, Problem, problem } from '../../errors.ts'
import { audit, changedFields } from '../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { User } from '../../lib/http/access.ts'
import type { IfMatch } from '../../lib/http/etag.ts'
import { keyOfModel, modelOfKey, order, plainOf, secretOf } from './catalogue.ts'
import { type Input, settingOf } from './option-types.ts'
import type * as schema from './options.schema.ts'
import { overrideOf, type Row, readRows, secretSetting, withoutOverride } from './options.ts'
import { lockOptions, newVersion, type StoreDeps, stateOf, stateOfRow, writeSecret } from './secrets.ts'

/** `version` is 0 while there is no override. */
function describe(
  config: Config,
  key: string,
  row: Row | undefined,
): Static<typeof schema.Option> & { version: number } {
  const entry = plainOf(key)
  const about = entry ?? secretOf(key)
  if (!about) throw notFound()
  const setting = settingOf(config, about)
  const shared = {
    key,
    group: about.group,
    description: about.description,
    environment: about.environment ? { key: about.environment, is_set: setting?.is_set ?? false } : null,
    updated_at: row?.updated_at ?? null,
    version: row?.version ?? 0,
  }
  const source = (isOverridden: boolean) =>
    isOverridden ? ('override' as const) : setting?.is_set ? ('environment' as const) : ('default' as const)
  if (!entry) {
    const fallback = stateOf(secretSetting(config, key))
    const own = stateOfRow(row)
    return {
      ...shared,
      type: 'secret',
      value: own ?? fallback,
      default: fallback,
      source: source(own !== undefined),
      values: null,
    }
  }
  const override = overrideOf(entry, row)
  const fallback = withoutOverride(config, entry)
  return {
    ...shared,
    type: entry.type,
    value: override ?? fallback,
    default: fallback,
    source: source(override !== undefined),
    values: entry.values ? [...entry.values] : null,
  }
}

/** Throws 404 for an unknown key or the key of a model that does not exist. `lock` keeps the model from deletion. */
async function checkKey(db: Db, key: string, { lock = false } = {}) {
  const model_id = modelOfKey(key)
  if (model_id === undefined) {
    if (!plainOf(key) && !secretOf(key)) throw notFound()
    return
  }
  const model = await db
    .selectFrom('ai_model')
    .select('id')
    .where('id', '=', model_id)
    .$if(lock, (query) => query.forKeyShare())
    .executeTakeFirst()
  if (!model) throw notFound()
}

export async function listOptions({ db, config }: Pick<Deps, 'db' | 'config'>) {
  const rows = await readRows(db)
  const models = [...rows.keys()]
    .flatMap((key) => modelOfKey(key) ?? [])
    .sort((a, b) => a - b)
    .map(keyOfModel)
  return { data: [...order, ...models].map((key) => describe(config, key, rows.get(key))), next_cursor: null }
}

export async function readOption({ db, config }: Pick<Deps, 'db' | 'config'>, key: string) {
  await checkKey(db, key)
  return describe(config, key, (await readRows(db, key)).get(key))
}

async function writeValue({ invalidationBus }: StoreDeps, tx: Tx, key: string, value: Input | null) {
  if (value === null) await tx.deleteFrom('option').where('key', '=', key).execute()
  else {
    const set = { value: JSON.stringify(value), secret: null, last4: null }
    await tx
      .insertInto('option')
      .values({ key, ...set })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ ...set, ...newVersion }))
      .execute()
  }
  await invalidationBus.invalidate(tx, 'options')
}

const problemOf = (error: unknown) => {
  if (error instanceof Problem) return error
  throw error
}

/** Sets an option (null: removes the override), and audits any change. */
async function change(
  { db, config, ...deps }: Deps,
  caller: User,
  key: string,
  value: Input | null,
  ifMatch: IfMatch = () => undefined,
) {
  return inTransaction(db, async (tx) => {
    await checkKey(tx, key, { lock: true })
    const entry = plainOf(key)
    const wanted = value === null ? null : (entry ?? secretOf(key))?.parse(value)
    const next = entry && ((wanted ?? withoutOverride(config, entry)) as Input)
    const misfit = next === undefined ? undefined : await entry?.check?.(tx, next).then(() => undefined, problemOf)
    if (misfit && wanted !== null) throw misfit
    await lockOptions(tx)
    const former = (await readRows(tx, key)).get(key)
    ifMatch(former?.version ?? 0)
    if (misfit && former)
      throw problem('invalid_transition', {
        detail: `Resetting this option sets it to ${next}, which is not valid now. ${misfit.options.errors?.[0]?.message ?? ''}`,
        extra: { state: 'unusable' },
      })
    if (!entry) await writeSecret(deps, tx, key, (wanted ?? null) as string | null)
    else if (wanted === null ? former : !former || overrideOf(entry, former) !== wanted)
      await writeValue(deps, tx, key, wanted ?? null)
    const row = (await readRows(tx, key)).get(key)
    const [before, after] = [describe(config, key, former), describe(config, key, row)]
    if (former?.secret !== row?.secret || former?.value !== row?.value)
      await audit(tx, caller, 'options.changed', key, changedFields(before, after, ['value', 'source']))
    return after
  })
}

export const setOption = (
  deps: Deps,
  caller: User,
  key: string,
  { value }: Static<typeof schema.OptionValue>,
  ifMatch?: IfMatch,
) => change(deps, caller, key, value, ifMatch)

export async function unsetOption(deps: Deps, caller: User, key: string) {
  await change(deps, caller, key, null)
}
