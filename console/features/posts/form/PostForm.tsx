import { Alert, Button, Card, Checkbox, Group, Stack, TagsInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { CalendarClock, ClipboardCheck, FileText, ListOrdered, Send } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Network, Post } from '../../../api'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { focusAndShow } from '../../../ui/focus/focus'
import { useShortcut } from '../../../ui/focus/shortcuts'
import { UnsavedChangesGuard } from '../../../ui/forms/UnsavedChangesGuard'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { useEasiestNetwork } from '../../networks/queries'
import { useWorkspace } from '../../workspaces/queries'
import classes from '../posts.module.css'
import { useAsksForApproval } from '../review/queries'
import { AccountChip } from './fields/AccountChip'
import { AccountTabs, EVERY_ACCOUNT, tabOf } from './fields/AccountTabs'
import { ChosenTime } from './fields/ChosenTime'
import { PostPrice } from './fields/PostPrice'
import { PublishTimeFields } from './fields/PublishTimeFields'
import { type PostDestination, type PostDraft, textsFor } from './form-values'
import { PostPreview } from './PostPreview'
import { usePostProblems } from './usePostProblems'

const icons = { now: Send, queue: ListOrdered, later: CalendarClock, draft: FileText }

type Props = {
  form: UseFormReturnType<PostDraft>
  accounts: PostDestination[]
  networks: Network[]
  onSubmit: (draft: PostDraft) => Promise<Post>
  /** Whether the user has to decide something first; it then takes the focus. */
  mustDecide?: () => boolean
  isUnsaved: () => boolean
  /** Returns whether nothing is left unsaved. */
  saveBeforeLeaving: () => Promise<boolean>
  /** Leaves the form after saving. */
  onSaved: (post: Post, another: boolean) => void
  /** Leaves without saving; only for existing posts. */
  cancel?: ReactNode
  /** Whether saving changes a scheduled post. */
  isChange?: boolean
  /** A change of the content of an approved post needs an approval again. A rejected one always does. */
  review: Post['review'] | undefined
  /** Shown beside the buttons: whether the draft is saved. */
  status: ReactNode
  /** The draft as stored, with its warnings. */
  stored: { warnings: Post['warnings']; draft: PostDraft } | undefined
  error: unknown
  pending: boolean
}

