import type { TextareaProps } from '@mantine/core'
import { type Ref, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Network } from '../../../../api'
import { MentionField } from '../../../../ui/fields/MentionField'
import { afterChange, replaceShown, toShown, writingAt } from './mention-tokens'
import { type MentionAccount, useMentionOptions } from './useMentionOptions'

type Props = Omit<TextareaProps, 'ref' | 'value' | 'onChange'> & {
  ref?: Ref<HTMLTextAreaElement> | undefined
  /** The text as it is stored. */
  value: string
  onChange: (text: string) => void
  /** The accounts that get the text. Their networks are asked. */
  accounts: readonly MentionAccount[]
  networks: readonly Network[]
}

/** A text of a post. `@` suggests whom to mention; mentions with ids are shown by their names. */
export function MentionTextarea({ value, onChange, accounts, networks, ...field }: Props) {
  const { t } = useTranslation()
  const [name, setName] = useState<string>()
  const { options, status } = useMentionOptions(name, accounts, networks)
  return (
    <MentionField
      {...field}
      value={toShown(value)}
      onChange={({ currentTarget }) => onChange(afterChange(value, currentTarget.value))}
      find={writingAt}
      onWriting={setName}
      options={options.map((option) =>
        'text' in option
          ? {
              ...option,
              text: toShown(option.text),
              onInsert: (start: number, end: number) => onChange(replaceShown(value, start, end, `${option.text} `)),
            }
          : option,
      )}
      listLabel={t('compose.mentions')}
      status={status}
    />
  )
}
