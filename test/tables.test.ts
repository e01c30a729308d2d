import ts from 'typescript'
import { expect, test } from 'vitest'
import { files, moduleOf, source } from './server-files.ts'

/** The tables of each module. Only its files insert into, update and delete from them. */
const tablesOf = {
  lib: ['audit_entry', 'idempotency_key', 'keyring', 'migration', 'worker_activity', 'worker_node', 'worker_outage'],
  options: ['option'],
  installation: ['backup', 'installation_hold'],
  mail: ['email_template', 'mail'],
  notifications: [
    'notification',
    'notification_event',
    'notification_preference',
    'notification_schedule',
    'push_key',
    'push_subscription',
  ],
  auth: ['auth_attempt', 'credential', 'email_change', 'session', 'two_factor', 'user', 'verification'],
  usage: ['limit_excess', 'usage'],
  workspaces: ['invitation', 'workspace', 'workspace_brand', 'workspace_member'],
  tokens: ['api_token'],
  plans: ['plan'],
  billing: [
    'billing_event',
    'billing_trial',
    'checkout',
    'invoice',
    'invoice_series',
    'payment',
    'payment_request',
    'refund',
    'settlement_line',
    'settlement_reading',
    'settlement_remedy',
    'subscription',
  ],
  ledger: ['ledger_account', 'ledger_check', 'ledger_entry', 'ledger_transaction'],
  catalog: ['recipe', 'recipe_install', 'recipe_report', 'recipe_version'],
  agents: [
    'agent',
    'agent_account',
    'agent_day',
    'agent_item',
    'agent_run',
    'agent_rule',
    'agent_source',
    'agent_source_item',
    'agent_turn',
  ],
  ai: ['ai_file', 'ai_generation', 'ai_model'],
  media: ['media', 'media_rendition', 'media_upload', 'storage_erasure'],
  networks: [
    'network_app',
    'network_version_warning',
    'playground_post',
    'rss_item',
    'server_app',
    'workspace_network_app',
  ],
  accounts: [
    'account',
    'account_check',
    'account_connection',
    'account_group',
    'account_metrics',
    'account_metrics_day',
    'data_deletion',
    'grouped_account',
    'oauth_grant',
  ],
  posts: [
    'approval_policy',
    'calendar_cancellation',
    'calendar_feed',
    'calendar_note',
    'client_link',
    'client_link_post',
    'client_link_session',
    'post',
    'post_comment',
    'post_failure',
    'post_import',
    'post_import_media',
    'post_import_row',
    'post_media',
    'post_metrics',
    'post_metrics_reading',
    'post_occurrence',
    'post_target',
    // A view.
    'post_history',
    'post_version',
    'posting_times',
    'recurring_post',
    'review_decision',
    'snippet',
    'workspace_variables',
  ],
  marketplace: [
    'gig',
    'gig_order',
    'gig_report',
    'gig_sample',
    'order_delivery',
    'payout',
    'payout_account',
    'signature',
    'order_dispute',
    'order_file',
    'order_mail',
    'order_message',
    'order_proposal',
    'order_reader',
    'order_review',
  ],
  webhooks: ['attempt', 'delivery', 'event', 'webhook', 'webhook_health', 'webhook_stat'],
}
const ownerOf = new Map(Object.entries(tablesOf).flatMap(([owner, tables]) => tables.map((table) => [table, owner])))
/** Partitions and SQL functions, each with the table that they write. */
const otherNames: Record<string, string> = {
  attempt_other: 'attempt',
  event_other: 'event',
  keep_partitions: 'event',
  detach_partitions: 'event',
  detach_late_rows: 'event',
  drop_detached: 'event',
  blank_audit_entries: 'audit_entry',
}

