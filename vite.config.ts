import { glob, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const sources = join(import.meta.dirname, 'console')

/** Writes a .br and a .gz beside each text file, so that the server compresses nothing per request. */
async function compress(dir: string) {
  const names = await readdir(dir, { recursive: true })
  await Promise.all(
    names
      .filter((name) => /\.(js|css|svg|webmanifest)$/.test(name))
      .map(async (name) => {
        const text = await readFile(join(dir, name))
        await writeFile(join(dir, `${name}.br`), await promisify(brotliCompress)(text))
        await writeFile(join(dir, `${name}.gz`), await promisify(gzip)(text))
      }),
  )
}

/** Compresses after the bundler has ended: it takes longer, and the bundler would report it as a slow part of its own. */
const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  buildApp: {
    order: 'post',
    handler: async (builder) => {
      for (const environment of Object.values(builder.environments)) await builder.build(environment)
      const { root, build } = builder.config
      await compress(resolve(root, build.outDir))
    },
  },
})

const PREFIX = '\0virtual:texts/'

/**
 * Joins the texts of all features into one bundle for each language and part: `virtual:texts/en/signed-out` holds every
 * `locales/signed-out/en.json`. The part `workspace` has no folder of its own: every `locales/en.json`.
 */
const texts = (): Plugin => ({
  name: 'texts',
  resolveId: (id) => (id.startsWith(PREFIX.slice(1)) ? `\0${id}` : undefined),
  load: async function (id) {
    if (!id.startsWith(PREFIX)) return undefined
    const [language = '', part = ''] = id.slice(PREFIX.length).split('/')
    const pattern = join(...(part === 'workspace' ? ['locales'] : ['locales', part]), `${language}.json`)
    const joined: Record<string, object> = {}
    for await (const name of glob(join('**', pattern), { cwd: sources })) {
      const file = join(sources, name)
      this.addWatchFile(file)
      const groups: Record<string, object> = JSON.parse(await readFile(file, 'utf8'))
      for (const [group, entries] of Object.entries(groups)) joined[group] = { ...joined[group], ...entries }
    }
    const sorted = Object.fromEntries(Object.entries(joined).sort(([a], [b]) => (a < b ? -1 : 1)))
    return { code: `export default ${JSON.stringify(sorted)}`, moduleType: 'js' }
  },
})

/** Heavy, and loaded when somebody chooses a date. */
const dates = /@mantine\/dates|dayjs|(DateTimePickerField|LocalizedDatesProvider|DateRangePicker|ExpiryDatePicker)\.tsx/

/** Pages that are loaded together: they are small, and each further request costs a round trip. The first match counts. */
const pageChunks: [name: string, pages: RegExp][] = [
  ['shell', /^\/shell\/Shell\.tsx$/],
  ['signed-out', /^\/features\/auth\/signed-out\/\w+\.tsx$/],
  ['set-up', /^\/features\/workspaces\/SetUpPage\.tsx$/],
  ['pricing', /^\/features\/plans\/pricing\/PricingPage\.tsx$/],
  ['client-review', /^\/features\/posts\/client\/ClientReviewPage\.tsx$/],
  ['compose', /^\/features\/posts\/compose\/\w+\.tsx$|\/RecurringFormPages\.tsx$/],
  ['agents', /^\/features\/(agents|catalog\/updates)\/.*Pages?\.tsx$/],
  ['catalog-admin', /^\/features\/catalog\/admin\/.*Page\.tsx$/],
  ['catalog', /^\/features\/catalog\/.*Page\.tsx$/],
  ['media', /^\/features\/media\/.*Page\.tsx$/],
  ['marketplace-admin', /^\/features\/marketplace\/admin\/.*Page\.tsx$/],
  ['marketplace', /^\/features\/marketplace\/.*Pages?\.tsx$/],
  ['billing-admin', /^\/features\/billing\/admin\/.*Page\.tsx$/],
  ['billing', /^\/features\/billing\/.*Page\.tsx$/],
  ['webhooks', /^\/features\/webhooks\/.*Pages?\.tsx$/],
  ['plans', /^\/features\/plans\/.*Pages?\.tsx$/],
  ['profile', /^\/features\/(auth|notifications)\/.*Page\.tsx$/],
  ['instance-admin', /^\/features\/(ai|installation|mail|networks\/apps|options)\/.*Page\.tsx$/],
  [
    'workspace-admin',
    /^\/features\/(audit\/|tokens\/|workspaces\/(members|settings)\/|networks\/WorkspaceApps).*Page\.tsx$/,
  ],
  ['posts', /^\/features\/posts\/(calendar|list)\/\w+Page\.tsx$/],
  ['post', /^\/features\/posts\/details\/PostPage\.tsx$/],
  ['workspace', /^\/features\/(accounts|metrics|networks|posts|workspaces)\/.*Page\.tsx$/],
]

/** The chunks that most visits begin with. What only other pages need of the shared code is apart, in `further`. */
const frequent = ['shell', 'posts']

/** Packages that are imported through an index of all their modules. */
const packagesWithIndex = ['@mantine/core', '@mantine/hooks', 'lucide-react']

