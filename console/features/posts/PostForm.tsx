import {
  Anchor,
  Button,
  Card,
  Checkbox,
  Group,
  SegmentedControl,
  Stack,
  TagsInput,
  Text,
  Textarea,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { useHotkeys } from '@mantine/hooks'
import { CalendarClock, FileText, Send } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Network, Post } from '../../api'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { fieldProblems } from '../../ui/feedback/problem'
import { DateTimeField } from '../../ui/fields/DateTimeField'
import { UnsavedChangesGuard } from '../../ui/forms/UnsavedChangesGuard'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { useFormat } from '../../ui/text/format'
import { browserZone, fromWall, today, toWall } from '../../ui/text/time-zone'
import { useEasiestNetwork } from '../networks/queries'
import { useWorkspace } from '../workspaces/queries'
import { AccountChip } from './AccountChip'
import { CharacterCounters } from './CharacterCounters'
import type { PostDestination, PostDraft, PublishMode } from './form-values'
import { PostPreview } from './PostPreview'
import classes from './posts.module.css'
import { nextHour } from './queries'

const icons = { now: Send, later: CalendarClock, draft: FileText }

export function PostForm({
  initial,
  accounts,
  networks,
  onSubmit,
  onSaved,
  cancel,
  isChange = false,
  error,
  pending,
}: {
  initial: PostDraft
  accounts: PostDestination[]
  networks: Network[]
  onSubmit: (draft: PostDraft) => Promise<Post>
  /** Leaves the form after saving. */
  onSaved: (post: Post) => void
  /** Leaves without saving; only for existing posts. */
  cancel?: ReactNode
  /** Whether saving changes a scheduled post. */
  isChange?: boolean
  error: unknown
  pending: boolean
}) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const easiestNetwork = useEasiestNetwork()
  const format = useFormat(browserZone())
  const clock = useFormat('UTC')
  const form = useForm<PostDraft>({ initialValues: initial })
  const { content, own, when, wall } = form.values
  const chosen = accounts.filter(({ id }) => form.values.accounts.includes(id))
  const saved = useRef(false)
  const isSending = useRef(false)
  const shared = chosen.filter(({ id }) => own[id] === undefined)
  const limitOf = ({ network }: PostDestination) => networks.find(({ id }) => id === network)?.capabilities.max_length

  const sent = useRef<PostDraft>(undefined)
  const submit = form.onSubmit((values) => {
    // Keys repeat: does not submit twice.
    if (isSending.current || saved.current) return
    isSending.current = true
    sent.current = values
    onSubmit(values)
      .then((post) => {
        saved.current = true
        // The user may have left the page since.
        if (element.current) onSaved(post)
      })
      .catch(() => undefined)
      .finally(() => {
        isSending.current = false
      })
  })
  const element = useRef<HTMLFormElement>(null)
  /** Discarded texts for single accounts, restored if the user changes their mind. */
  const kept = useRef<Record<string, string>>({})
  const writingHere = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (!cancel) writingHere.current?.focus({ preventScroll: true })
  }, [cancel])
  useHotkeys([['mod+Enter', () => element.current?.requestSubmit()]], [])
  const problems = currentProblems(fieldProblems(t, error), sent.current, form.values)

  /** At a clock change, the chosen time may not exist. */
  const shownThen = wall && toWall(workspace.timezone, fromWall(workspace.timezone, wall))
  const skipped = shownThen !== wall && shownThen
  const SubmitIcon = icons[when]
  if (accounts.length === 0)
    return (
      <Card padding={0}>
        <EmptyState
          icon={<Send size={26} />}
          title={t('compose.no_accounts')}
          action={
            <ButtonLink to="/w/$workspace/accounts" params={{ workspace: workspace.slug }}>
              {t('checklist.connected_go')}
            </ButtonLink>
          }
        >
          {t('compose.no_accounts_detail', { network: easiestNetwork })}
        </EmptyState>
      </Card>
    )

  return (
    <form ref={element} onSubmit={submit} noValidate>
      <div className={classes.compose}>
        <Stack gap="lg">
          {Boolean(error) && problems.elsewhere && <ProblemAlert error={error} />}
          <Checkbox.Group label={t('compose.accounts')} {...form.getInputProps('accounts')} error={problems.accounts}>
            <Group gap="xs" mt={6}>
              {accounts.map((account) => (
                <AccountChip key={account.id} account={account} checked={form.values.accounts.includes(account.id)} />
              ))}
            </Group>
          </Checkbox.Group>

          {(shared.length > 0 || chosen.length === 0) && (
            <div>
              <Textarea
                label={t('compose.text')}
                placeholder={t('compose.placeholder')}
                autosize
                minRows={6}
                maxRows={18}
                maxLength={65_536}
                ref={writingHere}
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
                      form.setFieldValue('own', others)
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
                  onClick={() => form.setFieldValue('own', { ...own, [id]: kept.current[id] ?? content })}
                >
                  {name}
                </Anchor>
              ))}
            </Group>
          )}

          <TagsInput
            label={t('compose.labels')}
            description={t('compose.labels_about')}
            maxTags={20}
            maxLength={40}
            size="md"
            {...form.getInputProps('labels')}
            error={problems.labels}
          />

          <Card component="fieldset" m={0} style={{ minInlineSize: 0 }}>
            <Text component="legend" fw={600} px={0} style={{ float: 'left', width: '100%' }} mb="xs">
              {t('compose.when')}
            </Text>
            <SegmentedControl
              fullWidth
              aria-label={t('compose.when')}
              data={(['now', 'later', 'draft'] as const).map((value) => ({ value, label: t(`compose.${value}`) }))}
              value={when}
              onChange={(value) =>
                form.setValues({
                  when: value as PublishMode,
                  wall: wall ?? nextHour(workspace.timezone),
                })
              }
            />
            {when === 'later' && (
              <>
                <DateTimeField
                  mt="md"
                  label={t('date_time.label', { zone: workspace.timezone })}
                  // By day: a bound within the day would silently change the chosen time.
                  minDate={`${today(workspace.timezone)} 00:00:00`}
                  {...form.getInputProps('wall')}
                  error={problems.time}
                />
                {wall && skipped && (
                  <Text fz="sm" c="var(--mantine-color-error)" mt={6}>
                    {t('compose.skipped', { time: clock.full(fromWall('UTC', skipped)) })}
                  </Text>
                )}
                {wall && browserZone() !== workspace.timezone && (
                  <Text fz="sm" c="dimmed" mt={6}>
                    {t('compose.your_time', { time: format.full(fromWall(workspace.timezone, wall)) })}
                  </Text>
                )}
              </>
            )}
            <Text fz="sm" c="dimmed" mt="sm">
              {t(`compose.${when}_about`)}
            </Text>
          </Card>
          <div className={classes.actions}>
            {cancel}
            <Button type="submit" size="md" leftSection={<SubmitIcon size={18} />} loading={pending}>
              {t(isChange && when === 'later' ? 'compose.submit_change' : `compose.submit_${when}`)}
            </Button>
          </div>
        </Stack>
        <div className={classes.side}>
          <PostPreview
            accounts={chosen.map((account) => ({
              account,
              text: own[account.id] ?? content,
              limit: limitOf(account),
            }))}
          />
        </div>
      </div>
      <UnsavedChangesGuard when={() => form.isDirty() && !saved.current} />
    </form>
  )
}

/**
 * The errors by the field that shows them, until that field changes. `elsewhere`: there is an error that no field
 * shows.
 */
function currentProblems(refused: Record<string, string>, sent: PostDraft | undefined, now: PostDraft) {
  const rest = new Map(Object.entries(refused))
  const take = (pointer: string, isSame: boolean) => {
    const message = rest.get(pointer)
    rest.delete(pointer)
    return isSame ? message : undefined
  }
  const own: Record<string, string | undefined> = {}
  const accounts: (string | undefined)[] = [take('targets', sent?.accounts === now.accounts)]
  for (const [index, id] of (sent?.accounts ?? []).entries()) {
    own[id] = take(`targets/${index}/content`, sent?.own[id] === now.own[id])
    for (const pointer of [`targets/${index}`, `targets/${index}/account_id`])
      accounts.push(take(pointer, sent?.accounts === now.accounts))
  }
  return {
    own,
    accounts: accounts.filter(Boolean).join(' ') || undefined,
    content: take('content', sent?.content === now.content),
    labels: take('labels', sent?.labels === now.labels),
    time: take('scheduled_at', sent?.wall === now.wall),
    elsewhere: rest.size > 0 || Object.keys(refused).length === 0,
  }
}