/** The tables that a file writes by Kysely, by SQL text or by `lastUse.column`. `?`: a name that is computed. */
const writesIn = (text: string) =>
  [
    ...text.matchAll(/\.(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*(?:['"`](\w+)|)/g),
    ...text.matchAll(/\b(?:insert into|delete from|merge into|truncate(?: table)?|update)\s+(?:only\s+)?"?(\$\{|\w+)/g),
    ...text.matchAll(/\b(keep_partitions|blank_audit_entries)\(/g),
    ...text.matchAll(/\blastUse\.column\('(\w+)'/g),
  ]
    .map(([, name = '?']) => (name === '${' ? '?' : (otherNames[name] ?? name)))
    // Drops prose, and SQL such as `for update of`.
    .filter((name) => name === '?' || ownerOf.has(name))

test('every table belongs to one module', () => {
  const [, tables = ''] = /export interface DB \{([^}]*)\}/.exec(source['server/lib/db/database-types.ts'] ?? '') ?? []
  expect([...tables.matchAll(/^ {2}(\w+):/gm)].map(([, table]) => table).sort()).toEqual([...ownerOf.keys()].sort())
  expect(Object.values(tablesOf).flat().length).toBe(ownerOf.size)
})

test('only its own module writes a table', () => {
  // Write the columns that server/lifecycle.ts lists, those that owners pass to `lastUse.column`, a whole database, and all
  // rows of a workspace.
  const anyTable = [
    'server/lib/crypto/re-encrypt.ts',
    'server/lib/runtime/last-use.ts',
    'server/backup/database-copy.ts',
    'server/backup/workspace/import-workspace.ts',
  ]
  const writer = (file: string) => {
    return file.startsWith('server/lib/') ? 'lib' : moduleOf(file)
  }
  const writes = files.flatMap((file) => writesIn(source[file] ?? '').map((table) => ({ file, table })))
  expect(writes.length).toBeGreaterThan(100)
  expect(
    writes
      .filter(({ file, table }) => (table === '?' ? !anyTable.includes(file) : ownerOf.get(table) !== writer(file)))
      .map(({ file, table }) => `${file} writes ${table}`),
  ).toEqual([])
})

/** The texts of the `sql` templates in a file, with `?` for what is filled in. */
function sqlIn(text: string) {
  const found: string[] = []
  const visit = (node: ts.Node) => {
    if (ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === 'sql')
      found.push(
        ts.isNoSubstitutionTemplateLiteral(node.template)
          ? node.template.text
          : [node.template.head, ...node.template.templateSpans.map(({ literal }) => literal)]
              .map((part) => part.text)
              .join('?'),
      )
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('', text, ts.ScriptTarget.Latest))
  return found
}

/** Whether a condition has an `or` outside of brackets, so that `and` before or after it takes only a half of it. */
function hasBareOr(sql: string) {
  const isStatement = /^\s*(?:with|select|insert|update|delete|merge|create|alter)\b/i.test(sql)
  let outside = sql.replace(/'[^']*'/g, "''")
  for (let before = ''; before !== outside; ) {
    before = outside
    outside = outside.replace(/\([^()]*\)/g, ' ')
  }
  return !isStatement && /\bor\b/i.test(outside.replace(/\bcase\b.*?\bend\b/gis, ''))
}

test('a condition in SQL has its `or` in brackets, so that it means the same beside other conditions', () => {
  expect(['a or b', '(a) or exists (select)', 'a = ? or ?'].map(hasBareOr)).toEqual([true, true, true])
  const others = ['(a or (b))', "a = 'b or c'", 'case when a or b then c end', 'select a where b or c']
  expect(others.filter(hasBareOr)).toEqual([])
  const texts = files.flatMap((file) => sqlIn(source[file] ?? '').map((sql) => ({ file, sql })))
  expect(texts.length).toBeGreaterThan(200)
  expect(texts.filter(({ sql }) => hasBareOr(sql))).toEqual([])
})

test('lib reads no table of a module', () => {
  const reads = files
    .filter((file) => file.startsWith('server/lib/'))
    .flatMap((file) =>
      [...(source[file] ?? '').matchAll(/(?:selectFrom|Join)\('(\w+)|\b(?:from|join|lock table) "?(\w+)/g)].map(
        ([, call, text]) => ({ file, table: call ?? text ?? '' }),
      ),
    )
  expect(reads.filter(({ table }) => ownerOf.get(table) === 'lib').length).toBeGreaterThan(3)
  expect(reads.filter(({ table }) => ownerOf.has(table) && ownerOf.get(table) !== 'lib')).toEqual([])
})
