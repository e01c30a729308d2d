import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Static } from 'typebox'
import { invalid } from '../../errors.ts'
import { audit } from '../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../lib/db/database.ts'
import type { User } from '../../lib/http/access.ts'
import type { IfMatch } from '../../lib/http/etag.ts'
import { isWithinTimes, nextTimeOfDay } from '../../lib/wall-clock.ts'
import { setMailPostFailures, touchUser } from '../auth/account/me.ts'
import { type Kind, kindNames, type Mode, optionsOf, pushDefault } from './kinds.ts'
import type { ChangePreferences } from './preferences.schema.ts'

export const DEFAULT_DIGEST_TIME = '08:30'

type Channel = 'console' | 'mail' | 'push'

/** Reads the settings that decide when a user is mailed or pushed to. Undefined for a user who gets neither. */
export async function readChannelSettings(db: Db, user_id: string, channel: Exclude<Channel, 'console'>) {
  const user = await db
    .selectFrom('user')
    .leftJoin('notification_schedule', 'notification_schedule.user_id', 'user.id')
    .select(['user.email', 'user.name', 'user.locale', 'user.timezone', 'user.mail_post_failures'])
    .select(['digest_time', 'quiet_from', 'quiet_until'])
    .select(
      sql<Record<string, Mode>>`coalesce((select json_object_agg(kind, mode) from notification_preference
        where user_id = ${sql.ref('user.id')} and channel = ${channel}), '{}')`.as('modes'),
    )
    .where('user.id', '=', user_id)
    .where('user.email_verified', '=', true)
    .where('user.banned_at', 'is', null)
    .executeTakeFirst()
  return user
}
type ChannelSettings = NonNullable<Awaited<ReturnType<typeof readChannelSettings>>>

/** When a user is mailed about a kind. */
export function mailModeOf(
  { modes, mail_post_failures }: Pick<ChannelSettings, 'modes' | 'mail_post_failures'>,
  kind: Kind,
) {
  const { mail, alwaysMailed } = optionsOf(kind)
  if (alwaysMailed) return mail
  // The same choice as `mail_post_failures` of the profile.
  if (kind === 'post.failed' && !mail_post_failures) return 'off'
  return modes[kind] ?? mail
}

/** Whether notifications of a kind are pushed to a user. */
export const isPushed = ({ modes }: Pick<ChannelSettings, 'modes'>, kind: Kind) =>
  (modes[kind] ?? pushDefault(kind)) === 'now'

/** The end of the quiet hours of a user; null outside of them. */
export function quietUntil({ timezone, quiet_from, quiet_until }: ChannelSettings, now: Date) {
  if (quiet_from === null || quiet_until === null) return null
  if (!isWithinTimes(timezone, { from: quiet_from, until: quiet_until }, now)) return null
  return nextTimeOfDay(timezone, quiet_until, now)
}

/** Reads what a user chose for each kind, or the defaults. */
export async function readPreferences(db: Db, { user_id }: Pick<User, 'user_id'>) {
  const user = await db
    .selectFrom('user')
    .select(['mail_post_failures', 'timezone', 'version', 'is_instance_admin'])
    .select((columns) =>
      jsonObjectFrom(
        columns
          .selectFrom('notification_schedule')
          .select(['digest_time', 'quiet_from', 'quiet_until'])
          .whereRef('notification_schedule.user_id', '=', 'user.id'),
      ).as('schedule'),
    )
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow()
  const chosen = await db
    .selectFrom('notification_preference')
    .select(['kind', 'channel', 'mode'])
    .where('user_id', '=', user_id)
    .execute()
  const modesOf = (channel: string) =>
    Object.fromEntries(chosen.filter((one) => one.channel === channel).map(({ kind, mode }) => [kind, mode as Mode]))
  const inConsole = modesOf('console')
  const modes = modesOf('mail')
  const pushed = modesOf('push')
  return {
    kinds: kindNames
      .filter((kind) => user.is_instance_admin || optionsOf(kind).subject !== 'installation')
      .map((kind) => {
        const { urgent = false, alwaysMailed = false } = optionsOf(kind)
        return {
          kind,
          console: inConsole[kind] === 'off' ? ('off' as const) : ('now' as const),
          mail: mailModeOf({ modes, mail_post_failures: user.mail_post_failures }, kind),
          push: isPushed({ modes: pushed }, kind) ? ('now' as const) : ('off' as const),
          urgent,
          always_mailed: alwaysMailed,
        }
      }),
    digest_time: user.schedule?.digest_time ?? DEFAULT_DIGEST_TIME,
    quiet_from: user.schedule?.quiet_from ?? null,
    quiet_until: user.schedule?.quiet_until ?? null,
    timezone: user.timezone,
    version: user.version,
  }
}

