import { Alert, Anchor, Button, Card, FileButton, Group, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { CircleCheck, Download, FileSpreadsheet, Undo2, Upload } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { type Language, languageOf } from '../../../i18n'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../../ui/feedback/RoleRequired'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { BackLink } from '../../../ui/navigation/BackLink'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { WithGuide } from '../../../ui/navigation/WithGuide'
import { saveFile } from '../../../ui/text/save-file'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { ConfirmImport } from './ConfirmImport'
import { ImportMapping } from './ImportMapping'
import { ImportRows } from './ImportRows'
import { importQuery, type PostImport, reloadImport, reloadPosts, uploadSpreadsheet } from './queries'

const route = getRouteApi('/signed-in/shell/w/$workspace/import')

/** Turns a spreadsheet into posts: choose a file, look at its rows, confirm. */
export function ImportPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('import.title'))
  const workspace = useWorkspace()
  const { id } = route.useSearch()
  return (
    <>
      <BackLink to="/w/$workspace/posts" params={{ workspace: workspace.slug }}>
        {t('post.back')}
      </BackLink>
      <PageHeader title={t('import.title')} about={<WithGuide name="import">{t('import.about')}</WithGuide>} />
      {!isAtLeast(workspace, 'author') ? (
        <RoleRequired needs="author" />
      ) : id === undefined ? (
        <ChooseFile />
      ) : (
        <ShownImport key={id} id={id} />
      )}
    </>
  )
}

function ChooseFile() {
  const { t, i18n } = useTranslation()
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const upload = useMutation({
    mutationFn: (file: File) => uploadSpreadsheet(slug, file),
    onSuccess: ({ id }) => navigate({ to: '/w/$workspace/import', params: { workspace: slug }, search: { id } }),
  })
  const notifyError = useErrorNotification()
  const language = languageOf(i18n.language)
  return (
    <Stack>
      {upload.error && <ProblemAlert error={upload.error} />}
      <Card padding={0}>
        <EmptyState
          icon={<FileSpreadsheet size={26} />}
          title={t('import.choose')}
          action={
            <Stack align="center" gap="sm">
              <FileButton accept=".csv,.tsv,.txt,.xlsx,text/csv" onChange={(file) => file && upload.mutate(file)}>
                {(props) => (
                  <Button {...props} leftSection={<Upload size={17} />} loading={upload.isPending}>
                    {t('import.choose_file')}
                  </Button>
                )}
              </FileButton>
              <Anchor
                component="button"
                type="button"
                fz="sm"
                onClick={() => void saveTemplate(slug, language).catch(notifyError)}
              >
                <Download size={15} aria-hidden="true" style={{ verticalAlign: '-2px' }} /> {t('import.template')}
              </Anchor>
            </Stack>
          }
        >
          {t('import.choose_detail')}
        </EmptyState>
      </Card>
    </Stack>
  )
}

async function saveTemplate(workspace: string, language: Language) {
  const query = { language, ...(language === 'tr' && { separator: 'semicolon' as const }) }
  const csv = await unwrap<unknown>(
    workspaceApi(workspace).GET('/api/v1/imports/template.csv', { params: { query }, parseAs: 'text' }),
  )
  saveFile(language === 'tr' ? 'sablon.csv' : 'template.csv', String(csv), 'text/csv')
}

function ShownImport({ id }: { id: string }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const shown = useQuery(importQuery(slug, id))
  const status = shown.data?.record.status
  useEffect(() => {
    if (status === 'done' || status === 'undone') void reloadPosts(slug)
  }, [status, slug])
  if (shown.error) return <ProblemAlert error={shown.error} onRetry={() => shown.refetch()} />
  if (!shown.data) return <LoadingSkeleton lines={4} height={120} />
  const { record, etag } = shown.data
  return (
    <Stack>
      <Group justify="space-between">
        <Text fw={650} dir="auto">
          {record.name}
        </Text>
        <ButtonLink to="/w/$workspace/import" params={{ workspace: slug }} variant="default" size="xs">
          {t('import.another')}
        </ButtonLink>
      </Group>
      <ImportState record={record} />
      {(record.status === 'mapping' || record.status === 'ready') && <ImportMapping record={record} />}
      {record.status === 'ready' && <ConfirmImport record={record} etag={etag} />}
      {record.status !== 'mapping' && record.status !== 'checking' && <ImportRows record={record} />}
    </Stack>
  )
}

/** The state of an import, in a region that screen readers announce. */
function ImportState({ record }: { record: PostImport }) {
  const { t } = useTranslation()
  const { status, counts, to_write } = record
  const done = status === 'writing' ? counts.written : status === 'undoing' ? counts.undone + counts.kept : 0
  const part = status === 'checking' ? counts.rows - counts.unchecked : done
  const total = status === 'checking' ? counts.rows : status === 'undoing' ? done + counts.written : to_write
  const texts = { done: counts.written, errors: counts.errors, undone: counts.undone, kept: counts.kept }
  return (
    <div role="status">
      {(status === 'checking' || status === 'writing' || status === 'undoing') && (
        <Card>
          <Text mb="xs">{t(`import.working.${status}`, { part, total })}</Text>
          <Progress value={total ? (100 * part) / total : 0} animated aria-label={t(`import.status.${status}`)} />
        </Card>
      )}
      {status === 'ready' && (
        <Text>
          {t('import.found', { count: counts.rows, ok: counts.ok, warnings: counts.warnings, errors: counts.errors })}
        </Text>
      )}
      {status === 'done' && (
        <Alert color="success" icon={<CircleCheck size={20} />} title={t('import.done', { count: counts.written })}>
          {counts.errors > 0 && <Text>{t('import.not_written', texts)}</Text>}
          <UndoImport record={record} />
        </Alert>
      )}
      {status === 'undone' && (
        <Alert color="gray" icon={<Undo2 size={20} />} title={t('import.undone', { count: counts.undone })}>
          {counts.kept > 0 && t('import.kept', { count: counts.kept })}
        </Alert>
      )}
    </div>
  )
}

function UndoImport({ record: { id, undo_until } }: { record: PostImport }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const undo = useMutation({
    mutationFn: () => unwrap(workspaceApi(slug).POST('/api/v1/imports/{id}/undo', { params: { path: { id } } })),
    onSettled: () => reloadImport(slug, id),
  })
  return (
    <>
      {undo.error && <ProblemAlert error={undo.error} />}
      <Group mt="sm">
        <ButtonLink to="/w/$workspace/calendar" params={{ workspace: slug }} size="xs">
          {t('import.to_calendar')}
        </ButtonLink>
        {undo_until && (
          <Button
            variant="default"
            size="xs"
            leftSection={<Undo2 size={15} />}
            loading={undo.isPending}
            onClick={() => undo.mutate()}
          >
            {t('import.undo')}
          </Button>
        )}
      </Group>
    </>
  )
}
