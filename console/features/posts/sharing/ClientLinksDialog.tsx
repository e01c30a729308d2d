import {
  Alert,
  Button,
  Divider,
  Group,
  NativeSelect,
  NumberInput,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DAY } from '../../../../shared/time'
import { queryClient, unwrap, workspaceApi } from '../../../api'
import { type Language, languageOf, languages } from '../../../i18n'
import { CopyText } from '../../../ui/copy/CopyText'
import { Dialog } from '../../../ui/dialog/Dialog'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { AccessiblePasswordInput } from '../../../ui/fields/AccessiblePasswordInput'
import { useFormat } from '../../../ui/text/format'
import { useWorkspace } from '../../workspaces/queries'
import { reloadReviews } from '../review/queries'
import { LinkPassword } from './LinkPassword'
import { type PostScope, PostScopeFields } from './PostScopeFields'
import { SharedLinkRow } from './SharedLinkRow'

const linksQuery = (workspace: string) => ({
  queryKey: ['client-links', workspace],
  queryFn: () =>
    unwrap(workspaceApi(workspace).GET('/api/v1/client-links', { params: { query: { limit: 100 } } })).then(
      ({ data }) => data.filter(({ state }) => state === 'valid'),
    ),
})

/** Links that are valid, and the form for a new one. */
export function ClientLinksDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const format = useFormat(timezone)
  const days = useFormat('UTC')
  const lastOpened = (at: string) =>
    format.date(at) === format.date(new Date())
      ? t('client_links.today', { time: format.time(at) })
      : format.dateTime(at)
  const links = useQuery({ ...linksQuery(slug), enabled: opened })
  const reload = () => {
    void queryClient.invalidateQueries({ queryKey: linksQuery(slug).queryKey })
    void reloadReviews(slug)
  }
  const revoke = useMutation({
    mutationFn: (id: string) =>
      unwrap(workspaceApi(slug).POST('/api/v1/client-links/{id}/revoke', { params: { path: { id } } })),
    onSuccess: reload,
  })
  return (
    <Dialog opened={opened} onClose={onClose} title={t('client_links.title')}>
      <Stack gap="md">
        <Text c="dimmed" fz="sm">
          {t('client_links.about')}
        </Text>
        {links.error && <ProblemAlert error={links.error} onRetry={() => links.refetch()} />}
        {revoke.error && <ProblemAlert error={revoke.error} />}
        {links.isPending && <LoadingSkeleton lines={2} height={56} />}
        {links.data?.length === 0 && <Text>{t('client_links.none')}</Text>}
        {links.data && links.data.length > 0 && (
          <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('client_links.title')}>
            {links.data.map(
              ({
                id,
                name,
                starts_on,
                ends_on,
                expires_at,
                opened_at,
                opened_count,
                client_email,
                mails_stopped_at,
                has_password,
              }) => (
                <SharedLinkRow
                  key={id}
                  name={name}
                  details={[
                    t('client_links.posts', { days: [starts_on, ends_on].map(days.date).join(' – ') }),
                    [
                      t('client_links.expires', { date: format.date(expires_at) }),
                      ...(has_password ? [t('client_links.has_password')] : []),
                    ].join(' · '),
                    opened_at
                      ? t('client_links.opened', { count: opened_count, time: lastOpened(opened_at) })
                      : t('client_links.never_opened'),
                    ...(client_email === null
                      ? []
                      : [
                          t(mails_stopped_at ? 'client_links.mails_stopped' : 'client_links.mails', {
                            email: client_email,
                          }),
                        ]),
                  ]}
                  end={t('client_links.revoke')}
                  endLabel={t('client_links.revoke_of', { name })}
                  isEnding={revoke.isPending && revoke.variables === id}
                  onEnd={() => revoke.mutate(id)}
                >
                  <LinkPassword id={id} name={name} hasPassword={has_password} onChanged={reload} />
                </SharedLinkRow>
              ),
            )}
          </Stack>
        )}
        <Divider />
        <Title order={3} size="h4">
          {t('client_links.new')}
        </Title>
        <NewLink onCreated={reload} />
      </Stack>
    </Dialog>
  )
}

const DEFAULT_DAYS = 30
const MAX_DAYS = 180

/** Days until a week after a date, for a link that shows posts until then. */
const daysUntilAfter = (date: string) =>
  Math.min(Math.max(DEFAULT_DAYS, Math.ceil((Date.parse(date) - Date.now()) / DAY) + 7 || 0), MAX_DAYS)

function NewLink({ onCreated }: { onCreated: () => void }) {
  const { t, i18n } = useTranslation()
  const { slug } = useWorkspace()
  const [name, setName] = useState('')
  const [starts_on, setStart] = useState('')
  const [ends_on, setEnd] = useState('')
  const [scope, setScope] = useState<PostScope>({ account_ids: [], labels: [] })
  const [days, setDays] = useState<number | string>(DEFAULT_DAYS)
  const [may_decide, setMayDecide] = useState(true)
  const [password, setPassword] = useState('')
  const [client_email, setEmail] = useState('')
  const [locale, setLocale] = useState<Language>(languageOf(i18n.language))
  const create = useMutation({
    mutationFn: () => {
      const mails = may_decide && client_email.trim() ? { client_email: client_email.trim(), locale } : {}
      const body = {
        name,
        starts_on,
        ends_on,
        ...scope,
        may_decide,
        expires_in_days: Number(days),
        ...mails,
        password: password || null,
      }
      return unwrap(workspaceApi(slug).POST('/api/v1/client-links', { body }))
    },
    onSuccess: onCreated,
  })
  if (create.data?.url)
    return (
      <Alert color="green" title={t('client_links.once')}>
        <CopyText text={create.data.url} />
      </Alert>
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate()
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={t('client_links.name')}
          description={t('client_links.name_about')}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          maxLength={80}
          required
        />
        <Group grow>
          <TextInput
            type="date"
            label={t('client_links.from')}
            value={starts_on}
            onChange={({ currentTarget }) => setStart(currentTarget.value)}
            required
          />
          <TextInput
            type="date"
            label={t('client_links.to')}
            value={ends_on}
            onChange={({ currentTarget }) => {
              setEnd(currentTarget.value)
              setDays(daysUntilAfter(currentTarget.value))
            }}
            required
          />
        </Group>
        <PostScopeFields
          scope={scope}
          onChange={setScope}
          texts={{
            accounts: t('client_links.accounts'),
            accountsAbout: t('client_links.accounts_about'),
            labels: t('client_links.labels'),
          }}
        />
        <NumberInput label={t('client_links.days')} value={days} onChange={setDays} min={1} max={MAX_DAYS} required />
        <Switch
          label={t('client_links.may_decide')}
          checked={may_decide}
          onChange={({ currentTarget }) => setMayDecide(currentTarget.checked)}
        />
        <AccessiblePasswordInput
          label={t('client_links.password')}
          description={t('client_links.password_about')}
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          autoComplete="new-password"
          minLength={8}
          maxLength={200}
        />
        {may_decide && (
          <TextInput
            type="email"
            label={t('client_links.email')}
            description={t('client_links.email_about')}
            value={client_email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            maxLength={254}
          />
        )}
        {may_decide && client_email !== '' && (
          <NativeSelect
            label={t('client_links.locale')}
            value={locale}
            onChange={({ currentTarget }) => setLocale(languageOf(currentTarget.value))}
            data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
          />
        )}
        {create.error && <ProblemAlert error={create.error} />}
        <Group>
          <Button type="submit" loading={create.isPending}>
            {t('client_links.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
