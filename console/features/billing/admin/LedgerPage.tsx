import { Alert, Button, Card, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, RefreshCw, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { langOfEnglishText, translateDynamic } from '../../../i18n'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { useFormat } from '../../../ui/text/format'
import { useMe } from '../../auth/queries'
import { type LedgerReport, ledgerQuery } from './admin-queries'

/** Whether the ledger adds up, with what to do about each rule that is broken. */
export function LedgerPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.ledger_check'))
  const check = useQuery(ledgerQuery)
  return (
    <>
      <PageHeader title={t('pages.ledger_check')} about={t('admin.ledger.about')}>
        <Button
          variant="default"
          leftSection={<RefreshCw size={16} />}
          loading={check.isFetching}
          onClick={() => void check.refetch()}
        >
          {t('admin.ledger.again')}
        </Button>
      </PageHeader>
      {check.error && <ProblemAlert error={check.error} onRetry={() => check.refetch()} />}
      {check.isPending && <LoadingSkeleton lines={2} height={100} />}
      {check.data && <Report report={check.data} at={check.dataUpdatedAt} />}
    </>
  )
}

function Report({ report: { ok, problems }, at }: { report: LedgerReport; at: number }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  const codes = [...new Set(problems.map(({ code }) => code))]
  return (
    <Stack>
      <Alert
        role="status"
        color={ok ? 'success' : 'coral'}
        icon={ok ? <CircleCheck size={18} /> : <TriangleAlert size={18} />}
        title={ok ? t('admin.ledger.ok') : t('admin.ledger.broken', { count: problems.length })}
      >
        {t('admin.ledger.checked', { time: format.full(new Date(at)) })}
      </Alert>
      {codes.map((code) => (
        <Rule
          key={code}
          code={code}
          details={problems.filter((problem) => problem.code === code).map(({ detail }) => detail)}
        />
      ))}
      {!ok && (
        <Text fz="sm" c="dimmed">
          {t('admin.ledger.limited')}
        </Text>
      )}
    </Stack>
  )
}

function Rule({ code, details }: { code: string; details: string[] }) {
  const { t } = useTranslation()
  return (
    <Card component="section" aria-labelledby={code}>
      <Title order={2} size="h3" id={code}>
        {translateDynamic(t, `admin.ledger.rule.${code}`, code)}
      </Title>
      <Text mt="xs">{translateDynamic(t, `admin.ledger.remedy.${code}`, t('admin.ledger.remedy.other'))}</Text>
      <ul>
        {details.map((detail) => (
          <Text component="li" key={detail} fz="sm" className="text" lang={langOfEnglishText()}>
            {detail}
          </Text>
        ))}
      </ul>
    </Card>
  )
}
