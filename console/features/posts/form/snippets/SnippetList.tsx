import { ActionIcon, Button, Group, SegmentedControl, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Braces, Pencil, Plus, TextQuote, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { countHashtags } from '../../../../../shared/text/hashtags'
import { withMentionNames } from '../../../../../shared/text/mentions'
import { unwrap, workspaceApi } from '../../../../api'
import { ConfirmDialog } from '../../../../ui/dialog/ConfirmDialog'
import { EmptyState } from '../../../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../../ui/feedback/ProblemAlert'
import { useFormat } from '../../../../ui/text/format'
import { useWorkspace } from '../../../workspaces/queries'
import { invalidateSnippets, kinds, type Snippet, snippetsQuery, type Variables } from './queries'
import classes from './snippets.module.css'

/** Number of snippets from which on they can be filtered. */
const MANY = 8

type Props = {
  /** The text of the post, which can become a snippet. */
  text: string
  onInsert: (snippet: Snippet, variables: Variables) => void
  onEdit: (snippet: Snippet) => void
  onNew: (content: string) => void
  onVariables: (variables: Variables) => void
}

/** The snippets of the workspace. Choosing one inserts it. */
export function SnippetList({ text, onInsert, onEdit, onNew, onVariables }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { data, error, isPending, refetch } = useQuery(snippetsQuery(slug))
  const [search, setSearch] = useState('')
  const [kind, setKind] = useState<Snippet['kind'] | 'all'>('all')
  const [deleting, setDeleting] = useState<Snippet>()
  const remove = useMutation({
    mutationFn: ({ id }: Snippet) =>
      unwrap(workspaceApi(slug).DELETE('/api/v1/snippets/{id}', { params: { path: { id } } })),
    onSuccess: async () => {
      setDeleting(undefined)
      await invalidateSnippets(slug)
    },
  })
  const wanted = search.trim().toLocaleLowerCase()
  const matches = (snippet: Snippet) =>
    (kind === 'all' || snippet.kind === kind) &&
    `${snippet.name}\n${snippet.content}`.toLocaleLowerCase().includes(wanted)
  const snippets = data?.snippets ?? []
  const found = snippets.filter(matches)
  const hasKinds = new Set(snippets.map((snippet) => snippet.kind)).size > 1
  return (
    <Stack>
      <Text c="dimmed" fz="sm">
        {t('snippets.about')}
      </Text>
      {error && <ProblemAlert error={error} onRetry={() => refetch()} />}
      {isPending && <LoadingSkeleton lines={3} height={48} />}
      {data?.snippets.length === 0 && <EmptyState icon={<TextQuote size={26} />} title={t('snippets.none')} />}
      {hasKinds && (
        <SegmentedControl
          fullWidth
          aria-label={t('snippets.kind')}
          data={(['all', ...kinds] as const).map((value) => ({ value, label: t(`snippets.${value}`) }))}
          value={kind}
          onChange={setKind}
        />
      )}
      {snippets.length >= MANY && (
        <TextInput
          type="search"
          aria-label={t('snippets.find')}
          placeholder={t('snippets.find')}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      {data && snippets.length > 0 && (
        <ul className={classes.list}>
          {found.map((snippet) => (
            <li key={snippet.id}>
              <UnstyledButton className={classes.insert} onClick={() => onInsert(snippet, data.variables)}>
                <span className={classes.head}>
                  <span className={classes.name} dir="auto">
                    {snippet.name}
                  </span>
                  <KindOf snippet={snippet} />
                </span>
                <span className={classes.content} dir="auto">
                  {withMentionNames(snippet.content)}
                </span>
              </UnstyledButton>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('snippets.edit_name', { name: snippet.name })}
                onClick={() => onEdit(snippet)}
              >
                <Pencil size={16} />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="coral"
                size="lg"
                aria-label={t('snippets.delete_name', { name: snippet.name })}
                onClick={() => setDeleting(snippet)}
              >
                <Trash2 size={16} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      {snippets.length > 0 && found.length === 0 && (
        <Text c="dimmed" fz="sm" role="status">
          {t('snippets.none_found')}
        </Text>
      )}
      <Group>
        {text.trim() !== '' && text.length <= 5000 && (
          <Button variant="light" leftSection={<Plus size={16} />} onClick={() => onNew(text)}>
            {t('snippets.save_text')}
          </Button>
        )}
        <Button variant="default" leftSection={<Plus size={16} />} onClick={() => onNew('')}>
          {t('snippets.new')}
        </Button>
        {data && (
          <Button variant="subtle" leftSection={<Braces size={16} />} onClick={() => onVariables(data.variables)}>
            {t('snippets.variables')}
          </Button>
        )}
      </Group>
      <ConfirmDialog
        opened={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        title={t('snippets.delete_ask', { name: deleting?.name ?? '' })}
        confirm={t('snippets.delete')}
        mutation={remove}
        onConfirm={() => deleting && remove.mutate(deleting)}
      >
        {t('snippets.delete_detail')}
      </ConfirmDialog>
    </Stack>
  )
}

/** The number of hashtags of a set, or that the snippet is a template. */
function KindOf({ snippet: { kind, content } }: { snippet: Snippet }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (kind === 'text') return null
  const count = countHashtags(content)
  return (
    <span className={classes.kind}>
      {kind === 'template' ? t('snippets.is_template') : t('snippets.count', { count, number: format.number(count) })}
    </span>
  )
}
