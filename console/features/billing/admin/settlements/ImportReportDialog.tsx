import { Alert, Button, FileInput, Select, Stack, Table, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../../ui/dialog/Dialog'
import { DialogActions } from '../../../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../../../ui/feedback/ProblemAlert'
import { messageInLanguage } from '../../../../ui/feedback/problem'
import { useFormat } from '../../../../ui/text/format'
import { useMoney } from '../../../plans/format'
import { invalidateBillingAdmin, oneOf } from '../admin-queries'
import { filedProviders, importReport, previewReport, type Report } from './settlement-queries'

/** Asks for a settlement report, shows what is in it, and imports it. */
export function ImportReportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={t('admin.settlements.import')} size="lg">
      <ImportReport onClose={onClose} />
    </Dialog>
  )
}

function ImportReport({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const [provider, setProvider] = useState<(typeof filedProviders)[number]>('iyzico')
  const [file, setFile] = useState<File | null>(null)
  const preview = useMutation({ mutationFn: (chosen: File) => previewReport(provider, chosen) })
  const importing = useMutation({
    mutationFn: (chosen: File) => importReport(provider, chosen),
    onSuccess: ({ new_lines, known_lines }) => {
      const imported = t('admin.settlements.imported', { count: new_lines })
      const known = known_lines > 0 ? ` ${t('admin.settlements.known_lines', { count: known_lines })}` : ''
      notifications.show({ message: imported + known })
      onClose()
      return invalidateBillingAdmin()
    },
  })
  const reset = () => {
    preview.reset()
    importing.reset()
  }
  const report = preview.data
  const canImport = report !== undefined && report.fault_count === 0 && report.new_lines > 0
  const error = importing.error ?? preview.error
  return (
    <Stack>
      <Text>{t('admin.settlements.import_detail')}</Text>
      <Select
        label={t('admin.billing.by_provider')}
        data={filedProviders.map((value) => ({ value, label: t(`admin.billing.provider.${value}`) }))}
        value={provider}
        allowDeselect={false}
        onChange={(value) => {
          setProvider(oneOf(filedProviders, value ?? undefined) ?? 'iyzico')
          reset()
        }}
      />
      <FileInput
        label={t('admin.settlements.file')}
        description={t('admin.settlements.file_about')}
        placeholder={t('admin.settlements.choose_file')}
        accept=".csv,.tsv,.txt,.xlsx,text/csv"
        value={file}
        onChange={(chosen) => {
          setFile(chosen)
          reset()
        }}
      />
      {error && <ProblemAlert error={error} />}
      {report && <Preview report={report} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        {canImport && file ? (
          <Button loading={importing.isPending} onClick={() => importing.mutate(file)}>
            {t('admin.settlements.import_lines', { count: report.new_lines })}
          </Button>
        ) : (
          <Button disabled={!file} loading={preview.isPending} onClick={() => file && preview.mutate(file)}>
            {t('admin.settlements.preview')}
          </Button>
        )}
      </DialogActions>
    </Stack>
  )
}

function Preview({ report: { new_lines, known_lines, sums, fault_count, faults } }: { report: Report }) {
  const { t } = useTranslation()
  const money = useMoney()
  const format = useFormat()
  return (
    <div role="status">
      <Alert
        color={fault_count === 0 ? 'success' : 'coral'}
        icon={fault_count === 0 ? <CircleCheck size={18} /> : <TriangleAlert size={18} />}
        title={
          fault_count === 0
            ? t('admin.settlements.new_lines', { count: new_lines })
            : t('admin.settlements.faults', { count: fault_count })
        }
      >
        {fault_count > 0 && <Text>{t('admin.settlements.faults_detail')}</Text>}
        <Text>
          {t('admin.settlements.counts', {
            fresh: format.number(new_lines),
            known: format.number(known_lines),
            refused: format.number(fault_count),
          })}
        </Text>
        {faults.length > 0 && (
          <ul>
            {faults.map((fault) => (
              <li key={fault.line}>
                {t('admin.settlements.line', { line: fault.line })}: {messageInLanguage(fault)}
              </li>
            ))}
          </ul>
        )}
      </Alert>
      {sums.length > 0 && (
        <Table.ScrollContainer minWidth={360} mt="md">
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('admin.settlements.by_kind')}</Table.Th>
                <Table.Th ta="end">{t('admin.settlements.lines')}</Table.Th>
                <Table.Th ta="end">{t('admin.settlements.amount')}</Table.Th>
                <Table.Th ta="end">{t('admin.settlements.fees')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sums.map(({ kind, currency, count, amount, fee }) => (
                <Table.Tr key={`${kind} ${currency}`}>
                  <Table.Td>{t(`admin.settlements.kind.${kind}`)}</Table.Td>
                  <Table.Td ta="end">{count}</Table.Td>
                  <Table.Td ta="end">{money(amount, currency)}</Table.Td>
                  <Table.Td ta="end">{money(fee, currency)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </div>
  )
}
