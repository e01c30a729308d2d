import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

/** All imports of our own files and of packages, as `from → to`, with paths from the repository root. */
const root = join(import.meta.dirname, '..')
const files = globSync('server/**/*.ts', { cwd: root }).filter((file) => !/\.(test|fixture)\.ts$/.test(file))
const source = Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const imports = files.flatMap((from) =>
  [
    ...(source[from] ?? '').matchAll(/^(?:import|export)\s(?:([^'";]*?)\sfrom\s)?'([^']+)'|\bimport\('([^']+)'\)/gm),
  ].map(([, names = '', path = '', dynamic]) => {
    const to = dynamic ?? path
    return {
      from,
      to: to.startsWith('.') ? join(dirname(from), to) : to,
      typeOnly: names.startsWith('type '),
      rule: `${from} → ${to}`,
    }
  }),
)
const moduleOf = (file: string) => /^server\/modules\/(\w+)\//.exec(file)?.[1]
/** The imports for which `isWrong` holds, as text. */
const offenders = (isWrong: (edge: (typeof imports)[number]) => boolean) =>
  imports.filter(isWrong).map(({ rule }) => rule)

test('the import graph covers all files', () => {
  expect(files.length).toBeGreaterThan(50)
  expect(imports.filter(({ to }) => to.startsWith('server/') && !files.includes(to))).toEqual([])
  expect(imports.filter(({ to }) => moduleOf(to)).length).toBeGreaterThan(30)
})

test('lib imports no module, and of the other files only errors and config', () => {
  expect(
    offenders(
      ({ from, to }) => from.startsWith('server/lib/') && /^server\/(?!lib\/|(errors|config\/config)\.ts$)/.test(to),
    ),
  ).toEqual([])
})

test('a module imports its dependencies from their interface in lib, not from the file that creates them', () => {
  expect(offenders(({ from, to }) => to === 'server/deps.ts' && moduleOf(from) !== undefined)).toEqual([])
})

test('only routes and the files below them import Fastify', () => {
  const allowed = /\.routes\.ts$|^server\/(app|health|metrics)\.ts$|^server\/(console|docs|lib)\//
  const mayRun =
    /\.routes\.ts$|^server\/(app|health|console\/console|docs\/reference)\.ts$|^server\/lib\/http\/(route|problems|body|access)\.ts$/
  expect(
    offenders(
      ({ from, to, typeOnly }) => /^(@fastify\/|fastify$)/.test(to) && !(typeOnly ? allowed : mayRun).test(from),
    ),
  ).toEqual([])
})

test('a module imports no routes, jobs, meters and exports of another module', () => {
  expect(
    offenders(
      ({ from, to }) =>
        /\.(routes|jobs|meters|export|checks)\.ts$/.test(to) &&
        moduleOf(from) !== undefined &&
        moduleOf(from) !== moduleOf(to),
    ),
  ).toEqual([])
})

test('every file that declares jobs is in the list of the worker', () => {
  const declaring = files.filter((file) => /\bjob\(\{/.test(source[file] ?? ''))
  const listed = imports.filter(({ from }) => from === 'server/worker.ts').map(({ to }) => to)
  expect(declaring.length).toBeGreaterThan(5)
  expect(declaring.filter((file) => !listed.includes(file))).toEqual([])
})

test('every file that declares checks is in the list of checks', () => {
  const declaring = files.filter((file) => file.endsWith('.checks.ts'))
  const listed = imports.filter(({ from }) => from === 'server/checks.ts').map(({ to }) => to)
  expect(declaring.length).toBeGreaterThan(10)
  expect(declaring.filter((file) => !listed.includes(file))).toEqual([])
})

test('webhooks and audit are used through emit and audit, and imported by no other module', () => {
  const wiring = /^server\/(app|worker|deps|events|lifecycle|metrics|checks)\.ts$/
  expect(
    offenders(
      ({ from, to }) =>
        ['webhooks', 'audit'].includes(moduleOf(to) ?? '') && moduleOf(from) !== moduleOf(to) && !wiring.test(from),
    ),
  ).toEqual([])
})

/** Cycles of imports between the parts of the server that `partOf` names. Files without a part are left out. */
function cyclesOf(partOf: (file: string) => string | undefined) {
  const edges = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    const [a, b] = [partOf(from), partOf(to)]
    if (a && b && a !== b) edges.set(a, (edges.get(a) ?? new Set()).add(b))
  }
  const cycles: string[] = []
  const walk = (path: string[]) => {
    for (const next of edges.get(path.at(-1) ?? '') ?? [])
      if (path[0] === next) cycles.push([...path, next].join(' → '))
      else if (!path.includes(next)) walk([...path, next])
  }
  for (const name of edges.keys()) walk([name])
  return cycles
}

test('modules import each other without cycles', () => {
  expect(cyclesOf(moduleOf)).toEqual([])
})

test.each([...new Set(files.flatMap((file) => moduleOf(file) ?? []))])(
  'the folders of %s import each other without cycles',
  (name) => {
    const folder = new RegExp(`^server/modules/${name}/([^/]+)/`)
    expect(cyclesOf((file) => folder.exec(file)?.[1])).toEqual([])
  },
)

/**
 * The floors of modules, the lowest first. A floor is a list of folders that do not import each other; `.`: the files of
 * the module itself, or of the folder. Each imports only from the floors below.
 */
const floors: Record<string, string[][]> = {
  agents: [['record'], ['sources'], ['drafts'], ['pictures'], ['runs'], ['.']],
  billing: [
    ['providers'],
    ['records'],
    ['invoices'],
    ['payments'],
    ['subscriptions'],
    ['checkouts'],
    ['processes'],
    ['admin', 'webhooks'],
    ['.'],
  ],
  posts: [
    ['record', 'posting-times', 'metrics', 'snippets', 'link-preview', 'calendar-notes'],
    ['validation', 'approval', 'comments', 'calendar-feeds'],
    ['publishing'],
    ['authoring'],
    ['lists', 'review', 'import', 'recurrence', 'versions'],
    ['queue', 'client-links'],
    ['.'],
  ],
  'media/files': [['rules'], ['worker'], ['client']],
  marketplace: [['gigs', 'payouts'], ['moderation', 'orders', 'sellers'], ['pages']],
  'marketplace/orders': [['record'], ['conversation'], ['money'], ['actions'], ['.']],
}

test.each(Object.entries(floors))('the folders of %s import only from the floors below', (name, levels) => {
  const base = `server/modules/${name}/`
  const folderOf = (file: string) =>
    file.slice(base.length).includes('/') ? file.slice(base.length).split('/')[0] : '.'
  const levelOf = (file: string) => levels.findIndex((folders) => folders.some((folder) => folder === folderOf(file)))
  const own = files.filter((file) => file.startsWith(base))
  expect(own.length).toBeGreaterThan(20)
  expect(own.filter((file) => levelOf(file) < 0)).toEqual([])
  expect(
    offenders(
      ({ from, to }) =>
        from.startsWith(base) && to.startsWith(base) && folderOf(from) !== folderOf(to) && levelOf(from) <= levelOf(to),
    ),
  ).toEqual([])
})

test('no process of Meydan loads the decoders: only their own process does', () => {
  const worker = 'server/modules/media/files/worker/'
  expect(imports.some(({ from, to }) => from.startsWith(worker) && to === 'sharp')).toBe(true)
  expect(offenders(({ from, to, typeOnly }) => to.startsWith(worker) && !from.startsWith(worker) && !typeOnly)).toEqual(
    [],
  )
})

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
  workspaces: ['invitation', 'workspace', 'workspace_member'],
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
    'account_metrics',
    'account_metrics_day',
    'data_deletion',
    'oauth_grant',
  ],
  posts: [
    'approval_policy',
    'calendar_feed',
    'calendar_note',
    'client_link',
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
    'post_version',
    'posting_times',
    'recurring_post',
    'review_decision',
    'snippet',
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

test('only config.ts reads the environment', () => {
  expect(
    files.filter((file) => file !== 'server/config/config.ts' && /process\.env\b/.test(source[file] ?? '')),
  ).toEqual([])
})

test('the console imports nothing from the server, only the types from /openapi.json', () => {
  const own = globSync('console/**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.startsWith('console/dist/'))
  expect(own.length).toBeGreaterThan(50)
  expect(own.filter((file) => /from '[^']*server\//.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

test('shared imports only packages and itself', () => {
  const own = globSync('shared/**/*.ts', { cwd: root })
  expect(own.length).toBeGreaterThan(0)
  const leading = own.filter((file) => /from '\.\.\/\.\.\//.test(readFileSync(join(root, file), 'utf8')))
  expect(leading).toEqual([])
})

test('the pricing page promises exactly the features that a route requires', () => {
  const required = files.flatMap((file) =>
    [...(source[file] ?? '').matchAll(/(?:feature: |FEATURE = )'([\w.]+)'/g)].map(([, name]) => name),
  )
  const page = readFileSync(join(root, 'console/features/plans/queries.ts'), 'utf8')
  const [, promised = ''] = /entitlements = (\[[^\]]*\])/.exec(page) ?? []
  expect([...promised.matchAll(/'([\w.]+)'/g)].map(([, name]) => name).sort()).toEqual([...new Set(required)].sort())
})
