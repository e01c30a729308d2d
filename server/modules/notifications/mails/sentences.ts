import type { Language } from '../../../lib/language.ts'
import type { Kind } from '../kinds.ts'

/** A sentence that tells what happened to the subject with this name. */
type Sentence = (name: string) => string

/** The sentences in mails for one notification. */
export const sentences: Record<Language, Record<Kind, Sentence>> = {
  en: {
    'post.failed': (name) => `“${name}” could not be published.`,
    'post.unconfirmed': (name) => `It is unclear whether “${name}” was published. Please look on the network.`,
    'post.held': (name) => `“${name}” is late and waits for a decision.`,
    'review.requested': (name) => `“${name}” waits for your approval.`,
    'review.missed': (name) => `“${name}” was not approved before its time.`,
    'review.approved': (name) => `“${name}” was approved.`,
    'review.rejected': (name) => `“${name}” was rejected.`,
    'comment.mentioned': (name) => `You were mentioned in a comment on “${name}”.`,
    'comment.created': (name) => `There is a new comment on “${name}”.`,
    'comment.from_client': (name) => `A client commented on “${name}”.`,
    'account.disconnected': (name) => `The account ${name} must be connected again.`,
    'account.ending': (name) => `The sign-in of the account ${name} ends soon.`,
    'recurring_post.paused': (name) => `The recurring post “${name}” is paused.`,
    'agent.waiting': (name) => `Posts of the agent ${name} wait for a decision.`,
    'agent.budget_warning': (name) => `The agent ${name} has used 80% of its budget for this month.`,
    'agent.budget_reached': (name) => `The agent ${name} has used up its budget for this month.`,
    'agent.disabled': (name) => `The agent ${name} was disabled.`,
    'billing.payment_failed': (name) => `A payment for the plan ${name} failed.`,
    'billing.payment_due': (name) => `A payment for the plan ${name} is due.`,
    'billing.trial_ending': (name) => `The trial of the plan ${name} ends soon.`,
    'billing.ended': (name) => `The subscription to the plan ${name} ended.`,
    'ledger.check_failed': () => 'The ledger check found a new problem.',
    'order.changed': (name) => `There is news about the order “${name}”.`,
  },
  tr: {
    'post.failed': (name) => `“${name}” yayımlanamadı.`,
    'post.unconfirmed': (name) =>
      `“${name}” gönderisinin yayımlanıp yayımlanmadığı belirsiz. Lütfen sosyal ağda bakın.`,
    'post.held': (name) => `“${name}” gecikti ve karar bekliyor.`,
    'review.requested': (name) => `“${name}” onayınızı bekliyor.`,
    'review.missed': (name) => `“${name}” zamanı gelmeden onaylanmadı.`,
    'review.approved': (name) => `“${name}” onaylandı.`,
    'review.rejected': (name) => `“${name}” reddedildi.`,
    'comment.mentioned': (name) => `“${name}” gönderisindeki bir yorumda sizden söz edildi.`,
    'comment.created': (name) => `“${name}” gönderisine yeni bir yorum yazıldı.`,
    'comment.from_client': (name) => `Bir müşteri “${name}” gönderisine yorum yazdı.`,
    'account.disconnected': (name) => `${name} hesabının yeniden bağlanması gerekiyor.`,
    'account.ending': (name) => `${name} hesabının oturumu yakında sona eriyor.`,
    'recurring_post.paused': (name) => `“${name}” yinelenen gönderisi duraklatıldı.`,
    'agent.waiting': (name) => `${name} ajanının gönderileri karar bekliyor.`,
    'agent.budget_warning': (name) => `${name} ajanı bu ayki bütçesinin %80’ini kullandı.`,
    'agent.budget_reached': (name) => `${name} ajanı bu ayki bütçesini bitirdi.`,
    'agent.disabled': (name) => `${name} ajanı devre dışı bırakıldı.`,
    'billing.payment_failed': (name) => `${name} planının bir ödemesi başarısız oldu.`,
    'billing.payment_due': (name) => `${name} planının bir ödemesi bekliyor.`,
    'billing.trial_ending': (name) => `${name} planının denemesi yakında sona eriyor.`,
    'billing.ended': (name) => `${name} planının aboneliği sona erdi.`,
    'ledger.check_failed': () => 'Defter kontrolü yeni bir sorun buldu.',
    'order.changed': (name) => `“${name}” siparişinde haber var.`,
  },
}
