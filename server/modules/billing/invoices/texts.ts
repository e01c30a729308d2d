import type { Language } from '../../../lib/language.ts'
import type { Period } from '../providers/provider.ts'

/**
 * Subject of a line of an invoice. `change`: the rest of a period on a larger plan. `unused`: the credit for the rest of
 * the former one.
 */
export type Item =
  | { item: 'plan' | 'change' | 'unused'; plan_name: string; billing_period: Period }
  | { item: 'instalments' }

type Texts = {
  period: Record<Period, string>
  plan: (name: string, period: string) => string
  change: (name: string, period: string) => string
  unused: (name: string, period: string) => string
  instalments: string
  refundOf: (number: string) => string
  failedRefundOf: (number: string) => string
  title: Record<'invoice' | 'credit_note', string>
  status: Record<'open' | 'paid' | 'void', string>
  given: string
  number: string
  issued: string
  due: string
  paid: string
  voided: string
  periodLabel: string
  corrects: string
  officialNumber: string
  seller: string
  buyer: string
  taxOffice: string
  taxId: string
  item: string
  vatIncluded: string
  amount: string
  net: string
  vat: (percent: string) => string
  total: string
  notOfficial: string
  officialElsewhere: string
  page: (page: number, pages: number) => string
}

/** Texts of documents. The Turkish titles avoid `fatura`, because a document of that name is issued officially. */
export const texts: Record<Language, Texts> = {
  en: {
    period: { monthly: 'monthly', yearly: 'yearly' },
    plan: (name, period) => `${name}, ${period}`,
    change: (name, period) => `Change to ${name}, ${period}`,
    unused: (name, period) => `Unused time of ${name}, ${period}`,
    instalments: 'Instalment charges',
    refundOf: (number) => `Refund of ${number}`,
    failedRefundOf: (number) => `Failed refund of ${number}, taken back`,
    title: { invoice: 'Invoice', credit_note: 'Credit note' },
    status: { open: 'Not paid', paid: 'Paid', void: 'Void' },
    given: 'Refunded',
    number: 'Number',
    issued: 'Date of issue',
    due: 'To be paid by',
    paid: 'Paid on',
    voided: 'Void since',
    periodLabel: 'Period',
    corrects: 'Corrects',
    officialNumber: 'Official invoice',
    seller: 'Seller',
    buyer: 'Buyer',
    taxOffice: 'Tax office',
    taxId: 'Tax number',
    item: 'Description',
    vatIncluded: 'VAT included',
    amount: 'Amount',
    net: 'Total without VAT',
    vat: (percent) => `VAT ${percent}`,
    total: 'Total',
    notOfficial:
      'This document is not an official e-Fatura or e-Arşiv invoice of the Turkish Revenue Administration. The seller issues that separately.',
    officialElsewhere:
      'This document is not the official e-Fatura or e-Arşiv invoice. That is the document with the official number above.',
    page: (page, pages) => `Page ${page} of ${pages}`,
  },
  tr: {
    period: { monthly: 'aylık', yearly: 'yıllık' },
    plan: (name, period) => `${name}, ${period}`,
    change: (name, period) => `${name} planına geçiş, ${period}`,
    unused: (name, period) => `${name} planının kullanılmayan süresi, ${period}`,
    instalments: 'Vade farkı',
    refundOf: (number) => `${number} numaralı belgenin iadesi`,
    failedRefundOf: (number) => `${number} numaralı belgedeki başarısız iadenin iptali`,
    title: { invoice: 'Satış belgesi', credit_note: 'İade belgesi' },
    status: { open: 'Ödenmedi', paid: 'Ödendi', void: 'Geçersiz' },
    given: 'İade edildi',
    number: 'Belge numarası',
    issued: 'Düzenleme tarihi',
    due: 'Son ödeme tarihi',
    paid: 'Ödeme tarihi',
    voided: 'Geçersiz olduğu tarih',
    periodLabel: 'Dönem',
    corrects: 'Düzeltilen belge',
    officialNumber: 'Resmî fatura',
    seller: 'Satıcı',
    buyer: 'Alıcı',
    taxOffice: 'Vergi dairesi',
    taxId: 'Vergi numarası',
    item: 'Açıklama',
    vatIncluded: 'KDV (dâhil)',
    amount: 'Tutar',
    net: 'KDV hariç toplam',
    vat: (percent) => `KDV ${percent}`,
    total: 'Toplam',
    notOfficial:
      'Bu belge, Gelir İdaresi Başkanlığının resmî e-Fatura veya e-Arşiv Fatura belgesi değildir. Resmî faturayı satıcı ayrıca düzenler.',
    officialElsewhere:
      'Bu belge, resmî e-Fatura veya e-Arşiv Fatura değildir. Resmî fatura, yukarıda numarası verilen belgedir.',
    page: (page, pages) => `Sayfa ${page} / ${pages}`,
  },
}

export function describeItem(language: Language, line: Item) {
  const t = texts[language]
  return line.item === 'instalments' ? t.instalments : t[line.item](line.plan_name, t.period[line.billing_period])
}
