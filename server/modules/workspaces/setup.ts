import type { Static } from 'typebox'
import { problem } from '../../errors.ts'
import { equalInConstantTime } from '../../lib/crypto/crypto.ts'
import { inTransaction } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Anonymous } from '../../lib/http/access.ts'
import type { SetUp } from '../auth/auth.schema.ts'
import { hasInstanceAdmin, lockSetUp, makeInstanceAdmin, setUpCode } from '../auth/instance-admin.ts'
import { checkLocale, checkTimeZone } from '../auth/locale.ts'
import { hashPassword } from '../auth/sign-in/passwords.ts'
import { canSendMail } from '../mail/mailer.ts'
import { createWorkspace } from './workspaces.ts'

/** Data that pages need before sign-in. */
export const readInstance = async ({ db, options }: Pick<Deps, 'db' | 'options'>) => ({
  needs_setup: !(await hasInstanceAdmin(db)),
  sends_mail: await canSendMail({ options }),
  sign_up: await options.get('auth.sign_up'),
})

/** Creates the first instance admin, and a workspace when one is named. Works once, with the printed code. */
export async function setUp({ db, auth, keyring }: Deps, caller: Anonymous, input: Static<typeof SetUp>) {
  if (!equalInConstantTime(input.code, setUpCode(keyring))) throw problem('setup_code_invalid')
  if (input.timezone) checkTimeZone(input.timezone)
  const locale = input.locale && checkLocale(input.locale)
  const passwordHash = await hashPassword(auth, input.password)
  return inTransaction(db, async (tx) => {
    await lockSetUp(tx)
    if (await hasInstanceAdmin(tx)) throw problem('setup_done')
    const { email, name, timezone } = input
    const settings = { ...(locale && { locale }), ...(timezone && { timezone }) }
    const user_id = await makeInstanceAdmin(tx, { email, name, passwordHash, ...settings })
    const workspace =
      input.workspace_name === undefined
        ? undefined
        : await createWorkspace(tx, { ...caller, user_id }, { name: input.workspace_name, ...settings })
    return { user_id, workspace_id: workspace?.id ?? null }
  })
}

/** Ensures at the start that the admin named by ADMIN_EMAIL exists. */
export async function ensureConfiguredAdmin({ db, auth, config }: Pick<Deps, 'db' | 'auth' | 'config'>) {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = config
  if (!email || !password) return
  const ready = await db
    .selectFrom('user')
    .select('id')
    .where('email', '=', email)
    .where('email_verified', '=', true)
    .where('is_instance_admin', '=', true)
    .executeTakeFirst()
  if (ready) return
  const passwordHash = await hashPassword(auth, password)
  await inTransaction(db, async (tx) => {
    await lockSetUp(tx)
    await makeInstanceAdmin(tx, { email, name: 'Admin', passwordHash })
  })
}
