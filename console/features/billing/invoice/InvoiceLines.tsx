import { Card, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../ui/text/format'
import { useMoney } from '../../plans/format'
import type { Invoice } from '../queries'
import classes from './InvoiceLines.module.css'

export function InvoiceLines({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const inCurrency = useMoney()
  const money = (amount: number) => inCurrency(amount, invoice.currency)
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
  const totals = [
    [t('subscription.invoice_page.net'), invoice.net_amount],
    [t('subscription.invoice_page.vat', { percent: percent.format(invoice.vat_percent / 100) }), invoice.vat_amount],
    [t('subscription.invoice_page.total'), invoice.total],
  ] as const
  return (
    <Card component="section" aria-labelledby="lines">
      <Title order={2} size="h3" id="lines" mb="sm">
        {t('subscription.invoice_page.lines')}
      </Title>
      <table className={classes.table} aria-labelledby="lines">
        <thead>
          <tr>
            <th scope="col">{t('subscription.invoice_page.item')}</th>
            <th scope="col">{t('subscription.invoice_page.vat_included')}</th>
            <th scope="col">{t('subscription.invoice_page.amount')}</th>
          </tr>
        </thead>
        <tbody>
          {invoice.lines.map(({ description, vat_amount, amount }, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an invoice never change
            <tr key={position}>
              <td>{description}</td>
              <td>{money(vat_amount)}</td>
              <td>{money(amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {totals.map(([label, amount]) => (
            <tr key={label}>
              <th scope="row" colSpan={2}>
                {label}
              </th>
              <td>{money(amount)}</td>
            </tr>
          ))}
        </tfoot>
      </table>
    </Card>
  )
}
