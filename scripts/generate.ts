/**
 * Generates the checksums of migrations, table types, openapi.json, the console's API types, docs/configuration.md and
 * the limits in docs/networks; `npm run check` compares.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import openapiTS, { astToString } from 'openapi-typescript'
import { keys, providerVariables } from '../server/config/config.ts'
import { startEmbeddedPostgres } from '../server/lib/db/embedded/embedded-postgres.ts'
import { migrate } from '../server/lib/db/migrate.ts'
import { checksumsFile, readLandedMigrations, readMigrations } from '../server/lib/db/migrations.ts'
import type { Plain } from '../server/modules/options/option-types.ts'
import { withNewMigrations } from './landed-migrations.ts'

const landed = withNewMigrations(await readLandedMigrations(), await readMigrations())
await writeFile(checksumsFile, `${JSON.stringify(landed, null, 2)}\n`)
const dataDir = await mkdtemp(join(tmpdir(), 'meydan-generate-'))
const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined, durable: false })
try {
  await migrate(postgres.connection)
  await writeDatabaseTypes()
  await writeOpenApi()
  await writeConfigurationPage()
  await writeNetworkPages()
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function writeDatabaseTypes() {
  const { user, password, host, database } = postgres.connection
  const url = `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}`
  const codegen = new URL('../node_modules/.bin/kysely-codegen', import.meta.url).pathname
  const out = new URL('../server/lib/db/database-types.ts', import.meta.url).pathname
  // Types of the content of JSON columns, which are written as text.
  const columns = {
    'account.form': 'ColumnType<Record<string, string>, string | undefined, string>',
    'approval_policy.steps':
      'ColumnType<import("../../modules/posts/approval/policy.ts").Step[], string | undefined, string>',
    'invoice.seller':
      'ColumnType<{ name: string; address: string | null; tax_office: string | null; tax_id: string | null }, string, never>',
    'invoice.buyer':
      'ColumnType<{ name: string } & { [Field in "line1" | "line2" | "city" | "country" | "postal" | "tax_id"]?: string }, string, never>',
    'invoice.lines':
      'ColumnType<{ description: string; plan_name: string | null; amount: number; vat_amount: number }[], string, never>',
    'order_delivery.posts':
      'ColumnType<import("../../modules/marketplace/orders/record/orders.schema.ts").ContractPosts, string, never>',
    'order_message.details': 'ColumnType<Record<string, string | number> | null, string | undefined, never>',
    'post.approved_policies': 'ColumnType<unknown, string | null | undefined, string | null>',
    'post.warnings':
      'ColumnType<{ pointer: string; message: string; translations?: { tr: string } }[], string | undefined, string>',
    'recipe_version.body': 'ColumnType<import("../../modules/catalog/recipes.schema.ts").RecipeBody, string, never>',
    'post_target.options': 'ColumnType<Record<string, unknown>, string | undefined, string>',
    'workspace.billing_address':
      'ColumnType<{ [Field in "name" | "line1" | "line2" | "city" | "country" | "postal" | "tax_id"]?: string } | null, string | null | undefined, string | null>',
  }
  await promisify(execFile)(codegen, [
    ...['--dialect', 'postgres', '--url', url, '--out-file', out],
    ...['--include-pattern', 'public.*', '--overrides', JSON.stringify({ columns })],
  ])
}

async function writeOpenApi() {
  // Imported late: at run time the modules need the schema, which is created above.
  const { buildApp } = await import('../server/app.ts')
  const { createDeps } = await import('../server/deps.ts')
  const { openapiDocument, partOf } = await import('../server/docs/openapi.ts')
  const { readConfig } = await import('../server/config/config.ts')
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', BASE_URL: 'http://localhost:3000' })
  const deps = await createDeps(config, postgres.connection)
  const app = await buildApp(deps)
  await app.ready()
  const document = openapiDocument(app)
  await writeFile(new URL('../openapi.json', import.meta.url), `${outline(document, 3)}\n`)
  // The console calls with a session, and receives no webhooks.
  const sessionPaths = Object.entries(document.paths ?? {}).filter(([path]) => !path.startsWith('/api/v1/public/'))
  const forConsole = partOf(document, { paths: Object.fromEntries(sessionPaths), webhooks: {} })
  const types = astToString(await openapiTS(JSON.stringify(withoutExamples(forConsole))))
  await writeFile(new URL('../console/api.gen.d.ts', import.meta.url), types)
  await app.close()
  await deps.close()
}

/** Formats objects down to this depth with a line for each entry, and everything below on the line of its entry. */
function outline(value: unknown, depth: number, indent = ''): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value)
  const entries = Object.entries(value).map(
    ([name, child]) => `${indent}  ${JSON.stringify(name)}: ${outline(child, depth - 1, `${indent}  `)}`,
  )
  return entries.length > 0 ? `{\n${entries.join(',\n')}\n${indent}}` : '{}'
}

