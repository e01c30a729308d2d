import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, newAddress, signedIn } from '../../../../test/factories.ts'
import { mailedCode, mailsTo, signUp, wrong } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'

const t = await testApp()

const addresses = async () => {
  const unverified = newAddress()
  await signUp(t, unverified)
  return { verified: (await signedIn(t)).email, unverified, unknown: newAddress() }
}

/** Rows of everything that the work of a request writes, besides its job. */
const written = async () => {
  const { rows } = await sql`select
    (select count(*) from mail) as mails, (select count(*) from verification) as codes,
    (select count(*) from audit_entry) as entries, (select count(*) from graphile_worker._private_jobs) as jobs
  `.execute(t.deps.db)
  return rows.map((row) => Object.fromEntries(Object.entries(row as object).map(([name, n]) => [name, Number(n)])))[0]
}

describe.each([
  ['a reset', 'request-password-reset', {}, { verified: 1, unverified: 2, unknown: 0 }],
  [
    'a code',
    'email-otp/send-verification-otp',
    { type: 'email-verification' },
    { verified: 0, unverified: 2, unknown: 0 },
  ],
] as const)('a request for %s', (_, path, more, mailed) => {
  test('adds a job and nothing else at every address, and mails later', async () => {
    const named = await addresses()
    await t.runJobs()
    for (const email of Object.values(named)) {
      const before = await written()
      expectStatus(await t.anyone.post(`/api/auth/${path}`, { email, ...more }), 200)
      expect(await written()).toEqual({ ...before, jobs: (before?.jobs ?? 0) + 1 })
    }
    await t.runJobs()
    const mails = Object.entries(named).map(async ([kind, email]) => [kind, (await mailsTo(t, email)).length])
    // The unverified one had a code when it signed up.
    expect(Object.fromEntries(await Promise.all(mails))).toEqual(mailed)
  })
})

describe('a guess of a code', () => {
  const guess = (email: string, otp: string) => t.anyone.post('/api/auth/email-otp/verify-email', { email, otp })
  /** The number of guesses that each pending code has had. */
  const guesses = async (email: string) =>
    (
      await t.deps.db
        .selectFrom('verification')
        .select('value')
        .where('identifier', '=', `email-verification-otp-${email}`)
        .execute()
    ).map(({ value }) => value.split(':').at(-1))

  test('is counted and forgotten alike at every address', async () => {
    const named = await addresses()
    const otp = wrong(await mailedCode(t, named.unverified))
    const seen = []
    for (const email of Object.values(named)) {
      const counts = []
      for (let call = 0; call < 5; call++) {
        expectProblem(await guess(email, otp), 400, 'verification_failed')
        counts.push(await guesses(email))
      }
      seen.push(counts)
    }
    expect(seen[0]).toEqual([['1'], ['2'], ['3'], [], ['1']])
    expect(seen[1]).toEqual(seen[0])
    expect(seen[2]).toEqual(seen[0])
  })
})

describe('a sign-up', () => {
  test('does the same work at every address, and undoes it where there is an account', async () => {
    const withMail = await testApp({ SMTP_URL: 'smtp://127.0.0.1:1' })
    /** Jobs that were ever added, also those that were undone. */
    const jobsAdded = async () => {
      const { rows } = await sql<{ count: number }>`
        select pg_sequence_last_value(pg_get_serial_sequence('graphile_worker._private_jobs', 'id'))::int as count
      `.execute(withMail.deps.db)
      return rows[0]?.count ?? 0
    }
    const mails = async () => (await withMail.deps.db.selectFrom('mail').select('to_address').execute()).length
    const verified = (await signedIn(withMail)).email
    const unverified = newAddress()
    await signUp(withMail, unverified)
    for (const [email, mailed] of [
      [verified, 0],
      [unverified, 1],
      [newAddress(), 1],
    ] as const) {
      const before = { jobs: await jobsAdded(), mails: await mails() }
      await signUp(withMail, email)
      expect({ jobs: await jobsAdded(), mails: await mails() }).toEqual({
        jobs: before.jobs + 1,
        mails: before.mails + mailed,
      })
    }
  })
})
