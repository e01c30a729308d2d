import { Alert, Box, Button, Card, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ExternalLink, FileDown, Info } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isStatus } from '../../../api'
import { NotFoundPage } from '../../../ui/feedback/error-pages'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../../ui/feedback/RoleRequired'
import { Fact, FactList } from '../../../ui/layout/FactList'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { BackLink } from '../../../ui/navigation/BackLink'
import { useMoney } from '../../plans/format'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import classes from '../Billing.module.css'
import { useWorkspaceFormat } from '../format'
import { InvoiceStatusBadge } from '../InvoiceHeading'
import { creditNotesQuery, type Invoice, invoiceQuery } from '../queries'
import { InvoiceLines } from './InvoiceLines'
import { InvoiceParties } from './InvoiceParties'

const route = getRouteApi('/signed-in/shell/w/$workspace/billing/invoices/$invoice')

/** One invoice or credit note. Mails with a receipt link to it. */
export function InvoicePage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.invoices'))
  const workspace = useWorkspace()
  const isAdmin = isAtLeast(workspace, 'admin')
  const { invoice: id } = route.useParams()
  const invoice = useQuery({ ...invoiceQuery(workspace.slug, id), enabled: isAdmin })
  if (!isAdmin) return <RoleRequired needs="admin" />
  if (isStatus(invoice.error, 404) || isStatus(invoice.error, 400)) return <NotFoundPage />
  if (invoice.error && !invoice.data) return <ProblemAlert error={invoice.error} onRetry={() => invoice.refetch()} />
  if (!invoice.data) return <LoadingSkeleton lines={3} height={140} />
  return <InvoiceDetails invoice={invoice.data} />
}

function InvoiceDetails({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { id, number, ettn, official_number } = invoice
  useDocumentTitle(number)
  const document = `/api/v1/billing/invoices/${id}`
  return (
    <Box maw={820}>
      <BackLink to="/w/$workspace/billing" params={{ workspace: slug }}>
        {t('subscription.back')}
      </BackLink>
      <PageHeader title={number} about={<InvoiceStatusBadge {...invoice} />}>
        <Button
          component="a"
          href={`${document}/html`}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<ExternalLink size={16} />}
          aria-label={t('subscription.invoice_page.print_of', { number })}
        >
          {t('subscription.invoice_page.print')}
        </Button>
        <Button
          component="a"
          href={`${document}/pdf`}
          leftSection={<FileDown size={16} />}
          aria-label={t('subscription.pdf_of', { number })}
        >
          PDF
        </Button>
      </PageHeader>
      <Stack gap="lg">
        <InvoiceFacts invoice={invoice} />
        <InvoiceParties invoice={invoice} />
        <InvoiceLines invoice={invoice} />
        {invoice.credited > 0 && <CreditNotes invoice={invoice} />}
        <Alert color="gray" icon={<Info size={20} />}>
          {t(
            ettn || official_number
              ? 'subscription.invoice_page.official_elsewhere'
              : 'subscription.invoice_page.not_official',
          )}
        </Alert>
      </Stack>
    </Box>
  )
}

function InvoiceFacts({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const format = useWorkspaceFormat()
  const { kind, status, issued_at, paid_at, due_at, voided_at, period_start, period_end, corrects } = invoice
  const dates = [
    ['issued', issued_at],
    ['paid', kind === 'invoice' ? paid_at : null],
    ['due', status === 'open' ? due_at : null],
    ['voided', voided_at],
  ] as const
  return (
    <Card component="section" aria-label={t('subscription.invoice_page.facts')}>
      <FactList>
        {dates.map(
          ([name, time]) =>
            time && (
              <Fact key={name} name={t(`subscription.invoice_page.${name}`)}>
                <time dateTime={time}>{format.date(time)}</time>
              </Fact>
            ),
        )}
        {period_start && period_end && (
          <Fact name={t('subscription.invoice_page.period')}>
            {format.date(period_start)} – {format.date(period_end)}
          </Fact>
        )}
        {corrects && (
          <Fact name={t('subscription.invoice_page.corrects')}>
            <AnchorLink to="/w/$workspace/billing/invoices/$invoice" params={{ workspace: slug, invoice: corrects }}>
              {invoice.corrects_number}
            </AnchorLink>
          </Fact>
        )}
        {invoice.official_number && (
          <Fact name={t('subscription.invoice_page.official_number')}>{invoice.official_number}</Fact>
        )}
        {invoice.ettn && <Fact name="ETTN">{invoice.ettn}</Fact>}
      </FactList>
    </Card>
  )
}

/** The refunds of an invoice: a credit note each. */
function CreditNotes({ invoice: { id, credited, currency } }: { invoice: Invoice }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const money = useMoney()
  const format = useWorkspaceFormat()
  const notes = useQuery(creditNotesQuery(slug, id))
  return (
    <Card component="section" aria-labelledby="credit-notes">
      <Title order={2} size="h3" id="credit-notes" mb="xs">
        {t('subscription.invoice_page.credit_notes')}
      </Title>
      <Text c="dimmed" mb="sm">
        {t('subscription.invoice_page.credited', { amount: money(credited, currency) })}
      </Text>
      {notes.error && !notes.data && <ProblemAlert error={notes.error} onRetry={() => notes.refetch()} />}
      <ul className={classes.list} aria-labelledby="credit-notes">
        {notes.data?.map(({ id: note, number, issued_at, total }) => (
          <li key={note} className={classes.row}>
            <div className={classes.what}>
              <AnchorLink to="/w/$workspace/billing/invoices/$invoice" params={{ workspace: slug, invoice: note }}>
                {number}
              </AnchorLink>{' '}
              <Text component="span" c="dimmed" fz="sm">
                {format.date(issued_at)}
              </Text>
            </div>
            <span className={classes.money}>{money(total, currency)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
