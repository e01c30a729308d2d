import { Badge, Button, Card, Group, Select, Text, UnstyledButton } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Inbox, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/dialog/Dialog'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { NoMatches } from '../../ui/feedback/NoMatches'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { SearchField } from '../../ui/fields/SearchField'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { LoadMore } from '../../ui/navigation/LoadMore'
import { useFormat } from '../../ui/text/format'
import { instanceQuery, useMe } from '../auth/queries'
import { mailName } from './labels'
import { MailDetails, MailStateBadge } from './MailDetails'
import classes from './mail.module.css'
import { type Mail, outboxQuery } from './queries'
import { mailStates, type OutboxSearch, stateOf } from './search-params'

const route = getRouteApi('/signed-in/shell/admin/outbox')

/** The mails that Meydan wrote, as recipients see them. */
export function OutboxPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.outbox'))
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const { search, state, mail: opened } = filters
  const outbox = useInfiniteQuery(outboxQuery({ ...(search && { search }), state }))
  const keepsMail = useQuery(instanceQuery).data?.sends_mail === false
  const filtered = Boolean(search || state)
  const filter = (changed: Partial<OutboxSearch>) =>
    void navigate({ search: { ...filters, ...changed }, replace: true, resetScroll: false })
  const clear = () => void navigate({ search: {}, replace: true, resetScroll: false })
  const show = (mail?: string) => void navigate({ search: { ...filters, mail }, resetScroll: false })
  const mails = outbox.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <>
      <PageHeader title={t('pages.outbox')} about={t(keepsMail ? 'admin.outbox.about_kept' : 'admin.outbox.about')} />
      {(filtered || mails.length > 0) && (
        <Group mb="md" gap="sm" role="search" aria-label={t('admin.outbox.filters')}>
          <SearchField
            label={t('admin.outbox.search')}
            value={search ?? ''}
            maxLength={100}
            onChange={(text) => filter({ search: text })}
          />
          <Select
            aria-label={t('admin.outbox.by_state')}
            placeholder={t('admin.outbox.any_state')}
            clearable
            w={{ base: '100%', xs: 200 }}
            data={mailStates.map((value) => ({ value, label: t(`admin.outbox.state.${value}`) }))}
            value={state ?? null}
            onChange={(name) => filter({ state: stateOf(name) })}
          />
          {filtered && (
            <Button variant="subtle" size="md" leftSection={<X size={16} />} onClick={clear}>
              {t('posts.clear')}
            </Button>
          )}
        </Group>
      )}
      {outbox.error && <ProblemAlert error={outbox.error} onRetry={() => outbox.refetch()} />}
      {outbox.isPending && <LoadingSkeleton />}
      {outbox.data && mails.length === 0 && (
        <Card padding={0}>
          {filtered ? (
            <NoMatches title={t('admin.outbox.none_found')} onClear={clear}>
              {t('admin.outbox.none_found_detail')}
            </NoMatches>
          ) : (
            <EmptyState icon={<Inbox size={26} />} title={t('admin.outbox.none')}>
              {t('admin.outbox.none_detail')}
            </EmptyState>
          )}
        </Card>
      )}
      {mails.length > 0 && (
        <Card padding={0} aria-busy={outbox.isPlaceholderData}>
          <ul className={classes.list} aria-label={t('pages.outbox')}>
            {mails.map((mail) => (
              <MailRow key={mail.id} mail={mail} onOpen={() => show(mail.id)} />
            ))}
          </ul>
        </Card>
      )}
      <LoadMore of={outbox} />
      <Dialog opened={opened !== undefined} onClose={() => show()} size="xl" title={t('admin.outbox.mail')}>
        {opened && <MailDetails key={opened} id={opened} />}
      </Dialog>
    </>
  )
}

function MailRow({ mail, onOpen }: { mail: Mail; onOpen: () => void }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  const { subject, to_address, key, state, attempts, created_at } = mail
  return (
    <li>
      <UnstyledButton className={classes.mail} onClick={onOpen}>
        <div className={classes.subject}>
          <Text fw={600} truncate>
            {subject}
          </Text>
          <Text c="dimmed" fz="sm" truncate>
            {to_address} · {mailName(t, key)}
          </Text>
        </div>
        <Group gap="xs" wrap="nowrap">
          {attempts > 1 && (
            <Badge variant="default" className="tabular">
              {t('admin.outbox.attempts', { count: attempts })}
            </Badge>
          )}
          <MailStateBadge state={state} />
        </Group>
        <Text c="dimmed" fz="sm" component="time" dateTime={created_at} title={format.full(created_at)}>
          {format.ago(created_at)}
        </Text>
      </UnstyledButton>
    </li>
  )
}
