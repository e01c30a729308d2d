import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../../api'
import { FilterSelect } from '../../../ui/fields/filters'
import { SearchField } from '../../../ui/fields/SearchField'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { useFormat } from '../../../ui/text/format'
import { useMe } from '../../auth/queries'
import { useMoney } from '../../plans/format'
import classes from '../Billing.module.css'
import { InvoiceHeading } from '../InvoiceHeading'
import { InvoicePdfLink, InvoiceUblLink } from '../InvoicePdfLink'
import { type AdminInvoice, allInvoicesQuery, invalidateBillingAdmin, invoiceStatuses, oneOf } from './admin-queries'
import { ListCard } from './ListCard'
import { PromptDialog } from './PromptDialog'

const route = getRouteApi('/signed-in/shell/admin/billing/invoices')

/** The last twelve months as YYYY-MM, the current one first. */
const lastMonths = () =>
  Array.from({ length: 12 }, (_, back) => {
    const now = new Date()
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7)
  })

/** The invoices and credit notes of all workspaces. */
export function InvoicesPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.invoices'))
  const utc = useFormat('UTC')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const status = oneOf(invoiceStatuses, search.status)
  const months = lastMonths()
  const month = oneOf(months, search.month)
  const invoices = useInfiniteQuery(allInvoicesQuery({ search: search.search, month, status }))
  const filter = (change: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...change }, replace: true, resetScroll: false })
  return (
    <>
      <PageHeader title={t('pages.invoices')} about={t('admin.billing.invoices_about')}>
        <Button
          component="a"
          href={`/api/v1/admin/invoices/export?${new URLSearchParams({ ...(month && { month }), separator: utc.csvSeparator })}`}
          download
          variant="default"
          leftSection={<Download size={16} />}
        >
          {t('admin.billing.export')}
        </Button>
        <Button
          component="a"
          href={`/api/v1/admin/invoices/ubl?${new URLSearchParams({ ...(month && { month }) })}`}
          download
          variant="default"
          leftSection={<Download size={16} />}
        >
          {t('admin.billing.export_ubl')}
        </Button>
      </PageHeader>
      <Group mb="md" gap="sm" role="search">
        <SearchField
          label={t('admin.billing.search_invoices')}
          value={search.search ?? ''}
          maxLength={20}
          onChange={(text) => filter({ search: text?.replace(/[^A-Za-z0-9-]/g, '').toUpperCase() || undefined })}
        />
        <FilterSelect
          aria-label={t('admin.billing.by_month')}
          placeholder={t('admin.billing.any_month')}
          data={months.map((value) => ({ value, label: utc.monthYear(value) }))}
          value={month ?? null}
          onChange={(value) => filter({ month: value ?? undefined })}
        />
        <FilterSelect
          aria-label={t('admin.billing.by_status')}
          placeholder={t('admin.billing.any_status')}
          data={invoiceStatuses.map((value) => ({ value, label: t(`subscription.invoice.${value}`) }))}
          value={status ?? null}
          onChange={(value) => filter({ status: value ?? undefined })}
        />
      </Group>
      <ListCard
        of={invoices}
        label={t('pages.invoices')}
        none={t('admin.billing.no_invoices')}
        noneDetail={t('admin.billing.no_invoices_detail')}
        row={(invoice) => <InvoiceRow invoice={invoice} />}
      />
    </>
  )
}

function InvoiceRow({ invoice }: { invoice: AdminInvoice }) {
  const { t } = useTranslation()
  const money = useMoney()
  const format = useFormat(useMe().timezone)
  const { id, number, buyer, seller, issued_at, total, currency, credited } = invoice
  return (
    <>
      <div className={classes.what}>
        <InvoiceHeading {...invoice} />
        <Text c="dimmed" fz="sm" className="text">
          {buyer.name} · {format.date(issued_at)}
          {credited > 0 && ` · ${t('admin.billing.credited', { amount: money(credited, currency) })}`}
        </Text>
      </div>
      <span className={classes.money}>{money(total, currency)}</span>
      <InvoicePdfLink href={`/api/v1/admin/invoices/${id}/pdf`} number={number} />
      {invoice.ubl_url && seller.tax_id && <InvoiceUblLink href={`/api/v1/admin/invoices/${id}/ubl`} number={number} />}
      {invoice.kind === 'invoice' && invoice.status === 'paid' && credited < total && (
        <RefundButton invoice={invoice} />
      )}
    </>
  )
}

function RefundButton({ invoice: { id, number, total, credited, currency } }: { invoice: AdminInvoice }) {
  const { t } = useTranslation()
  const money = useMoney()
  const [asking, ask] = useDisclosure(false)
  const rest = Math.round((total - credited) * 100) / 100
  return (
    <>
      <Button variant="default" onClick={ask.open} aria-label={t('admin.billing.refund_one', { number })}>
        {t('admin.billing.refund')}
      </Button>
      <PromptDialog
        opened={asking}
        onClose={ask.close}
        title={t('admin.billing.refund_ask', { number })}
        detail={t('admin.billing.refund_detail', { amount: money(rest, currency) })}
        fields={[
          {
            name: 'amount',
            label: t('admin.billing.amount', { currency }),
            required: true,
            initial: String(rest),
            numeric: true,
          },
          {
            name: 'reason',
            label: t('admin.billing.reason'),
            about: t('admin.billing.refund_reason_about'),
            required: true,
            lines: true,
          },
        ]}
        action={t('admin.billing.refund')}
        color="coral"
        send={({ amount = '', reason = '' }) =>
          unwrap(
            api.POST('/api/v1/admin/invoices/{id}/refund', {
              params: { path: { id } },
              body: { amount: Number(amount.replace(',', '.')), reason },
            }),
          )
        }
        onDone={() => {
          notifications.show({ message: t('admin.billing.refunded', { number }) })
          return invalidateBillingAdmin()
        }}
      />
    </>
  )
}
