import { Type } from 'typebox'
import { declareEvents, exampleTime } from '../../../lib/events/event-type.ts'
import { Invoice } from './invoices.schema.ts'

const invoice = {
  id: '01994f80-11c2-7a3d-b4e6-9f8a7b6c5d4e',
  number: 'MYD-2026-000042',
  kind: 'invoice',
  status: 'paid',
  corrects: null,
  corrects_number: null,
  subscription_id: '01994f7f-c0de-7b21-8a95-1d2e3f4a5b6c',
  payment_id: '01994f80-0b52-7c14-9d3e-2b1a0f9e8d7c',
  currency: 'TRY',
  total: 499,
  vat_percent: 20,
  vat_amount: 83.17,
  net_amount: 415.83,
  credited: 0,
  lines: [{ description: 'Pro, monthly', plan_name: 'Pro', amount: 499, vat_amount: 83.17 }],
  seller: {
    name: 'Meydan Yazılım A.Ş.',
    address: 'İstiklal Caddesi 1, İstanbul',
    tax_office: 'Beyoğlu',
    tax_id: '4540536920',
  },
  buyer: { name: 'Köşe Fırını', line1: 'Moda Caddesi 5', postal: '34710', city: 'İstanbul', country: 'TR' },
  language: 'en',
  period_start: exampleTime,
  period_end: '2026-04-02T09:30:00.412Z',
  issued_at: exampleTime,
  due_at: null,
  paid_at: exampleTime,
  voided_at: null,
  ettn: null,
  official_number: null,
  ubl_url: '/api/v1/public/billing/invoices/01994f80-11c2-7a3d-b4e6-9f8a7b6c5d4e/ubl',
}

export const invoiceEvents = declareEvents({
  'billing.invoice.paid': {
    description:
      'An invoice was paid. It has everything that an official e-Fatura or e-Arşiv document needs, and `ubl_url` is the path of a UBL-TR document.',
    data: Type.Object({ invoice: Invoice }),
    example: { invoice },
  },
})
