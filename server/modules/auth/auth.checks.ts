import { sql } from 'kysely'
import { isPublic } from '../../lib/http/public-address.ts'
import { check, ok, warning } from '../../lib/runtime/checks/check.ts'

const admins = check({
  name: 'admins',
  group: 'security',
  outcomes: {
    ok: ok('All instance admins have a second factor.'),
    none: warning(
      'There is no instance admin yet.',
      'Open the set-up link that Meydan prints when it starts, or set ADMIN_EMAIL and ADMIN_PASSWORD.',
    ),
    one_factor: warning(
      'Instance admins without a second factor: {{count}} of {{all}}. The first is {{email}}.',
      'Let each of them set up a second factor in the profile.',
    ),
  },
  find: async ({ database }) => {
    const { rows } = await sql<{ all: number; count: number; email: string | null }>`
      select count(*)::int as all, count(*) filter (where not two_factor_enabled)::int as count,
        (array_agg(email order by id) filter (where not two_factor_enabled))[1] as email
      from "user" where is_instance_admin and banned_at is null`.execute(database())
    const { all = 0, count = 0, email } = rows[0] ?? {}
    if (all === 0) return { outcome: 'none' }
    return count === 0 ? { outcome: 'ok' } : { outcome: 'one_factor', values: { all, count, email: email ?? '–' } }
  },
})

const signUp = check({
  name: 'sign_up',
  group: 'security',
  outcomes: {
    ok: ok('Sign-up is limited to invited people, or closed.'),
    local: ok('Sign-up is open, and BASE_URL is not public.'),
    open: warning(
      'Sign-up is open, and BASE_URL is public: anybody can sign up.',
      'Set the option auth.sign_up to “invitation” or “closed”, unless this is meant.',
    ),
  },
  find: async ({ options, baseUrl }) => {
    if ((await options().get('auth.sign_up')) !== 'open') return { outcome: 'ok' }
    return { outcome: isPublic(baseUrl) ? 'open' : 'local' }
  },
})

export const authChecks = [admins, signUp]
