import pg from 'pg'
import { type CopiedTable, quotedName } from '../database-copy.ts'

/**
 * Tables that do not move with a workspace, by the reason. All others do: those whose rows are deleted with the
 * workspace. A test reports a table that is in neither.
 */
export const notMoved: Record<string, string[]> = {
  'They belong to the installation.': [
    'ai_model',
    'auth_attempt',
    'backup',
    'data_deletion',
    'email_template',
    'idempotency_key',
    'installation_hold',
    'keyring',
    'mail',
    'migration',
    'network_app',
    'network_version_warning',
    'option',
    'plan',
    'push_key',
    'server_app',
    'worker_activity',
    'worker_node',
    'worker_outage',
  ],
  'A person has one account, with its password and sessions, on each installation.': [
    'credential',
    'email_change',
    'notification_preference',
    'notification_schedule',
    'push_subscription',
    'session',
    'signature',
    'two_factor',
    'user',
    'verification',
  ],
  'Money and its records stay with the installation whose payment processor has them.': [
    'billing_event',
    'billing_trial',
    'checkout',
    'invoice',
    'invoice_series',
    'ledger_account',
    'ledger_check',
    'settlement_line',
    'settlement_reading',
    'settlement_remedy',
    'ledger_entry',
    'ledger_transaction',
    'payment',
    'payment_request',
    'payout',
    'payout_account',
    'refund',
    'subscription',
  ],
  'Gigs and orders stay in the marketplace in which others bought and reviewed them.': [
    'gig',
    'gig_order',
    'gig_report',
    'gig_sample',
    'order_delivery',
    'order_dispute',
    'order_file',
    'order_mail',
    'order_message',
    'order_proposal',
    'order_reader',
    'order_review',
  ],
  'Recipes stay in the catalog from which others install them.': [
    'recipe',
    'recipe_install',
    'recipe_report',
    'recipe_version',
  ],
  'Only hashes of tokens and links are stored, made with a key that stays.': [
    'api_token',
    'calendar_feed',
    'client_link',
    'client_link_post',
    'client_link_session',
    'invitation',
  ],
  'The audit log vouches for what an installation has seen itself.': ['audit_entry'],
  'What waits is sent, and what was sent is logged, by the installation where it happened.': [
    'attempt',
    'delivery',
    'notification',
    'notification_event',
    'post_failure',
  ],
  'It is in progress, and ends where it began.': [
    'account_check',
    'account_connection',
    'agent_turn',
    'calendar_cancellation',
    'media_upload',
    'post_import',
    'post_import_media',
    'post_import_row',
    'storage_erasure',
  ],
}

/** A foreign key. `owns`: its rows are deleted with those that they refer to. */
type ForeignKey = { columns: string[]; to: string; toColumns: string[]; owns: boolean }

export type MovedTable = CopiedTable & {
  keys: ForeignKey[]
  /** The condition for the rows of the workspace, as SQL. */
  condition: string
}

type CatalogTable = CopiedTable & { keys: ForeignKey[] }

/** Reads all tables of the schema `public` with their foreign keys. */
export async function readCatalog(client: pg.Client): Promise<CatalogTable[]> {
  const { rows } = await client.query<CatalogTable>(`
    select 'public' as schema, class.relname as name,
      array(select attname::text from pg_attribute
        where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
      coalesce((select json_agg(json_build_object(
          'columns', array(select attname from unnest(conkey) with ordinality as k(number, place)
            join pg_attribute on attrelid = conrelid and attnum = k.number order by place),
          'to', target.relname,
          'toColumns', array(select attname from unnest(confkey) with ordinality as k(number, place)
            join pg_attribute on attrelid = confrelid and attnum = k.number order by place),
          'owns', confdeltype = 'c') order by conname)
        from pg_constraint join pg_class target on target.oid = confrelid
        where conrelid = class.oid and contype = 'f' and conparentid = 0), '[]') as keys
    from pg_class class
    where class.relkind in ('r', 'p') and not class.relispartition and class.relpersistence <> 't'
      and class.relnamespace = 'public'::regnamespace
    order by 2`)
  return rows
}

/** The tables that move with a workspace. Each comes after those that it refers to. */
export function movedTables(catalog: CatalogTable[], workspace_id: string): MovedTable[] {
  const staying = Object.values(notMoved).flat()
  const moved: MovedTable[] = []
  const isMoved = (name: string) => moved.some((table) => table.name === name)
  const conditionOf = ({ name, keys }: CatalogTable) => {
    if (name === 'workspace') return `id = ${pg.escapeLiteral(workspace_id)}`
    const owners = keys.filter(({ to, owns }) => owns && to !== name && isMoved(to))
    const key = owners.find(({ to }) => to === 'workspace') ?? owners[0]
    return key && conditionOn(key, moved, workspace_id)
  }
  // Finds one more in each round: first the tables that refer to the workspace, then those that refer to them.
  let waiting = catalog.filter(({ name }) => !staying.includes(name))
  for (;;) {
    const candidates = waiting.map((table) => ({ ...table, condition: conditionOf(table) }))
    const known = candidates.filter((table): table is MovedTable => table.condition !== undefined)
    if (known.length === 0) break
    moved.push(...known)
    waiting = waiting.filter(({ name }) => !isMoved(name))
  }
  return parentsFirst(moved)
}

function conditionOn(
  { columns: [column = ''], to, toColumns: [toColumn = ''] }: ForeignKey,
  moved: MovedTable[],
  id: string,
) {
  const name = pg.escapeIdentifier(column)
  if (to === 'workspace') return `${name} = ${pg.escapeLiteral(id)}`
  const owner = moved.find((table) => table.name === to)
  if (!owner) throw new Error(`${to} does not move`)
  return `${name} in (select ${pg.escapeIdentifier(toColumn)} from ${quotedName(owner)} where ${owner.condition})`
}

function parentsFirst(tables: MovedTable[]): MovedTable[] {
  const sorted: MovedTable[] = []
  for (let left = tables; left.length > 0; ) {
    const isLeft = (name: string) => left.some((table) => table.name === name)
    const next = left.filter(({ name, keys }) => keys.every(({ to }) => to === name || !isLeft(to)))
    if (next.length === 0) throw new Error(`Foreign keys make a circle: ${left.map(({ name }) => name).join(', ')}`)
    sorted.push(...next)
    left = left.filter((table) => !next.includes(table))
  }
  return sorted
}
