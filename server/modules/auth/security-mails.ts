import type { Deps } from '../../deps.ts'
import type { Tx } from '../../lib/database.ts'
import { queueMail } from '../mail/mail.ts'
import { mailLanguage, twoFactorChange } from '../mail/texts.ts'

export type MailDeps = Pick<Deps, 'options' | 'baseUrl' | 'log' | 'clock'>

type Change =
  | { key: 'password-changed' }
  | { key: 'two-factor-changed'; change: keyof typeof twoFactorChange.en }
  /** It goes to where its owner still reads, should another have changed it. */
  | { key: 'email-changed'; former: string }

/** Tells somebody of a change that opens or closes the door to their account, in the transaction of the change. */
export async function mailChange(deps: MailDeps, tx: Tx, user_id: string, change: Change) {
  const user = await tx
    .selectFrom('user')
    .select(['email', 'name', 'locale', 'timezone'])
    .where('id', '=', user_id)
    .executeTakeFirst()
  if (!user) return
  const language = mailLanguage(user.locale)
  const time = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone: user.timezone,
  })
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