/** Writes a new post or changes one. */
export function PostForm({ form, accounts, networks, cancel, isChange = false, error, pending, ...props }: Props) {
  const { t } = useTranslation()
  const { when } = form.values
  const chosen = accounts
    .filter(({ id }) => form.values.accounts.includes(id))
    .map((account) => ({ ...account, options: form.values.options[account.id] ?? {} }))
  const needsApproval = useAsksForApproval(form.values.accounts) || props.review === 'rejected'
  const asks = needsApproval && when !== 'draft'
  const saved = useRef(false)
  const isSending = useRef(false)

  const wantsAnother = useRef(false)
  const sent = useRef<PostDraft>(undefined)
  const submit = form.onSubmit((values) => {
    const another = wantsAnother.current
    wantsAnother.current = false
    // Keys repeat: does not submit twice.
    if (isSending.current || saved.current || props.mustDecide?.()) return
    const uploading = element.current?.querySelector('[data-uploading]')
    if (uploading) {
      focusAndShow(uploading)
      notifications.show({ message: t('compose.uploading') })
      return
    }
    isSending.current = true
    sent.current = values
    props
      .onSubmit(values)
      .then((post) => {
        saved.current = true
        // The user may have left the page since.
        if (element.current) props.onSaved(post, another)
      })
      .catch(() => undefined)
      .finally(() => {
        isSending.current = false
      })
  })
  const element = useRef<HTMLFormElement>(null)
  const writingHere = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (!cancel) writingHere.current?.focus({ preventScroll: true })
  }, [cancel])
  useShortcut('mod+Enter', t('compose.submit_key'), () => element.current?.requestSubmit())
  const submitAndContinue = () => {
    wantsAnother.current = true
    element.current?.requestSubmit()
  }
  useShortcut('mod+alt+Enter', t('compose.another_key'), cancel ? undefined : submitAndContinue)
  useShortcut('mod+shift+Enter', t('compose.queue_key'), () => {
    form.setFieldValue('when', 'queue')
    element.current?.requestSubmit()
  })
  const { warnings = [], draft } = props.stored ?? {}
  const problems = usePostProblems({ error, sent: sent.current, form, chosen, networks, warnings, stored: draft })
  const [tab, setTab] = useState(EVERY_ACCOUNT)
  /** The refusal whose tab is shown. */
  const [refusal, setRefusal] = useState<unknown>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal
  useEffect(() => {
    const tabs = [...problems.byPath.keys()].map(tabOf)
    if (tabs[0] && !tabs.includes(EVERY_ACCOUNT)) setTab(tabs[0])
    setRefusal(error)
  }, [error])
  useEffect(() => {
    // Marked by the fields, and in the order in which they are shown.
    if (refusal)
      focusAndShow(element.current?.querySelector('[aria-invalid="true"], [data-invalid] input, [role="alert"]'))
  }, [refusal])

  const accountsProblem = problems.byPath.get('accounts')
  const SubmitIcon = asks ? ClipboardCheck : icons[when]
  if (accounts.length === 0) return <NoAccounts />
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <div className={classes.compose}>
        <Stack gap="lg">
          {Boolean(error) && problems.elsewhere && <ProblemAlert error={error} />}
          <Checkbox.Group
            label={t('compose.accounts')}
            {...form.getInputProps('accounts')}
            error={accountsProblem}
            data-invalid={accountsProblem ? true : undefined}
          >
            <Group gap="xs" mt={6}>
              {accounts.map((account) => (
                <AccountChip key={account.id} account={account} checked={form.values.accounts.includes(account.id)} />
              ))}
            </Group>
          </Checkbox.Group>

          <AccountTabs
            form={form}
            chosen={chosen}
            networks={networks}
            problems={problems.byPath}
            tab={tab}
            onTab={setTab}
            textRef={writingHere}
          />

          <TagsInput
            label={t('compose.labels')}
            description={t('compose.labels_about')}
            maxTags={20}
            maxLength={40}
            size="md"
            {...form.getInputProps('labels')}
            error={problems.byPath.get('labels')}
          />

          <PostPrice draft={form.values} chosen={chosen} networks={networks} />
          {props.review === 'approved' && (
            <Alert color="yellow" icon={<ClipboardCheck size={20} />}>
              {t('review.loses_approval')}
            </Alert>
          )}
          <div className={classes.bar}>
            <PublishTimeFields form={form} chosen={chosen} error={problems.byPath.get('wall')} />
            <div className={classes.actions}>
              {props.status}
              <ChosenTime
                draft={form.values}
                onClick={() =>
                  focusAndShow(element.current?.querySelector('[data-publish-time] :is(button, input:checked)'))
                }
              />
              {cancel ?? (
                <Button
                  size="md"
                  variant="default"
                  disabled={pending}
                  aria-label={t(`compose.another_${when}`)}
                  onClick={submitAndContinue}
                >
                  <span className={classes.long}>{t(`compose.another_${when}`)}</span>
                  <span className={classes.short}>{t('compose.another_short')}</span>
                </Button>
              )}
              <Button type="submit" size="md" leftSection={<SubmitIcon size={18} />} loading={pending}>
                {t(
                  asks
                    ? 'compose.submit_approval'
                    : isChange && when === 'later'
                      ? 'compose.submit_change'
                      : `compose.submit_${when}`,
                )}
              </Button>
            </div>
          </div>
        </Stack>
        <div className={classes.side}>
          <PostPreview
            accounts={chosen.map((account) => ({ account, texts: textsFor(form.values, account.id) }))}
            networks={networks}
          />
        </div>
      </div>
      <UnsavedChangesGuard when={() => props.isUnsaved() && !saved.current} save={props.saveBeforeLeaving} />
    </form>
  )
}

function NoAccounts() {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const network = useEasiestNetwork()
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
        {t('compose.no_accounts_detail', { network })}
      </EmptyState>
    </Card>
  )
}
