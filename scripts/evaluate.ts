/** Measures prompts: has a model write for briefs, and counts which rules its texts keep. */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { createOwner, withDeps } from '../bench/meydan.ts'
import { cleanUp, startPostgres } from '../bench/processes.ts'
import { onDatabase } from '../server/commands/database-commands.ts'
import { readConfig } from '../server/config/config.ts'
import { createDeps } from '../server/deps.ts'
import { activeChatModels } from '../server/modules/ai/models/models.ts'
import { modelFor } from '../server/modules/ai/providers/providers.ts'
import type { LanguageBrief } from './evaluate/brief.ts'
import { briefs } from './evaluate/briefs/briefs.ts'
import { evaluate, isMet, sharesOf } from './evaluate/evaluate.ts'
import { reportOf, type SavedRun } from './evaluate/report.ts'
import { scriptedDraft, scriptedModel } from './evaluate/scripted-model.ts'

const usage = `npm run evaluate -- agents

  --model <id>      ask this model of the installation that the settings name, instead of the script
  --language tr|en  take only the briefs of this language
  --brief <name>    take only these briefs; can be repeated
  --save <file>     keep the run, to compare later ones with it
  --against <file>  compare with a run that was kept
`

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: 'string' },
    language: { type: 'string' },
    brief: { type: 'string', multiple: true },
    save: { type: 'string' },
    against: { type: 'string' },
  },
})
if (positionals.join() !== 'agents') fail(usage)
const { model: model_id, language, brief: names, save, against } = values
const unknown = names?.filter((name) => !briefs.some((brief) => brief.name === name)) ?? []
if (unknown.length > 0)
  fail(`Unknown brief: ${unknown.join(', ')}. Known: ${briefs.map(({ name }) => name).join(', ')}.`)
const chosen = briefs.filter(
  (brief) => (!language || brief.language === language) && (!names || names.includes(brief.name)),
)
if (chosen.length === 0) fail('No brief is left.')
const before = against === undefined ? undefined : (JSON.parse(await readFile(against, 'utf8')) as SavedRun)

type Writer = { name: string; modelOf: Parameters<typeof evaluate>[0]['modelOf'] }

/** Evaluates on a database of its own: the installation lends nothing but its model. */
async function evaluateWith({ name, modelOf }: Writer) {
  try {
    const results = await withDeps(await startPostgres(), async (deps) =>
      evaluate({ deps, owner: await createOwner(deps), briefs: chosen, modelOf }),
    )
    const run: SavedRun = { model: name, evaluated_at: new Date().toISOString(), results }
    process.stdout.write(`${reportOf(run, before)}\n`)
    if (save !== undefined) await writeFile(save, `${JSON.stringify(run, null, 2)}\n`)
    process.exitCode = sharesOf(results).every(isMet) ? 0 : 1
  } finally {
    await cleanUp()
  }
}

const scripted = (brief: LanguageBrief) => scriptedModel(JSON.stringify(scriptedDraft(brief)))

if (model_id === undefined) await evaluateWith({ name: 'script', modelOf: scripted })
else {
  const config = readConfig()
  await onDatabase(config, async (connection) => {
    const deps = await createDeps(config, connection)
    try {
      const models = await activeChatModels(deps.db).execute()
      const row = models.find(({ id, id_secure }) => id_secure === model_id || String(id) === model_id)
      if (!row)
        fail(
          `There is no active chat model ${model_id}. There are: ${models.map(({ id, name }) => `${id} (${name})`).join(', ') || 'none'}.`,
        )
      const ready = await modelFor(deps, row)
      await evaluateWith({ name: row.name, modelOf: () => ready })
    } finally {
      await deps.close()
    }
  })
}
