import { ActionIcon, Button, Group, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Pencil, Plus, TextQuote, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../../api'
import { ConfirmDialog } from '../../../../ui/dialog/ConfirmDialog'
import { EmptyState } from '../../../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../../ui/feedback/ProblemAlert'
import { useWorkspace } from '../../../workspaces/queries'
import { invalidateSnippets, type Snippet, snippetsQuery } from './queries'
import classes from './snippets.module.css'

/** Number of snippets from which on they can be filtered. */
const MANY = 8

type Props = {
  /** The text of the post, which can become a snippet. */
  text: string
  onInsert: (snippet: Snippet) => void
  onEdit: (snippet: Snippet) => void
  onNew: (content: string) => void
}

/** The snippets of the workspace. Choosing one inserts it. */
export function SnippetList({ text, onInsert, onEdit, onNew }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { data, error, isPending, refetch } = useQuery(snippetsQuery(slug))
  const [search, setSearch] = useState('')
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
  const matches = ({ name, content }: Snippet) => `${name}\n${content}`.toLocaleLowerCase().includes(wanted)
  const found = data?.filter(matches) ?? []
  return (
    <Stack>
      <Text c="dimmed" fz="sm">
        {t('snippets.about')}
      </Text>
      {error && <ProblemAlert error={error} onRetry={() => refetch()} />}
      {isPending && <LoadingSkeleton lines={3} height={48} />}
      {data?.length === 0 && <EmptyState icon={<TextQuote size={26} />} title={t('snippets.none')} />}
      {data && data.length >= MANY && (
        <TextInput
          type="search"
          aria-label={t('snippets.find')}
          placeholder={t('snippets.find')}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      {data && data.length > 0 && (
        <ul className={classes.list}>
          {found.map((snippet) => (
            <li key={snippet.id}>
              <UnstyledButton className={classes.insert} onClick={() => onInsert(snippet)}>
                <span className={classes.name} dir="auto">
                  {snippet.name}
                </span>
                <span className={classes.content} dir="auto">
                  {snippet.content}
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
      {data && data.length > 0 && found.length === 0 && (
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
