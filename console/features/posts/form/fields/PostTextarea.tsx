import type { TextareaProps } from '@mantine/core'
import { type Ref, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Network } from '../../../../api'
import { SuggestionField, type Writing } from '../../../../ui/fields/SuggestionField'
import { afterChange, replaceShown, toShown, writingAt } from '../mentions/mention-tokens'
import { type MentionAccount, useMentionOptions } from '../mentions/useMentionOptions'
import type { SnippetPlace } from '../snippets/snippet-place'
import { useSnippetOptions } from '../snippets/useSnippetOptions'

type Props = Omit<TextareaProps, 'ref' | 'value' | 'onChange'> & {
  ref?: Ref<HTMLTextAreaElement> | undefined
  /** The text as it is stored. */
  value: string
  onChange: (text: string) => void
  /** The accounts that get the text. Their networks are asked. */
  accounts: readonly MentionAccount[]
  networks: readonly Network[]
  /** Where snippets are inserted. Without it, a `/` suggests nothing. */
  place?: SnippetPlace
}

/** A text of a post. `@` suggests whom to mention, and `/` snippets; mentions with ids are shown by their names. */
export function PostTextarea({ value, onChange, accounts, networks, place, ...field }: Props) {
  const { t } = useTranslation()
  const [writing, setWriting] = useState<Writing<'@' | '/'>>()
  const nameAfter = (sign: '@' | '/') => (writing?.sign === sign ? writing.name : undefined)
  const mentions = useMentionOptions(nameAfter('@'), accounts, networks)
  const snippets = useSnippetOptions(nameAfter('/'), place)
  const { options, status } = writing?.sign === '/' ? snippets : mentions
  const insert = (text: string, onInserted?: () => void) => ({
    text: toShown(text),
    onInsert: (start: number, end: number) => {
      onChange(replaceShown(value, start, end, text))
      onInserted?.()
    },
  })
  return (
    <SuggestionField
      {...field}
      value={toShown(value)}
      onChange={({ currentTarget }) => onChange(afterChange(value, currentTarget.value))}
      find={(text, caret) => {
        const found = writingAt(text, caret)
        return found?.sign === '/' && !place ? undefined : found
      }}
      onWriting={setWriting}
      options={options.map((option) =>
        'text' in option
          ? { ...option, ...insert(option.text, 'onInserted' in option ? option.onInserted : undefined) }
          : option,
      )}
      listLabel={t(writing?.sign === '/' ? 'snippets.title' : 'compose.mentions')}
      status={status}
    />
  )
}