/** The file and the name behind each export of the index of a package. */
async function readIndex(name: string, resolve: (name: string, importer?: string) => Promise<string>) {
  const index = await resolve(name)
  const found = new Map<string, { file: string; exported: string }>()
  const lists = (await readFile(index, 'utf8')).matchAll(/^(?:im|ex)port \{([^}]*)\} from ["']([^"']+)["']/gm)
  for (const [, list = '', path = ''] of lists) {
    const file = await resolve(path, index)
    for (const entry of list.split(',')) {
      const [exported = '', local = exported] = entry.trim().split(' as ')
      found.set(local, { file, exported })
    }
  }
  return found
}

/**
 * Imports components and icons from their own files. Through the index of its package, an import of one counts as an
 * import of all, and nothing tells which pages need which.
 */
const directImports = (): Plugin => {
  const indexes = new Map<string, ReturnType<typeof readIndex>>()
  const imports = new RegExp(`import \\{([^}]*)\\} from ["'](${packagesWithIndex.join('|')})["'];?`, 'g')
  return {
    name: 'direct-imports',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /\.(mjs|js|tsx?)$/, code: packagesWithIndex },
      handler: async function (code) {
        const resolve = async (name: string, importer?: string) => {
          const found = await this.resolve(name, importer)
          if (!found) throw new Error(`${name} is not installed`)
          return found.id
        }
        for (const name of packagesWithIndex) if (!indexes.has(name)) indexes.set(name, readIndex(name, resolve))
        const known = new Map(
          await Promise.all([...indexes].map(async ([name, index]) => [name, await index] as const)),
        )
        return code.replaceAll(imports, (_, list: string, name: string) =>
          list
            .split(',')
            .map((entry) => {
              const [wanted = '', local = wanted] = entry.trim().split(' as ')
              const { file, exported } = known.get(name)?.get(wanted) ?? { file: name, exported: wanted }
              return wanted && `import { ${exported} as ${local} } from ${JSON.stringify(file)};`
            })
            .join(' '),
        )
      },
    },
  }
}

type Graph = { getModuleInfo: (id: string) => { importers: string[]; dynamicImporters: string[] } | null }

/** The chunks that need a module. Code that is loaded by itself, such as a picker, counts as a chunk of its own. */
function chunksThatNeed(id: string, graph: Graph) {
  const chunks = new Set<string>()
  const modules = new Set([id])
  for (const module of modules) {
    const { importers = [], dynamicImporters = [] } = graph.getModuleInfo(module) ?? {}
    if (dynamicImporters.length > 0) {
      const [name] = pageChunks.find(([, pages]) => pages.test(module.slice(sources.length))) ?? []
      if (name === undefined && /Pages?\.tsx$/.test(module)) throw new Error(`No chunk in vite.config.ts has ${module}`)
      chunks.add(name ?? module)
    }
    for (const importer of importers) modules.add(importer)
  }
  return [...chunks]
}

const isShared = (id: string) => !dates.test(id) && !id.startsWith(PREFIX)

/**
 * A few large files: each request costs more than the bytes that a page does not need. A group takes what the groups
 * before it have left, together with everything that it imports.
 */
const codeSplitting = {
  groups: [
    // Apart from the rest of the base, because it changes with a release of React and not with one of Meydan.
    { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 7 },
    // All but the entry itself, which the page has to find.
    {
      name: 'base',
      tags: ['$initial' as const],
      test: /rolldown\/runtime|(node_modules|console)\/(?!main\.tsx|index\.html)/,
      priority: 6,
    },
    {
      debugName: 'shared',
      name: (id: string, graph: Graph) => {
        const chunks = chunksThatNeed(id, graph)
        return chunks.length > 1 && chunks.some((name) => frequent.includes(name)) ? 'shared' : null
      },
      minShareCount: 2,
      test: isShared,
      priority: 5,
    },
    // Large, and needed by few pages.
    { name: 'numbers', test: /node_modules\/(react-number-format\/|@mantine\/core\/.*\/NumberInput\/)/, priority: 4 },
    { name: 'post-rules', test: /node_modules\/tlds\/|\/shared\/text\/|\/features\/posts\/text-problems/, priority: 4 },
    {
      debugName: 'further',
      name: (id: string, graph: Graph) => (chunksThatNeed(id, graph).length > 1 ? 'further' : null),
      minShareCount: 2,
      test: isShared,
      priority: 3,
    },
    {
      debugName: 'pages',
      name: (id: string, graph: Graph) => pageChunks.find(([name]) => name === chunksThatNeed(id, graph)[0])?.[0],
      test: (id: string) => id.startsWith(sources) && !dates.test(id),
      priority: 2,
    },
    { name: 'dates', test: dates, priority: 1 },
  ],
}

export default defineConfig({
  root: 'console',
  base: '/console/',
  plugins: [react(), texts(), directImports(), compressed()],
  // Fonts stay files: inlined in a style sheet they would be loaded even where no text needs them.
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2024',
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    // Every browser that runs the console preloads modules.
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting } },
  },
})
