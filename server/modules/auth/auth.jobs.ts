import type { Deps } from '../../lib/deps.ts'
import { job } from '../../lib/runtime/jobs.ts'
import { deleteExpiredAuthRows } from './sign-in/attempt-limit.ts'
import { type MailRequest, mailCode, mailPasswordReset } from './sign-in/mail-requests.ts'

declare module '../../lib/runtime/jobs.ts' {
  interface Jobs {
    'delete-expired-sign-in-data': object
    'mail-verification-code': MailRequest
    'mail-password-reset': MailRequest
  }
}

export const authJobs = [
  job({ name: 'mail-verification-code', run: mailCode }),
  job({ name: 'mail-password-reset', run: mailPasswordReset }),
  job({
    name: 'delete-expired-sign-in-data',
    cron: '* * * * *',
    maxAttempts: 1,
    atStart: true,
    run: ({ workerDatabase: { db }, clock }: Deps) => deleteExpiredAuthRows(db, clock.now()),
  }),
]
