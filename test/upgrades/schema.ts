import type pg from 'pg'

/** Days are partitions that come and go. */
const isLasting = (relation: string) => `${relation} !~ '_\\d{8}'`

/**
 * Describes each part of a schema in one line: tables, columns, constraints, indexes, triggers, functions, types and
 * rights. The order of columns does not count, because it depends on the order of the migrations.
 */
export async function schemaOf(client: Pick<pg.Client, 'query'>) {
  const { rows } = await client.query<{ line: string }>(`
    with relation as (
      select * from pg_class where relnamespace = 'public'::regnamespace and ${isLasting('relname')}
    )
    select concat_ws(' ', 'relation', relname, relkind, relpersistence, reloptions, relacl) as line from relation
    union all
    select concat_ws(' ', 'column', relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
      attstorage, collname, pg_get_expr(adbin, adrelid))
    from relation join pg_attribute on attrelid = relation.oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
      left join pg_collation on pg_collation.oid = attcollation
    where relkind in ('r', 'p')
    union all
    select concat_ws(' ', 'constraint', relname, conname, pg_get_constraintdef(pg_constraint.oid), convalidated)
    from pg_constraint join relation on conrelid = relation.oid
    union all
    select concat_ws(' ', 'index', pg_get_indexdef(indexrelid), indisvalid)
    from pg_index join relation on indrelid = relation.oid
    union all
    select concat_ws(' ', 'trigger', pg_get_triggerdef(pg_trigger.oid), tgenabled)
    from pg_trigger join relation on tgrelid = relation.oid where not tgisinternal
    union all
    select concat_ws(' ', 'function', pg_get_functiondef(oid), proacl)
    from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', 'enum', typname, string_agg(enumlabel, ' ' order by enumsortorder))
    from pg_type join pg_enum on enumtypid = pg_type.oid where typnamespace = 'public'::regnamespace group by typname
    order by line`)
  return rows.map(({ line }) => line)
}
