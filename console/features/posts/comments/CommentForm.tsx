import { Button, Group, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { SuggestionField } from '../../../ui/fields/SuggestionField'
import { membersQuery } from '../../workspaces/members/member-queries'
import { useWorkspace } from '../../workspaces/queries'
import { distinctNames, mentionAt, type Person, suggest, toShown, toStored } from './mention-text'

const MAX_BODY = 4000

type Props = {
  label: string
  submitLabel: string
  /** The stored text that is edited. */
  body?: string
  isFocused?: boolean
  onSubmit: (body: string) => Promise<unknown>
  onCancel?: () => void
}

/** Writes a comment. `@` suggests members. Ctrl and Enter send it. */
export function CommentForm({ label, submitLabel, body = '', isFocused = false, onSubmit, onCancel }: Props) {
  const { slug } = useWorkspace()
  const [isUsed, setUsed] = useState(body !== '' || isFocused)
  const members = useQuery({ ...membersQuery(slug), enabled: isUsed })
  if (members.error && !members.data) return <ProblemAlert error={members.error} onRetry={() => members.refetch()} />
  // A text that is edited begins with names, so it waits for them.
  if (!members.data && body !== '') return null
  const people = distinctNames(members.data ?? [])
  return (
    <CommentField
      {...{ label, submitLabel, isFocused, people, onSubmit }}
      isReady={members.data !== undefined}
      onUse={() => setUsed(true)}
      {...(onCancel && { onCancel })}
      text={toShown(body, people)}
    />
  )
}

type FieldProps = Omit<Props, 'body'> & {
  people: Person[]
  text: string
  /** Whether the people are known, whom a text may mention. */
  isReady: boolean
  onUse: () => void
}

function CommentField({ people, text, isReady, onUse, ...props }: FieldProps) {
  const { label, submitLabel, isFocused, onSubmit, onCancel } = props
  const { t } = useTranslation()
  const [value, setValue] = useState(text)
  const [name, setName] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const suggestions = name === undefined ? [] : suggest(people, name)
  const stored = toStored(value.trim(), people)
  const isTooLong = stored.length > MAX_BODY && [...stored].length > MAX_BODY
  const send = useMutation({
    mutationFn: onSubmit,
    onSuccess: () => {
      setValue('')
      // The button that was pressed is disabled now.
      field.current?.focus()
    },
  })
  const submit = () => isReady && stored !== '' && !isTooLong && !send.isPending && send.mutate(stored)

  function pressed(event: KeyboardEvent) {
    if (event.key === 'Enter' && suggestions.length === 0 && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      submit()
    }
    if (event.key === 'Escape' && suggestions.length === 0) onCancel?.()
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      noValidate
    >
      <Stack gap="xs">
        <SuggestionField
          ref={field}
          label={label}
          description={t('comments.mention_about')}
          value={value}
          error={isTooLong && t('comments.too_long')}
          autosize
          minRows={2}
          maxRows={12}
          dir="auto"
          readOnly={send.isPending}
          autoFocus={isFocused === true}
          onChange={({ currentTarget }) => setValue(currentTarget.value)}
          onFocus={onUse}
          onKeyDown={pressed}
          find={mentionAt}
          onWriting={(writing) => setName(writing?.name)}
          options={suggestions.map(({ id, name }) => ({ id, label: name, text: `@${name} ` }))}
          listLabel={t('comments.members')}
        />
        {send.error && <ProblemAlert error={send.error} />}
        <Group gap="xs">
          <Button
            type="submit"
            variant="default"
            loading={send.isPending}
            disabled={!isReady || stored === '' || isTooLong}
          >
            {submitLabel}
          </Button>
          {onCancel && (
            <Button variant="subtle" color="gray" onClick={onCancel}>
              {t('ui.cancel')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
