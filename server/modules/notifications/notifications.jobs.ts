import type { Deps } from '../../lib/deps.ts'
import { job } from '../../lib/runtime/jobs.ts'
import type { Kind } from './kinds.ts'
import { enqueueDigests, mailDigest } from './mails/digest.ts'
import { mailNotifications } from './mails/mail-notifications.ts'
import { deleteOldNotifications } from './notifications.ts'
import { insertNotifications } from './notify.ts'
import { type Push, sendPush } from './push/send-push.ts'
import { deleteFailingSubscriptions } from './push/subscriptions.ts'

declare module '../../lib/runtime/jobs.ts' {
  interface Jobs {
    'insert-notifications': { event_id: string }
    'mail-notifications': { user_id: string; kind: Kind }
    'enqueue-notification-digests': object
    'mail-notification-digest': { user_id: string }
    'send-push': Push
    'delete-old-notifications': object
    'delete-failing-push-subscriptions': object
  }
}

export const notificationJobs = [
  job({ name: 'insert-notifications', run: insertNotifications }),
  job({ name: 'mail-notifications', run: mailNotifications }),
  job({ name: 'enqueue-notification-digests', cron: '*/5 * * * *', maxAttempts: 1, run: enqueueDigests }),
  job({ name: 'mail-notification-digest', run: mailDigest }),
  job({ name: 'send-push', run: (deps: Deps, push) => sendPush(deps, push) }),
  job({ name: 'delete-old-notifications', cron: '23 4 * * *', maxAttempts: 1, run: deleteOldNotifications }),
  job({
    name: 'delete-failing-push-subscriptions',
    cron: '29 4 * * *',
    maxAttempts: 1,
    run: deleteFailingSubscriptions,
  }),
]
