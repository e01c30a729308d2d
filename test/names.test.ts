import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** An outside service that only its own folder knows by name. */
type Service = {
  ids: string[]
  /** Whether a file may name it. */
  isHome: (file: string, id: string) => boolean
  /** Other files that must name it, and why. */
  allowed: string[]
}

const foldersIn = (folder: string) =>
  globSync(`${folder}*/index.ts`, { cwd: root }).map((file) => basename(dirname(file)))
/** Whether a file is in the folder of the service, or is one of those beside the folders, such as the registry. */
const isIn = (folder: string, file: string, id: string) =>
  file.startsWith(`${folder}${id}/`) || new RegExp(`^${folder}[\\w.-]+$`).test(file)

const networks = 'server/modules/networks/'
const processors = 'server/modules/billing/providers/'
const services: Record<string, Service> = {
  networks: {
    ids: foldersIn(networks),
    isHome: (file, id) => isIn(networks, file, id) || file.startsWith('console/features/networks/'),
    allowed: [
      'server/modules/posts/record/posts.events.ts', // examples for receivers
      'server/modules/accounts/accounts.events.ts',
      'server/lifecycle.ts', // lists the steps of all modules
      'server/modules/networks/threads/sign-in.ts', // apps of Threads are registered at the site of Facebook
      'server/modules/networks/instagram/sign-in.ts', // and those of Instagram
      'server/modules/networks/instagram/facebook-login.ts', // accounts that are linked to Pages of Facebook
      'server/modules/networks/meta/avatar.ts', // knows the hosts of avatars
      'server/lib/http/schema/openapi-parts.ts', // has a scheme of authentication of the same name
    ],
  },
  'payment processors': {
    ids: foldersIn(processors),
    isHome: (file, id) => isIn(processors, file, id) || file.startsWith('console/features/billing/'),
    allowed: [
      'server/config/config.ts', // reads the environment of all
      'server/modules/options/catalogue.ts', // lists the options of all
      'console/features/options/labels.ts', // and shows them
      'console/features/options/locales/instance-admin/en.json',
      'console/features/options/locales/instance-admin/tr.json',
      'console/features/plans/form/MetadataFields.tsx', // suggests the keys of prices
      'server/docs/docs-pages.ts', // lists all guides
      'server/modules/billing/records/subscriptions.events.ts', // examples for receivers
      'server/modules/auth/account/export.schema.ts', // has an example
      'server/modules/ledger/ledger.schema.ts',
      'server/modules/billing/admin/test-billing.routes.ts',
      'server/modules/billing/records/buyer.schema.ts', // describes the fields that one requires
    ],
  },
  'AI vendors': {
    ids: ['openai', 'anthropic', 'google', 'mistral', 'xai'],
    isHome: (file) => /^(server\/modules|console\/features)\/ai\//.test(file),
    allowed: [
      'server/config/config.ts', // reads the environment of all
      'server/modules/options/catalogue.ts', // lists the options of all
      'console/features/options/labels.ts', // and shows them
    ],
  },
  'storages of files': {
    ids: ['s3'],
    isHome: (file) => file.startsWith('server/modules/media/'),
    allowed: [
      'server/config/config-values.ts', // parses the address of the storage
      'server/backup/targets/open-target.ts', // and that of backups
    ],
  },
}

/** Ids that are words of their own too, or short ones. They count only as a whole text. */
const words = ['threads', 'slack', 'google']

test.each(Object.entries(services))('only their own folders know %s by name', (_, { ids, isHome, allowed }) => {
  expect(ids.length).toBeGreaterThan(0)
  const generated = ['server/lib/db/database-types.ts', 'console/api.gen.d.ts']
  const own = globSync('{server/**/*.ts,shared/**/*.ts,console/**/*.{ts,tsx,json}}', { cwd: root }).filter(
    (file) =>
      !/\.(test|fixture)\.ts$/.test(file) &&
      !file.startsWith('console/dist/') &&
      ![...allowed, ...generated].includes(file),
  )
  const mention = (id: string) =>
    id.length > 4 && !words.includes(id) ? new RegExp(id, 'i') : new RegExp(`['"\`]${id}['"\`]`)
  const naming = own.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return ids.filter((id) => !isHome(file, id) && mention(id).test(text)).map((id) => `${file} names ${id}`)
  })
  expect(naming).toEqual([])
})

/** Former unclear file names; `docs/glossary.md` has the current words. */
const privateNames = [
  ...[
    'soon',
    'gate',
    'pulse',
    'heard-cache',
    'wake',
    'reseal',
    'lanes',
    'lane-list',
    'pace',
    'tally',
    'batches',
    'care',
  ],
  ...['care-mails', 'completion', 'resending', 'polling', 'subjects', 'places', 'bridge', 'ambient', 'authority'],
  ...['vendor-fetch', 'vendor-problem', 'testing', 'doors', 'desk', 'office', 'rooms', 'acts'],
  ...['writing', 'words', 'Doors', 'OneMail', 'BeginFrom', 'WhichMail', 'KeySign', 'Trouble', 'Raw', 'Linked'],
  ...['ShownOnce', 'useTell', 'useGone'],
]

test('no file or folder has a name from the list of unclear ones', () => {
  const tree = globSync('{server,shared,console,test,bench}/**/*', { cwd: root }).filter(
    (path) => !path.startsWith('console/dist'),
  )
  const isPrivate = (path: string) =>
    privateNames.includes(basename(path).replace(/\..*$/, '')) || /Acts\.tsx$/.test(path)
  expect(tree.length).toBeGreaterThan(500)
  expect(tree.filter(isPrivate)).toEqual([])
})

/** Words that have another name here, and the files that may use them: for a column or a field of someone else. */
const replacedWords: { word: RegExp; name: string; folders?: string[]; allowed: string[] }[] = [
  {
    word: /answer/i,
    name: 'response',
    allowed: [
      'server/lib/db/database-types.ts', // a column of the idempotency keys
      'server/lib/http/idempotency.ts',
      'server/lib/http/route.ts',
      'server/modules/workspaces/invitations/invitations.test.ts',
      'test/http/idempotency.test.ts',
      'test/stand-ins/discord-checks.ts', // fields of a poll
      'test/stand-ins/discord.test.ts',
      'test/openapi.test.ts', // refuses the word in descriptions
      'test/names.test.ts',
    ],
  },
  {
    word: /picture/i,
    name: 'image',
    folders: ['server/modules/media/', 'server/modules/posts/', 'server/modules/networks/text/'],
    // The picture of a workspace, and columns of other tools.
    allowed: [
      'server/modules/posts/import/file/columns.ts',
      'server/modules/posts/import/imports.test.ts',
      'server/modules/posts/client-links/client-files.ts',
      'server/modules/posts/client-links/client-review.routes.ts',
      'server/modules/posts/client-links/client-review.schema.ts',
      'server/modules/posts/client-links/client-review.test.ts',
      'server/modules/posts/client-links/client-session.ts',
      'server/modules/posts/client-links/reviewed-posts.ts',
    ],
  },
]

test.each(replacedWords)('code says $name and not $word', ({ word, folders = [''], allowed }) => {
  const files = globSync('{server,shared,console,test,bench,scripts}/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) =>
      folders.some((folder) => file.startsWith(folder)) &&
      !/^(console\/dist\/|console\/api\.gen)/.test(file) &&
      !allowed.includes(file),
  )
  expect(files.length).toBeGreaterThan(50)
  expect(files.filter((file) => word.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})
