import type { Language } from '../../../../lib/language.ts'
import type { MailKey } from '../catalogue.ts'
import type { Letter } from '../layout.ts'

type Row = 'amount' | 'reason'
type Text = { subject: string; preheader: string; text: string; button: string; rows?: Row[] }

const words: Record<Language, { hello: string } & Record<Row, string>> = {
  en: { hello: 'Hello {{user_name}},', amount: 'Amount', reason: 'Reason' },
  tr: { hello: 'Merhaba {{user_name}},', amount: 'Tutar', reason: 'Gerekçe' },
}

const values: Record<Row, string> = { amount: '{{amount}} {{currency}}', reason: '{{reason}}' }

/** These mails have one paragraph, what it is about, and a button to the order. */
const letter = (language: Language, { subject, preheader, text, button, rows = [] }: Text): Letter => ({
  subject,
  preheader,
  blocks: [
    words[language].hello,
    text,
    ...(rows.length > 0 ? [{ rows: rows.map((row) => [words[language][row], values[row]] as const) }] : []),
    { button, url: '{{order_url}}' },
  ],
})

const inBoth = ({ en, tr }: Record<Language, Text>) => ({ en: letter('en', en), tr: letter('tr', tr) })

/** Texts of the mails about orders of the marketplace. */
export const orderTexts = {
  'order-created': inBoth({
    en: {
      subject: 'New order: {{order_title}}',
      preheader: 'Accept it by {{deadline}}.',
      text: '{{buyer_name}} ordered and paid “{{order_title}}”. Accept or decline the order by {{deadline}}. Afterwards it is canceled, and the buyer gets the price back.',
      button: 'View order',
      rows: ['amount'],
    },
    tr: {
      subject: 'Yeni sipariş: {{order_title}}',
      preheader: '{{deadline}} tarihine kadar kabul edin.',
      text: '{{buyer_name}}, “{{order_title}}” ilanını sipariş etti ve ödedi. Siparişi {{deadline}} tarihine kadar kabul edin ya da reddedin. Ardından iptal edilir ve alıcı ücreti geri alır.',
      button: 'Siparişi görüntüle',
      rows: ['amount'],
    },
  }),
  'order-accept-reminder': inBoth({
    en: {
      subject: 'Accept the order “{{order_title}}” by {{deadline}}',
      preheader: 'It is canceled afterwards.',
      text: 'The order “{{order_title}}” of {{buyer_name}} still waits for you. It is canceled and refunded if you do not accept it by {{deadline}}.',
      button: 'View order',
      rows: ['amount'],
    },
    tr: {
      subject: '“{{order_title}}” siparişini {{deadline}} tarihine kadar kabul edin',
      preheader: 'Ardından iptal edilir.',
      text: '{{buyer_name}} alıcısının “{{order_title}}” siparişi hâlâ sizi bekliyor. {{deadline}} tarihine kadar kabul etmezseniz iptal edilir ve ücreti iade edilir.',
      button: 'Siparişi görüntüle',
      rows: ['amount'],
    },
  }),
  'order-accepted': inBoth({
    en: {
      subject: '{{seller_name}} accepted “{{order_title}}”',
      preheader: 'Delivery is due on {{deadline}}.',
      text: '{{seller_name}} accepted your order “{{order_title}}” and delivers it by {{deadline}}.',
      button: 'View order',
    },
    tr: {
      subject: '{{seller_name}}, “{{order_title}}” siparişini kabul etti',
      preheader: 'Teslim tarihi: {{deadline}}',
      text: '{{seller_name}}, “{{order_title}}” siparişinizi kabul etti. Teslim tarihi: {{deadline}}.',
      button: 'Siparişi görüntüle',
    },
  }),
  'order-late': inBoth({
    en: {
      subject: 'The delivery of “{{order_title}}” is late',
      preheader: 'It was due on {{deadline}}.',
      text: 'The order “{{order_title}}” of {{buyer_name}} was due on {{deadline}}. A day later the buyer can cancel it and gets the price back.',
      button: 'Deliver now',
    },
    tr: {
      subject: '“{{order_title}}” teslimatı gecikti',
      preheader: 'Teslim tarihi {{deadline}} idi.',
      text: '{{buyer_name}} alıcısının “{{order_title}}” siparişinin teslim tarihi {{deadline}} idi. Bir gün sonra alıcı siparişi iptal edip ücreti geri alabilir.',
      button: 'Şimdi teslim et',
    },
  }),
  'order-delivered': inBoth({
    en: {
      subject: '“{{order_title}}” was delivered',
      preheader: 'Review it by {{deadline}}.',
      text: '{{seller_name}} delivered your order “{{order_title}}”. Complete it, or request a revision. It completes by itself on {{deadline}}.',
      button: 'View delivery',
    },
    tr: {
      subject: '“{{order_title}}” teslim edildi',
      preheader: '{{deadline}} tarihine kadar inceleyin.',
      text: '{{seller_name}}, “{{order_title}}” siparişinizi teslim etti. Tamamlayın ya da düzeltme isteyin. {{deadline}} tarihinde kendiliğinden tamamlanır.',
      button: 'Teslimatı görüntüle',
    },
  }),
  'order-completes-soon': inBoth({
    en: {
      subject: '“{{order_title}}” completes on {{deadline}}',
      preheader: 'Look at the delivery before.',
      text: 'The order “{{order_title}}” completes by itself on {{deadline}}, and {{seller_name}} is paid. Look at the delivery before.',
      button: 'View delivery',
    },
    tr: {
      subject: '“{{order_title}}” {{deadline}} tarihinde tamamlanıyor',
      preheader: 'Önce teslimata bakın.',
      text: '“{{order_title}}” siparişi {{deadline}} tarihinde kendiliğinden tamamlanır ve {{seller_name}} ödemesini alır. Önce teslimata bakın.',
      button: 'Teslimatı görüntüle',
    },
  }),
  'order-revision-requested': inBoth({
    en: {
      subject: 'Revision requested for “{{order_title}}”',
      preheader: 'Deliver it by {{deadline}}.',
      text: '{{buyer_name}} requested a revision of “{{order_title}}”. Deliver it by {{deadline}}.',
      button: 'View order',
      rows: ['reason'],
    },
    tr: {
      subject: '“{{order_title}}” için düzeltme istendi',
      preheader: '{{deadline}} tarihine kadar teslim edin.',
      text: '{{buyer_name}}, “{{order_title}}” için düzeltme istedi. {{deadline}} tarihine kadar teslim edin.',
      button: 'Siparişi görüntüle',
      rows: ['reason'],
    },
  }),
  'order-completed': inBoth({
    en: {
      subject: '“{{order_title}}” was completed',
      preheader: 'You earned {{amount}} {{currency}}.',
      text: 'The order “{{order_title}}” of {{buyer_name}} was completed. You can request the payout after the clearance.',
      button: 'View order',
      rows: ['amount'],
    },
    tr: {
      subject: '“{{order_title}}” tamamlandı',
      preheader: 'Kazancınız: {{amount}} {{currency}}',
      text: '{{buyer_name}} alıcısının “{{order_title}}” siparişi tamamlandı. Bekleme süresinden sonra ödemenizi isteyebilirsiniz.',
      button: 'Siparişi görüntüle',
      rows: ['amount'],
    },
  }),
  'order-settled': inBoth({
    en: {
      subject: 'Your proposal for “{{order_title}}” was accepted',
      preheader: 'The order is completed.',
      text: 'Your proposal was accepted, and the order “{{order_title}}” is completed. The buyer gets this amount back.',
      button: 'View order',
      rows: ['amount'],
    },
    tr: {
      subject: '“{{order_title}}” için öneriniz kabul edildi',
      preheader: 'Sipariş tamamlandı.',
      text: 'Öneriniz kabul edildi ve “{{order_title}}” siparişi tamamlandı. Alıcı bu tutarı geri alır.',
      button: 'Siparişi görüntüle',
      rows: ['amount'],
    },
  }),
  'order-canceled': inBoth({
    en: {
      subject: '“{{order_title}}” was canceled',
      preheader: 'The buyer gets the price back.',
      text: 'The order “{{order_title}}” was canceled. The buyer gets the price back.',
      button: 'View order',
      rows: ['amount', 'reason'],
    },
    tr: {
      subject: '“{{order_title}}” iptal edildi',
      preheader: 'Alıcı ücreti geri alır.',
      text: '“{{order_title}}” siparişi iptal edildi. Alıcı ücreti geri alır.',
      button: 'Siparişi görüntüle',
      rows: ['amount', 'reason'],
    },
  }),
  'order-proposal': inBoth({
    en: {
      subject: 'Proposal for “{{order_title}}”',
      preheader: 'React by {{deadline}}.',
      text: 'A refund was proposed to end the order “{{order_title}}”. Accept or reject it by {{deadline}}. Without a reaction nothing changes.',
      button: 'View proposal',
      rows: ['amount', 'reason'],
    },
    tr: {
      subject: '“{{order_title}}” için öneri',
      preheader: '{{deadline}} tarihine kadar yanıtlayın.',
      text: '“{{order_title}}” siparişini bitirmek için bir iade önerildi. {{deadline}} tarihine kadar kabul edin ya da reddedin. Yanıt vermezseniz hiçbir şey değişmez.',
      button: 'Öneriyi görüntüle',
      rows: ['amount', 'reason'],
    },
  }),
  'order-proposal-rejected': inBoth({
    en: {
      subject: 'Your proposal for “{{order_title}}” was rejected',
      preheader: 'The order goes on.',
      text: 'Your proposal was rejected, and the order “{{order_title}}” goes on.',
      button: 'View order',
      rows: ['amount'],
    },
    tr: {
      subject: '“{{order_title}}” için öneriniz reddedildi',
      preheader: 'Sipariş devam ediyor.',
      text: 'Öneriniz reddedildi; “{{order_title}}” siparişi devam ediyor.',
      button: 'Siparişi görüntüle',
      rows: ['amount'],
    },
  }),
  'order-disputed': inBoth({
    en: {
      subject: 'Dispute about “{{order_title}}”',
      preheader: 'An admin decides.',
      text: 'The other side opened a dispute about the order “{{order_title}}”. An admin of {{app_name}} decides. Until then, nothing happens by itself, and the payout for this order is held. Describe your view in a message.',
      button: 'View order',
      rows: ['reason'],
    },
    tr: {
      subject: '“{{order_title}}” hakkında anlaşmazlık',
      preheader: 'Bir yönetici karar verir.',
      text: 'Karşı taraf “{{order_title}}” siparişi hakkında anlaşmazlık bildirdi. Bir {{app_name}} yöneticisi karar verir. O zamana kadar hiçbir şey kendiliğinden olmaz ve bu siparişin satıcıya ödemesi bekletilir. Görüşünüzü mesajla yazın.',
      button: 'Siparişi görüntüle',
      rows: ['reason'],
    },
  }),
  'order-dispute-withdrawn': inBoth({
    en: {
      subject: 'The dispute about “{{order_title}}” was withdrawn',
      preheader: 'The order is as it was before the dispute.',
      text: 'The dispute about the order “{{order_title}}” was withdrawn. The order is as it was before the dispute. Delivery date: {{deadline}}',
      button: 'View order',
    },
    tr: {
      subject: '“{{order_title}}” hakkındaki anlaşmazlık geri çekildi',
      preheader: 'Sipariş anlaşmazlıktan önceki durumunda.',
      text: '“{{order_title}}” siparişi hakkındaki anlaşmazlık geri çekildi. Sipariş anlaşmazlıktan önceki durumunda. Teslim tarihi: {{deadline}}',
      button: 'Siparişi görüntüle',
    },
  }),
  'order-dispute-resolved': inBoth({
    en: {
      subject: 'The dispute about “{{order_title}}” was decided',
      preheader: 'Refund: {{amount}} {{currency}}',
      text: 'The dispute about the order “{{order_title}}” was decided. The buyer gets this amount back, and the seller the rest without the fee.',
      button: 'View order',
      rows: ['amount', 'reason'],
    },
    tr: {
      subject: '“{{order_title}}” hakkındaki anlaşmazlık karara bağlandı',
      preheader: 'İade: {{amount}} {{currency}}',
      text: '“{{order_title}}” siparişi hakkındaki anlaşmazlık karara bağlandı. Alıcı bu tutarı geri alır; kalan, komisyon düşülerek satıcıya geçer.',
      button: 'Siparişi görüntüle',
      rows: ['amount', 'reason'],
    },
  }),
  'order-message': inBoth({
    en: {
      subject: 'New message about “{{order_title}}”',
      preheader: 'Read it in {{app_name}}.',
      text: 'There is a new message about the order “{{order_title}}”.',
      button: 'Read message',
    },
    tr: {
      subject: '“{{order_title}}” hakkında yeni mesaj',
      preheader: '{{app_name}} içinde okuyun.',
      text: '“{{order_title}}” siparişi hakkında yeni bir mesaj var.',
      button: 'Mesajı oku',
    },
  }),
  'order-reviewed': inBoth({
    en: {
      subject: 'New review of “{{order_title}}”',
      preheader: 'You can reply once.',
      text: 'The review of the other side about the order “{{order_title}}” was published. You can reply to it once.',
      button: 'View review',
    },
    tr: {
      subject: '“{{order_title}}” için yeni değerlendirme',
      preheader: 'Bir kez yanıt verebilirsiniz.',
      text: 'Karşı tarafın “{{order_title}}” siparişi için değerlendirmesi yayımlandı. Bir kez yanıt verebilirsiniz.',
      button: 'Değerlendirmeyi görüntüle',
    },
  }),
} satisfies Partial<Record<MailKey, Record<Language, Letter>>>
