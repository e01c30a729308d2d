import type { TextareaProps } from '@mantine/core'
import { type Ref, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Network } from '../../../../api'
import { MentionField, type MentionOption } from '../../../../ui/fields/MentionField'
import { type NamedMention, storeNames } from '../../../../ui/text/mention-names'
import { mentionsIn, toShown, writingAt } from './mention-text'
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
export function MentionTextarea({ ref, value, onChange, accounts, networks, ...field }: Props) {
  const { t } = useTranslation()
  const [name, setName] = useState<string>()
  const inserted = useRef<NamedMention[]>([])
  const mentions = () => [...mentionsIn(value), ...inserted.current]
  const shown = toShown(value, mentions())
  const { options, status } = useMentionOptions(name, accounts, networks)

  /** Inserts a mention with an id by its name, unless another one has the same name. */
  function byName(option: MentionOption): MentionOption {
    const [mention] = 'text' in option ? mentionsIn(option.text) : []
    const isTaken = mentions().some(({ name, stored }) => name === mention?.name && stored !== mention.stored)
    if (!mention || shown === undefined || isTaken) return option
    return { ...option, text: `@${mention.name}`, onInsert: () => inserted.current.push(mention) }
  }

  return (
    <MentionField
      {...field}
      ref={ref}
      value={shown ?? value}
      onChange={({ currentTarget }) =>
        onChange(shown === undefined ? currentTarget.value : storeNames(currentTarget.value, mentions()))
      }
      find={writingAt}
      onWriting={setName}
      options={options.map(byName)}
      listLabel={t('compose.mentions')}
      status={status}
    />
  )
}