type Choice = { kind: Kind; channel: Channel; mode: Mode }

async function storeChoice(tx: Tx, user_id: string, { kind, channel, mode }: Choice) {
  if (kind === 'post.failed' && channel === 'mail') {
    await setMailPostFailures(tx, user_id, mode !== 'off')
    // The profile can turn them on again.
    if (mode === 'off') {
      await tx
        .deleteFrom('notification_preference')
        .where('user_id', '=', user_id)
        .where('kind', '=', kind)
        .where('channel', '=', channel)
        .execute()
      return
    }
  }
  await tx
    .insertInto('notification_preference')
    .values({ user_id, kind, channel, mode })
    .onConflict((conflict) => conflict.columns(['user_id', 'kind', 'channel']).doUpdateSet({ mode }))
    .execute()
}

export const changePreferences = (
  db: Db,
  caller: User,
  { kinds = [], ...times }: Static<typeof ChangePreferences>,
  ifMatch: IfMatch,
) =>
  inTransaction(db, async (tx) => {
    const { user_id } = caller
    await tx.selectFrom('user').select('id').where('id', '=', user_id).forNoKeyUpdate().execute()
    const { version, ...before } = await readPreferences(tx, caller)
    ifMatch(version)
    const choices = kinds.flatMap(({ kind, console: inConsole, mail, push }, index): Choice[] => {
      if (mail && optionsOf(kind).alwaysMailed)
        throw invalid(`/kinds/${index}/mail`, 'E-mails of this kind are always sent.')
      return [
        ...(inConsole ? [{ kind, channel: 'console' as const, mode: inConsole }] : []),
        ...(mail ? [{ kind, channel: 'mail' as const, mode: mail }] : []),
        ...(push ? [{ kind, channel: 'push' as const, mode: push }] : []),
      ]
    })
    for (const choice of choices) await storeChoice(tx, user_id, choice)
    const { digest_time, quiet_from, quiet_until } = { ...before, ...times }
    if ((quiet_from === null) !== (quiet_until === null))
      throw invalid('/quiet_until', 'Set both ends of the quiet hours, or neither.')
    if (quiet_from !== null && quiet_from === quiet_until)
      throw invalid('/quiet_until', 'The quiet hours end at another time than they begin.')
    if (Object.keys(times).length > 0) {
      const schedule = { digest_time, quiet_from, quiet_until }
      await tx
        .insertInto('notification_schedule')
        .values({ user_id, ...schedule })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(schedule))
        .execute()
    }
    await touchUser(tx, user_id)
    const details = { kinds: choices, ...times }
    await audit(tx, { ...caller, workspace_id: null }, 'user.updated', user_id, details)
    return readPreferences(tx, caller)
  })

/** Stops the mails of a kind to a user, or of all kinds that the digest has. */
export const stopMails = (db: Db, user_id: string, kind: Kind | 'digest') =>
  inTransaction(db, async (tx) => {
    const settings = await readChannelSettings(tx, user_id, 'mail')
    if (!settings) return
    const stopped = kindNames.filter(
      (name) =>
        !optionsOf(name).alwaysMailed && (kind === 'digest' ? mailModeOf(settings, name) === 'digest' : name === kind),
    )
    for (const name of stopped) await storeChoice(tx, user_id, { kind: name, channel: 'mail', mode: 'off' })
    const actor = { user_id, workspace_id: null, ip: null, user_agent: null }
    await audit(tx, actor, 'user.updated', user_id, { unsubscribed: stopped })
  })