/** Examples would only be comments among the types. */
function withoutExamples(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutExamples(item))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => name !== 'example' || key === 'properties')
  return Object.fromEntries(kept.map(([name, child]) => [name, withoutExamples(child, name)]))
}

async function writeConfigurationPage() {
  const { order, plain, secrets } = await import('../server/modules/options/catalogue.ts')
  const options = Object.entries({ ...plain, ...secrets }).map(([key, option]) => ({ key, ...option }))
  const overridden = (name: string) => {
    const option = options.find(({ environment }) => environment === name)
    return option ? ` The option \`${option.key}\` overrides it.` : ''
  }
  const rows = Object.entries(keys).map(
    ([name, { doc, default: fallback }]) =>
      `| \`${name}\` | ${fallback ? `\`${fallback}\`` : fallback === '' ? 'empty' : 'unset'} | ${doc}${overridden(name)} |`,
  )
  const optionRows = order.map((key) => {
    const option = options.find((candidate) => candidate.key === key)
    const { description = '', type = 'secret', default: fallback = 'unset' } = (option ?? {}) as Partial<Plain>
    const shown = type === 'secret' ? 'unset' : fallback === '' ? 'empty' : `\`${fallback}\``
    return `| \`${key}\` | ${type} | ${option?.environment ? `\`${option.environment}\`` : shown} | ${description.replaceAll('<', '&lt;')} |`
  })
  const text = `# Configuration

Meydan reads its settings from the environment. If a value is not valid, Meydan does not start and reports the key. An
empty value counts as unset, unless its description says otherwise.

Every setting can come from a file: \`SECRET_KEY_FILE=/run/secrets/secret_key\` reads \`SECRET_KEY\` from that file, at the
start. Docker, Kubernetes and systemd hand over secrets in this way, so that they are in no environment. The file contains
the value alone; spaces and line breaks around it do not count. Meydan does not start if a setting and its file are both
set, or if the file cannot be read or is empty.

| Key | Default | Meaning |
|---|---|---|
${rows.join('\n')}

Meydan removes the variables that the libraries of AI providers read by themselves from its environment
(${providerVariables.map((name) => `\`${name}\``).join(', ')}): API keys of providers are options.

# Options

Instance admins change options while Meydan runs, in the console or with \`PUT /api/v1/options/{key}\`. An option overrides
the environment; deleting it restores the value of the environment or the default. A change takes effect on every node
within a second. Secrets are stored encrypted and never returned: \`meydan keys rotate encryption\` encrypts them again
under the new key.

| Option | Type | Default | Meaning |
|---|---|---|---|
${optionRows.join('\n')}
| \`ai-model-<id>_api-key\` | secret | unset | API key of an AI model. Used instead of the key of its provider. |
`
  await writeFile(new URL('../docs/configuration.md', import.meta.url), text)
}

/** Writes what each network declares between the markers of its page. */
async function writeNetworkPages() {
  const { networks } = await import('../server/modules/networks/registry.ts')
  const { describeCapabilities } = await import('./network-limits.ts')
  for (const network of networks) {
    const file = new URL(`../docs/networks/${network.id}.md`, import.meta.url)
    const page = await readFile(file, 'utf8')
    const [, before, after] =
      /^([\s\S]*<!-- capabilities -->\n)[\s\S]*?(<!-- \/capabilities -->[\s\S]*)$/.exec(page) ?? []
    if (before === undefined || after === undefined) throw new Error(`${file.pathname} has no markers for its limits`)
    await writeFile(file, before + describeCapabilities(network) + after)
  }
}
