import { job } from '../../lib/runtime/jobs.ts'
import { sendMail } from './mail.ts'
import { eraseOldMails } from './outbox/outbox.ts'

declare module '../../lib/runtime/jobs.ts' {
  interface Jobs {
    'send-mail': { mail_id: string }
    'erase-old-mails': object
  }
}

export const mailJobs = [
  job({ name: 'send-mail', run: sendMail }),
  job({ name: 'erase-old-mails', cron: '11 4 * * *', fill: '1d', run: eraseOldMails }),
]
