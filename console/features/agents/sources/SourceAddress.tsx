import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import type { components } from '../../../api.gen'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormat } from '../../../ui/text/format'
import { useWorkspace } from '../../workspaces/queries'
import classes from '../agents.module.css'

type Found = components['schemas']['FoundSources']
type Address = { kind: 'feed' | 'page'; url: string }

/** The address of a text that may lack its scheme, as people write addresses. */
const withScheme = (text: string) => (text === '' || /^[a-z]+:/i.test(text) ? text : `https://${text}`)

const addressesIn = ({ feeds, page }: Found): Address[] => [
  ...feeds.map(({ url }) => ({ kind: 'feed' as const, url })),
  ...(page ? [{ kind: 'page' as const, url: page.url }] : []),
]

type Props = {
  label: string
  description: string
  value: Address
  /** Kinds that can be chosen. */
  kinds: readonly Address['kind'][]
  onChange: (value: Address) => void
  error?: ReactNode
  required?: boolean
}

/** The address of a feed or page, found from the address of its site, with what an agent reads there. */
export function SourceAddress({ label, description, value, kinds, onChange, error, required = false }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const [typed, setTyped] = useState(value.url)
  const url = withScheme(typed.trim())
  const search = useMutation({
    mutationFn: () => unwrap(workspaceApi(slug).GET('/api/v1/agents/sources/find', { params: { query: { url } } })),
    onSuccess: (found) => {
      const choices = addressesIn(found).filter(({ kind }) => kinds.includes(kind))
      const choice = choices.find(({ kind }) => kind === value.kind) ?? choices[0]
      if (choice) onChange(choice)
    },
  })
  const found = search.data
  const choices = found ? addressesIn(found).filter(({ kind }) => kinds.includes(kind)) : []
  return (
    <Stack gap="xs">
      <Group align="flex-end" wrap="nowrap" gap="xs">
        <TextInput
          style={{ flex: 1, minWidth: 0 }}
          label={label}
          description={description}
          placeholder="cafe.example"
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={2048}
          required={required}
          error={error}
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value)
            search.reset()
            onChange({ ...value, url: withScheme(currentTarget.value.trim()) })
          }}
        />
        <Button variant="default" disabled={url === ''} loading={search.isPending} onClick={() => search.mutate()}>
          {t('sources.find')}
        </Button>
      </Group>
      {search.error && <ProblemAlert error={search.error} />}
      <div role="status">
        {found && choices.length === 0 && (
          <Text fz="sm">
            {found.error ? t(`sources.errors.${found.error}`) : t(`sources.found_nothing.${kinds[0] ?? 'feed'}`)}
          </Text>
        )}
      </div>
      {found && choices.length > 0 && (
        <Radio.Group
          label={t('sources.found')}
          value={value.url}
          onChange={(chosen) => {
            const choice = choices.find((each) => each.url === chosen)
            if (choice) onChange(choice)
          }}
        >
          <Stack gap="sm" mt="xs">
            {choices.map((choice) => (
              <Radio
                key={choice.url}
                value={choice.url}
                label={`${t(`sources.kinds.${choice.kind}`)} · ${choice.url}`}
                classNames={{ label: classes.text }}
                description={<Excerpt found={found} {...choice} />}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </Stack>
  )
}

/** The newest entries of a feed, or the beginning of a page. */
function Excerpt({ found, kind, url }: Address & { found: Found }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (kind === 'page') return <>{found.page?.text}</>
  const entries = found.feeds.find((feed) => feed.url === url)?.entries ?? []
  if (entries.length === 0) return <>{t('sources.no_entries')}</>
  return (
    <>
      {entries.map(({ title, text, published_at }) => (
        <span key={`${title} ${text} ${published_at}`} style={{ display: 'block' }}>
          {published_at && `${format.date(published_at)} · `}
          {title || text}
        </span>
      ))}
    </>
  )
}
