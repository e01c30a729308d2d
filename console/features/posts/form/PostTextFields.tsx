import { Anchor, Group, Text, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { type RefObject, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Network } from '../../../api'
import { CharacterCounters } from './CharacterCounters'
import type { PostProblems } from './form-problems'
import type { PostDestination, PostDraft } from './form-values'

type Props = {
  form: UseFormReturnType<PostDraft>
  /** The accounts to publish to. */
  chosen: PostDestination[]
  networks: Network[]
  problems: PostProblems
  textRef: RefObject<HTMLTextAreaElement | null>
}

/** The text for all accounts, and those for single ones. */
export function PostTextFields({ form, chosen, networks, problems, textRef }: Props) {
  const { t } = useTranslation()
  const { content, own } = form.values
  const shared = chosen.filter(({ id }) => own[id] === undefined)
  /** Discarded texts for single accounts, restored if the user changes their mind. */
  const kept = useRef<Record<string, string>>({})
  const ownFields = useRef(new Map<string, HTMLTextAreaElement>())
  /** The account whose text field was just shown or removed. */
  const toggled = useRef<string>(undefined)
  // The button that was pressed is gone.
  useEffect(() => {
    if (!toggled.current) return
    const field = own[toggled.current] === undefined ? textRef.current : ownFields.current.get(toggled.current)
    toggled.current = undefined
    field?.focus()
  }, [own, textRef])
  const toggle = (id: string, texts: Record<string, string>) => {
    toggled.current = id
    form.setFieldValue('own', texts)
  }
  return (
    <>
      {(shared.length > 0 || chosen.length === 0) && (
        <div>
          <Textarea
            label={t('compose.text')}
            placeholder={t('compose.placeholder')}
            autosize
            minRows={6}
            maxRows={18}
            maxLength={65_536}
            dir="auto"
            ref={textRef}
            {...form.getInputProps('content')}
            error={problems.content}
          />
          <CharacterCounters text={content} accounts={shared} networks={networks} />
        </div>
      )}
      {chosen
        .filter(({ id }) => own[id] !== undefined)
        .map((account) => (
          <div key={account.id}>
            <Textarea
              label={t('compose.text_for', { name: account.name })}
              autosize
              minRows={4}
              maxRows={14}
              maxLength={65_536}
              dir="auto"
              ref={(field) => {
                if (field) ownFields.current.set(account.id, field)
                return () => void ownFields.current.delete(account.id)
              }}
              {...form.getInputProps(`own.${account.id}`)}
              error={problems.own[account.id]}
            />
            <Group justify="space-between">
              <CharacterCounters text={own[account.id] ?? ''} accounts={[account]} networks={networks} />
              <Anchor
                component="button"
                type="button"
                fz="sm"
                onClick={() => {
                  const { [account.id]: text = '', ...others } = own
                  kept.current[account.id] = text
                  toggle(account.id, others)
                }}
              >
                {t('compose.same_text')}
              </Anchor>
            </Group>
          </div>
        ))}
      {chosen.length > 1 && shared.length > 0 && (
        <Group gap="sm">
          <Text fz="sm" c="dimmed">
            {t('compose.other_text')}
          </Text>
          {shared.map(({ id, name }) => (
            <Anchor
              key={id}
              component="button"
              type="button"
              fz="sm"
              onClick={() => toggle(id, { ...own, [id]: kept.current[id] ?? content })}
            >
              {name}
            </Anchor>
          ))}
        </Group>
      )}
    </>
  )
}
