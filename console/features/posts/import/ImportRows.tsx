import { Anchor, Button, Card, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleMinus, Download, Pencil, TriangleAlert, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withMentionNames } from '../../../../shared/text/mentions'
import { unwrap, workspaceApi } from '../../../api'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { messageInLanguage } from '../../../ui/feedback/problem'
import { StatusBadge } from '../../../ui/feedback/StatusBadge'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { LoadMore } from '../../../ui/navigation/LoadMore'
import { useFormat } from '../../../ui/text/format'
import { saveFile } from '../../../ui/text/save-file'
import { accountsQuery } from '../../accounts/queries'
import { useWorkspace } from '../../workspaces/queries'
import classes from './import.module.css'
import { type ImportRow, type PostImport, type RowFilter, reloadImport, rowsQuery } from './queries'

const styles = {
  unchecked: { color: 'gray', icon: null },
  ok: { color: 'success', icon: CircleCheck },
  warning: { color: 'yellow', icon: TriangleAlert },
  error: { color: 'coral', icon: CircleAlert },
  skipped: { color: 'gray', icon: CircleMinus },
  written: { color: 'success', icon: CircleCheck },
  undone: { color: 'gray', icon: Undo2 },
  kept: { color: 'yellow', icon: TriangleAlert },
}

const filters = ['all', 'error', 'warning', 'ok'] as const satisfies RowFilter[]

/** Messages of a few rules are in English only. */
const inLanguage = (problem: ImportRow['problems'][number]) => messageInLanguage(problem) ?? problem.message

/** The rows of an import as the posts that they become. */
export function ImportRows({ record }: { record: PostImport }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { id, counts, status } = record
  const notifyError = useErrorNotification()
  const [filter, setFilter] = useState<RowFilter>('all')
  const rows = useInfiniteQuery(rowsQuery(slug, id, { filter, status }))
  const numbers = { all: counts.rows, error: counts.errors, warning: counts.warnings, ok: counts.ok }
  const shown = rows.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <SegmentedControl
          aria-label={t('import.rows')}
          data={filters.map((value) => ({ value, label: `${t(`import.filters.${value}`)} (${numbers[value]})` }))}
          value={filter}
          onChange={(value) => setFilter(filters.find((one) => one === value) ?? 'all')}
        />
        {counts.errors > 0 && (
          <Anchor component="button" type="button" fz="sm" onClick={() => void saveErrors(slug, id).catch(notifyError)}>
            <Download size={15} aria-hidden="true" style={{ verticalAlign: '-2px' }} /> {t('import.errors_file')}
          </Anchor>
        )}
      </Group>
      {rows.error && <ProblemAlert error={rows.error} onRetry={() => rows.refetch()} />}
      {rows.isPending && <LoadingSkeleton lines={3} height={90} />}
      {rows.data && shown.length === 0 && <Text c="dimmed">{t('import.no_rows')}</Text>}
      {shown.length > 0 && (
        <Card padding={0}>
          <ul className={classes.list} aria-label={t('import.rows')}>
            {shown.map((row) => (
              <Row key={row.row} row={row} record={record} />
            ))}
          </ul>
        </Card>
      )}
      <LoadMore of={rows} />
    </Stack>
  )
}

async function saveErrors(workspace: string, id: string) {
  const csv = await unwrap<unknown>(
    workspaceApi(workspace).GET('/api/v1/imports/{id}/errors.csv', { params: { path: { id } }, parseAs: 'text' }),
  )
  saveFile('errors.csv', String(csv), 'text/csv')
}

