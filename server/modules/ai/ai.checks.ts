import { sql } from 'kysely'
import { DAY } from '../../../shared/time.ts'
import { minIdAt } from '../../lib/db/database.ts'
import { check, ok, warning } from '../../lib/runtime/checks/check.ts'

/** Generations of a model in a row that failed at the provider. */
const FAILURES = 3

const models = check({
  name: 'ai_models',
  group: 'providers',
  outcomes: {
    ok: ok('Active AI models: {{count}}. None failed lately.'),
    none: ok('No AI model is active.'),
    failing: warning(
      'The last {{failures}} calls of the AI model {{model}} failed, the last one with {{code}}.',
      'Test the model on the page “AI models”: its key, its limits at the provider, its address.',
    ),
  },
  find: async ({ database, now }) => {
    const db = database()
    const { rows } = await sql<{ name: string; codes: string[] }>`
      select name, array(
        select case when state = 'failed' then coalesce(error_code, '') else 'succeeded' end from ai_generation
        where model_id = ai_model.id and id >= ${minIdAt(new Date(now().getTime() - DAY))}::uuid
          and state in ('failed', 'succeeded') order by id desc limit ${FAILURES}) as codes
      from ai_model where is_active order by id`.execute(db)
    if (rows.length === 0) return { outcome: 'none' }
    const failing = rows.find(
      ({ codes }) => codes.length === FAILURES && codes.every((code) => /^(ai|model)_/.test(code)),
    )
    if (!failing) return { outcome: 'ok', values: { count: rows.length } }
    return { outcome: 'failing', values: { failures: FAILURES, model: failing.name, code: failing.codes[0] ?? '–' } }
  },
})

export const aiChecks = [models]
