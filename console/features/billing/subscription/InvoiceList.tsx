import { Card, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { LoadMore } from '../../../ui/navigation/LoadMore'
import { useMoney } from '../../plans/format'
import { useWorkspace } from '../../workspaces/queries'
import classes from '../Billing.module.css'
import { useWorkspaceFormat } from '../format'
import { InvoiceHeading } from '../InvoiceHeading'
import { InvoicePdfLink } from '../InvoicePdfLink'
import { type Invoice, invoicesQuery } from '../queries'

/** Invoices and credit notes, with their documents. */
export function InvoiceList() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const invoices = useInfiniteQuery(invoicesQuery(slug))
  const shown = invoices.data?.pages.flatMap(({ data }) => data)
  return (
    <Card component="section" aria-labelledby="invoices">
      <Title order={2} size="h3" id="invoices" mb="md">
        {t('pages.invoices')}
      </Title>
      {invoices.error && !shown && <ProblemAlert error={invoices.error} onRetry={() => invoices.refetch()} />}
      {invoices.isPending && <LoadingSkeleton lines={2} height={44} />}
      {shown?.length === 0 && <Text c="dimmed">{t('subscription.no_invoices')}</Text>}
      {shown && shown.length > 0 && (
        <ul className={classes.list} aria-labelledby="invoices">
          {shown.map((invoice) => (
            <InvoiceRow key={invoice.id} invoice={invoice} />
          ))}
        </ul>
      )}
      <LoadMore of={invoices} />
    </Card>
  )
}

function InvoiceRow({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const money = useMoney()
  const format = useWorkspaceFormat()
  const { id, number, issued_at, total, currency, kind, corrects_number, lines } = invoice
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <InvoiceHeading
          {...invoice}
          number={
            <AnchorLink to="/w/$workspace/billing/invoices/$invoice" params={{ workspace: slug, invoice: id }}>
              {number}
            </AnchorLink>
          }
        />
        <Text c="dimmed" fz="sm">
          {[
            format.date(issued_at),
            kind === 'credit_note' && corrects_number
              ? t('subscription.corrects', { number: corrects_number })
              : lines[0]?.description,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </div>
      <span className={classes.money}>{money(total, currency)}</span>
      <InvoicePdfLink href={`/api/v1/billing/invoices/${id}/pdf`} number={number} />
    </li>
  )
}
