import { check, error, ok, warning } from '../runtime/checks/check.ts'
import { reasonOf } from '../runtime/checks/run-checks.ts'
import { StartError } from '../runtime/start-error.ts'
import { fittingSecret } from './keyring.ts'
import { readSecret } from './secret-file.ts'

const secretKey = check({
  name: 'secret_key',
  group: 'security',
  outcomes: {
    ok: ok('SECRET_KEY is set, and fits the database.'),
    none: ok('The database has no keys yet. They are created at the first start.'),
    only_file: warning(
      'The secret key is only in the file secret.key of DATA_DIR.',
      'Keep a copy elsewhere, or set SECRET_KEY to its content: without it, stored credentials cannot be decrypted. A backup of “meydan backup” has it, too.',
    ),
    unusable: error(
      'The secret key cannot be read: {{reason}}',
      'Restore the file from a backup, or set SECRET_KEY to its content.',
    ),
    wrong: error(
      'SECRET_KEY does not fit the keys in the database: stored credentials cannot be decrypted.',
      'Set the SECRET_KEY that this installation was first started with. If you changed it, set the previous one as SECRET_KEY_PREVIOUS.',
    ),
  },
  find: async ({ config, database }) => {
    const db = database()
    // With keys in the database, no secret is created.
    if (!(await db.selectFrom('keyring').select('id').limit(1).executeTakeFirst())) return { outcome: 'none' }
    try {
      const secret = await readSecret(config, db)
      if ((await fittingSecret(db, [secret, config.SECRET_KEY_PREVIOUS])) === undefined) return { outcome: 'wrong' }
    } catch (fault) {
      if (fault instanceof StartError) return { outcome: 'unusable', values: { reason: reasonOf(fault) } }
      throw fault
    }
    return { outcome: config.SECRET_KEY ? 'ok' : 'only_file' }
  },
})

export const secretKeyChecks = [secretKey]
