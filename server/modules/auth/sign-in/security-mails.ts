import type { Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { languageOf, mailTimeFormat } from '../../../lib/language.ts'
import { queueMail } from '../../mail/mail.ts'
import { twoFactorChange } from '../../mail/templates/texts/phrases.ts'

export type MailDeps = Pick<Deps, 'options' | 'baseUrl' | 'log' | 'clock'>

type Change =
  | { key: 'password-changed' }
  | { key: 'two-factor-changed'; change: keyof typeof twoFactorChange.en }
  /** Sent to the former address, in case another person made the change. */
  | { key: 'email-changed'; former: string }

/** Mails a user about a change that affects the sign-in, in the transaction of the change. */
export async function mailSecurityChange(deps: MailDeps, tx: Tx, user_id: string, change: Change) {
  const user = await tx
    .selectFrom('user')
    .select(['email', 'name', 'locale', 'timezone'])
    .where('id', '=', user_id)
    .executeTakeFirst()
  if (!user) return
  const language = languageOf(user.locale)
  const time = mailTimeFormat(language, user.timezone)
  await queueMail(tx, deps, {
    key: change.key,
    to: { address: change.key === 'email-changed' ? change.former : user.email, name: user.name },
    locale: user.locale,
    variables: {
      changed_at: time.format(deps.clock.now()),
      ...(change.key === 'email-changed' && { new_email: user.email }),
      ...(change.key === 'two-factor-changed' && { change: twoFactorChange[language][change.change] }),
    },
  })
}
