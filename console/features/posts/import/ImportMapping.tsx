import { Alert, Button, Card, Collapse, Group, MultiSelect, Radio, Select, Stack, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleAlert, Settings2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormat } from '../../../ui/text/format'
import { timeZones } from '../../../ui/text/time-zone'
import { accountsQuery } from '../../accounts/queries'
import { useAccountLabel } from '../../networks/queries'
import { useWorkspace } from '../../workspaces/queries'
import { type ImportField, type PostImport, reloadImport } from './queries'

const fields = [
  'ignore',
  'text',
  'date',
  'time',
  'timezone',
  'accounts',
  'network',
  'link',
  'media',
  'alt',
  'first_comment',
  'labels',
  'status',
] as const satisfies ImportField[]

const orders = ['day_first', 'month_first'] as const

/** The reading of a file: what is missing, and what was recognized. */
export function ImportMapping({ record }: { record: PostImport }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { id, needs, unknown_accounts } = record
  const isMissing = needs.length > 0
  const [opened, { toggle }] = useDisclosure(isMissing)
  const [columns, setColumns] = useState(record.columns.map(({ field }) => field))
  const [date_order, setOrder] = useState(record.date_order ?? record.suggested_date_order)
  const [timezone, setZone] = useState(record.timezone)
  const [account_ids, setAccounts] = useState(record.account_ids)
  const [names, setNames] = useState<Record<string, string>>({ ...record.account_names })
  const change = useMutation({
    mutationFn: () => {
      const params = { path: { id } }
      const order = record.ambiguous_dates.length > 0 ? { date_order } : {}
      const body = { fields: columns, timezone, account_ids, account_names: names, ...order }
      return unwrap(workspaceApi(slug).PATCH('/api/v1/imports/{id}', { params, body }))
    },
    onSuccess: () => reloadImport(slug, id),
  })
  const isShown = opened || isMissing || unknown_accounts.length > 0
  return (
    <Card>
      {!isMissing && (
        <Group justify="space-between">
          <Text fz="sm" c="dimmed">
            {t('import.read_as', {
              format: t(`import.formats.${record.format}`),
              encoding: record.encoding,
              zone: record.timezone,
            })}
          </Text>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<Settings2 size={15} />}
            aria-expanded={isShown}
            onClick={toggle}
          >
            {t('import.mapping')}
          </Button>
        </Group>
      )}
      <Collapse expanded={isShown}>
        <Stack mt={isMissing ? 0 : 'md'}>
          {isMissing && (
            <Alert color="yellow" icon={<CircleAlert size={20} />} title={t('import.missing')}>
              {needs.map((need) => t(`import.needs.${need}`)).join(' ')}
            </Alert>
          )}
          {record.ambiguous_dates.length > 0 && <DateOrder record={record} value={date_order} onChange={setOrder} />}
          <AccountFields
            {...{ unknown: unknown_accounts, account_ids, setAccounts, names, setNames }}
            isMissing={needs.includes('accounts')}
          />
          <Select
            label={t('import.timezone')}
            data={timeZones(timezone)}
            value={timezone}
            onChange={(zone) => zone && setZone(zone)}
            searchable
            allowDeselect={false}
          />
          <ColumnFields record={record} value={columns} onChange={setColumns} />
          {change.error && <ProblemAlert error={change.error} />}
          <Group>
            <Button
              loading={change.isPending}
              disabled={record.ambiguous_dates.length > 0 && date_order === null}
              onClick={() => change.mutate()}
            >
              {t('import.check')}
            </Button>
          </Group>
        </Stack>
      </Collapse>
    </Card>
  )
}

type OrderProps = {
  record: PostImport
  value: PostImport['date_order']
  onChange: (order: PostImport['date_order']) => void
}

/** Dates that can be read in two orders, with both side by side. */
function DateOrder({ record: { ambiguous_dates }, value, onChange }: OrderProps) {
  const { t } = useTranslation()
  const format = useFormat('UTC')
  return (
    <Radio.Group
      label={t('import.date_order')}
      value={value ?? ''}
      onChange={(order) => onChange(orders.find((one) => one === order) ?? null)}
    >
      <Stack gap="xs" mt="xs">
        {orders.map((order) => (
          <Radio
            key={order}
            value={order}
            label={t(`import.orders.${order}`)}
            description={ambiguous_dates
              .map((date) => {
                const day = date[order]
                return `${date.value} = ${day ? format.date(`${day}T12:00:00Z`) : '?'}`
              })
              .join(' · ')}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}

type AccountProps = {
  unknown: string[]
  isMissing: boolean
  account_ids: string[]
  setAccounts: (ids: string[]) => void
  names: Record<string, string>
  setNames: (names: Record<string, string>) => void
}

/** Accounts of rows that name none, and those that unknown names stand for. */
function AccountFields({ unknown, isMissing, account_ids, setAccounts, names, setNames }: AccountProps) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const accounts = useQuery(accountsQuery(slug))
  const labelOf = useAccountLabel()
  const data = (accounts.data ?? []).map((account) => ({ value: account.id, label: labelOf(account) }))
  return (
    <>
      {accounts.error && <ProblemAlert error={accounts.error} onRetry={() => accounts.refetch()} />}
      <MultiSelect
        label={t('import.accounts')}
        description={t('import.accounts_about')}
        data={data}
        value={account_ids}
        onChange={setAccounts}
        required={isMissing}
        searchable
      />
      {unknown.map((name) => (
        <Select
          key={name}
          label={t('import.unknown_account', { name })}
          data={data}
          value={names[name.toLowerCase()] ?? null}
          onChange={(id) => id && setNames({ ...names, [name.toLowerCase()]: id })}
          searchable
        />
      ))}
    </>
  )
}

type ColumnProps = { record: PostImport; value: ImportField[]; onChange: (fields: ImportField[]) => void }

function ColumnFields({ record, value, onChange }: ColumnProps) {
  const { t } = useTranslation()
  return (
    <Table.ScrollContainer minWidth={280} tabIndex={0} aria-label={t('import.columns')}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('import.column')}</Table.Th>
            <Table.Th>{t('import.is')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {record.columns.map(({ name, samples }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns may share a name, and never move
            <Table.Tr key={index}>
              <Table.Td>
                <Text fw={600} fz="sm" dir="auto">
                  {name}
                </Text>
                <Text fz="xs" c="dimmed" lineClamp={1} dir="auto">
                  {samples.filter(Boolean).join(' · ')}
                </Text>
              </Table.Td>
              <Table.Td>
                <Select
                  aria-label={t('import.field_of', { name })}
                  data={fields.map((field) => ({ value: field, label: t(`import.fields.${field}`) }))}
                  value={value[index] ?? 'ignore'}
                  onChange={(chosen) => {
                    const field = fields.find((one) => one === chosen)
                    if (field) onChange(value.map((one, place) => (place === index ? field : one)))
                  }}
                  allowDeselect={false}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