function Row({ row, record }: { row: ImportRow; record: PostImport }) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const format = useFormat(timezone)
  const accounts = useQuery(accountsQuery(slug)).data ?? []
  const [opened, { toggle, close }] = useDisclosure(false)
  const { post, problems, state, post_id } = row
  const content = withMentionNames(post?.content ?? '').trim() || t('posts.empty')
  const names = (post?.account_ids ?? []).flatMap((id) => accounts.find((account) => account.id === id)?.name ?? [])
  const files = (post?.media_ids.length ?? 0) + (post?.media_urls.length ?? 0)
  const about = [
    post?.scheduled_at ? format.dateTime(post.scheduled_at) : t('import.no_time'),
    ...names,
    ...(post?.labels ?? []).map((label) => `#${label}`),
    ...(files > 0 ? [t('import.files', { count: files })] : []),
  ]
  return (
    <li className={classes.row} aria-label={t('import.row', { number: row.row })} tabIndex={-1}>
      <Group gap="xs">
        <Text fz="sm" c="dimmed" className="tabular">
          {t('import.row_at', { number: row.row, line: row.line })}
        </Text>
        <StatusBadge {...styles[state]}>{t(`import.states.${state}`)}</StatusBadge>
      </Group>
      <Text className={classes.content} dir="auto" lineClamp={4}>
        {content}
      </Text>
      <Text fz="sm" c="dimmed">
        {about.join(' · ')}
      </Text>
      {problems.length > 0 && (
        <ul className={classes.problems}>
          {problems.map((problem) => (
            <li key={`${problem.code} ${problem.column} ${problem.message} ${problem.value}`}>
              {problem.column !== null && <strong dir="auto">{record.columns[problem.column]?.name}: </strong>}
              {inLanguage(problem)}
              {problem.value && <span className={classes.value}> “{problem.value}”</span>}
              {problem.suggestion && ` ${t('import.suggestion', { text: problem.suggestion })}`}
            </li>
          ))}
        </ul>
      )}
      {post_id && (state === 'written' || state === 'kept') && (
        <AnchorLink to="/w/$workspace/posts/$post" params={{ workspace: slug, post: post_id }} fz="sm">
          {t('import.open_post')}
        </AnchorLink>
      )}
      {record.status === 'ready' && (
        <RowActions row={row} record={record} opened={opened} onToggle={toggle} onSaved={close} />
      )}
    </li>
  )
}

type ActionProps = {
  row: ImportRow
  record: PostImport
  opened: boolean
  onToggle: () => void
  onSaved: () => void
}

/** Corrects the cells of a row, or leaves it out. */
function RowActions({ row, record, opened, onToggle, onSaved }: ActionProps) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const [cells, setCells] = useState(record.columns.map((_, index) => row.cells[index] ?? ''))
  const change = useMutation({
    mutationFn: (body: { cells?: string[]; skip?: boolean }) =>
      unwrap(
        workspaceApi(slug).PATCH('/api/v1/imports/{id}/rows/{row}', {
          params: { path: { id: record.id, row: row.row } },
          body,
        }),
      ),
    onSuccess: () => {
      onSaved()
      return reloadImport(slug, record.id)
    },
  })
  const name = t('import.row', { number: row.row })
  const isSkipped = row.state === 'skipped'
  return (
    <>
      <Group gap="xs" mt={4}>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<Pencil size={14} />}
          aria-label={t('import.correct_row', { name })}
          aria-expanded={opened}
          onClick={onToggle}
        >
          {t('import.correct')}
        </Button>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-label={t(isSkipped ? 'import.take_row' : 'import.skip_row', { name })}
          loading={change.isPending && !opened}
          onClick={() => change.mutate({ skip: !isSkipped })}
        >
          {t(isSkipped ? 'import.take' : 'import.skip')}
        </Button>
      </Group>
      {change.error && <ProblemAlert error={change.error} />}
      {opened && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            change.mutate({ cells, skip: false })
          }}
        >
          <Stack gap="xs" mt="xs">
            {record.columns.map(({ name: column, field }, index) => (
              <Textarea
                // biome-ignore lint/suspicious/noArrayIndexKey: columns may share a name, and never move
                key={index}
                label={column}
                autosize
                minRows={1}
                maxRows={field === 'text' ? 12 : 4}
                value={cells[index] ?? ''}
                error={row.problems
                  .filter((problem) => problem.column === index)
                  .map((problem) => inLanguage(problem))
                  .join(' ')}
                onChange={({ currentTarget: { value } }) =>
                  setCells(cells.map((cell, place) => (place === index ? value : cell)))
                }
              />
            ))}
            <Group>
              <Button type="submit" size="xs" loading={change.isPending}>
                {t('import.save_row')}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </>
  )
}
