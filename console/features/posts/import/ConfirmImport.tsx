import { Button, Card, Checkbox, Group, Select, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useWorkspace } from '../../workspaces/queries'
import { type PostImport, reloadImport } from './queries'

const statuses = ['scheduled', 'review', 'draft'] as const
type Status = (typeof statuses)[number]

/** Creates the posts of the rows that are fit. */
export function ConfirmImport({ record: { id, counts }, etag }: { record: PostImport; etag: string }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const [as, setStatus] = useState<Status>('scheduled')
  const [hasWarnings, setWarnings] = useState(false)
  const count = counts.ok + (hasWarnings ? counts.warnings : 0)
  const confirm = useMutation({
    mutationFn: () => {
      const params = { path: { id } }
      const body = { only: hasWarnings ? ('all' as const) : ('ok' as const), as }
      return unwrap(
        workspaceApi(slug).POST('/api/v1/imports/{id}/confirm', { params, body, headers: { 'if-match': etag } }),
      )
    },
    onSettled: () => reloadImport(slug, id),
  })
  return (
    <Card>
      <Stack gap="sm">
        {confirm.error && <ProblemAlert error={confirm.error} />}
        {counts.warnings > 0 && (
          <Checkbox
            label={t('import.with_warnings', { count: counts.warnings })}
            checked={hasWarnings}
            onChange={({ currentTarget }) => setWarnings(currentTarget.checked)}
          />
        )}
        <Group align="flex-end">
          <Select
            label={t('import.as')}
            data={statuses.map((value) => ({ value, label: t(`import.as_status.${value}`) }))}
            value={as}
            onChange={(value) => setStatus(statuses.find((status) => status === value) ?? 'scheduled')}
            allowDeselect={false}
            style={{ flex: '1 1 220px' }}
          />
          <Button
            leftSection={<Check size={17} />}
            disabled={count === 0}
            loading={confirm.isPending}
            onClick={() => confirm.mutate()}
          >
            {t('import.confirm', { count })}
          </Button>
        </Group>
      </Stack>
    </Card>
  )
}
