import { Alert, Card, Checkbox, Group, Stack, TagsInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ClipboardCheck, Send } from 'lucide-react'
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
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
import { PostPreview } from '../previews/PostPreview'
import { useAsksForApproval } from '../review/queries'
import type { PostDraftMachine, PostDraftState, PostFields } from './draft/post-draft'
import { AccountChip } from './fields/AccountChip'
import { AccountTabs, EVERY_ACCOUNT, tabOf } from './fields/AccountTabs'
import { GroupButtons } from './fields/GroupButtons'
import { PostDuplicates } from './fields/PostDuplicates'
import { PostPrice } from './fields/PostPrice'
import { type PostDestination, type PostDraft, textsFor } from './form-values'
import { SubmitBar } from './SubmitBar'
import type { TemplateParts } from './snippets/snippet-place'
import { usePlannedTime } from './usePlannedTime'
import { usePostProblems } from './usePostProblems'
import { useSignatures } from './useSignatures'
import { useValidation } from './useValidation'

type Props = {
  draft: PostDraftMachine
  state: PostDraftState
  accounts: PostDestination[]
  networks: Network[]
  /** Shows the conflict that the user has to decide first. */
  onConflict: () => void
  /** Leaves the form after saving. */
  onSaved: (post: Post, another: boolean) => void
  /** Leaves without saving; only for existing posts. */
  cancel?: ReactNode
  /** Whether saving changes a scheduled post. */
  isChange?: boolean
  /** The draft as stored, with its warnings. */
  stored: { warnings: Post['warnings']; values: PostDraft } | undefined
  /** The refusal to show. */
  error: unknown
}

/** One object, so that previews do not count it as a change. */
const NO_OPTIONS = {}

export function PostForm({ draft, state, accounts, networks, cancel, isChange = false, error, ...props }: Props) {
  const { t } = useTranslation()
  const { values } = state
  const { edit, signatures } = useSignatures(draft, accounts, networks)
  const { beginUpload } = draft
  const fields = { values, edit, beginUpload }
  const chosen = accounts
    .filter(({ id }) => values.accounts.includes(id))
    .map((account) => ({ ...account, options: values.options[account.id] ?? NO_OPTIONS }))
  // A change of the content of an approved post needs an approval again. A rejected one always does.
  const review = state.post?.review
  const needsApproval = useAsksForApproval(values.accounts) || review === 'rejected'
  const element = useRef<HTMLFormElement>(null)
  const { submit, submitAndContinue } = useSubmit({ draft, element, ...props })
  const writingHere = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (!cancel) writingHere.current?.focus({ preventScroll: true })
  }, [cancel])
  useShortcut('mod+Enter', t('compose.submit_key'), () => element.current?.requestSubmit())
  useShortcut('mod+alt+Enter', t('compose.another_key'), cancel ? undefined : submitAndContinue)
  useShortcut('mod+shift+Enter', t('compose.queue_key'), () => {
    edit({ when: 'queue' })
    element.current?.requestSubmit()
  })
  const { stored } = props
  const problems = usePostProblems({ error, sent: state.refusal?.values, values, chosen, networks, stored })
  const validation = useValidation(
    values,
    chosen.map(({ id }) => id),
    state.post?.id,
  )
  const { tab, setTab } = useTabOfRefusal(error, problems.byPath, element)
  const plannedAt = usePlannedTime(values)
  const applyTemplate = ({ account_ids, labels, first_comment }: TemplateParts) => {
    const usable = account_ids.filter((id) => accounts.some((one) => one.id === id && one.status === 'connected'))
    edit({
      ...(usable.length > 0 && { accounts: usable }),
      labels: [...new Set([...values.labels, ...labels])],
      ...(first_comment && values.first_comment.trim() === '' && { first_comment }),
    })
  }

  if (accounts.length === 0) return <NoAccounts />
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <div className={classes.compose}>
        <Stack gap="lg">
          {Boolean(error) && problems.elsewhere && <ProblemAlert error={error} />}
          <AccountsField form={fields} accounts={accounts} error={problems.byPath.get('accounts')} />

          <AccountTabs
            form={fields}
            chosen={chosen}
            networks={networks}
            post={{
              plannedAt,
              onTemplate: applyTemplate,
              parts: {
                account_ids: values.accounts,
                labels: values.labels,
                first_comment: values.first_comment || null,
              },
            }}
            signatures={signatures}
            problems={problems.byPath}
            tab={tab}
            onTab={setTab}
            textRef={writingHere}
          />
          <PostDuplicates duplicates={validation?.duplicates ?? []} chosen={chosen} />

          <TagsInput
            label={t('compose.labels')}
            description={t('compose.labels_about')}
            maxTags={20}
            maxLength={40}
            size="md"
            value={values.labels}
            onChange={(labels) => edit({ labels })}
            error={problems.byPath.get('labels')}
          />

          <PostPrice targets={validation?.targets ?? []} chosen={chosen} networks={networks} />
          {review === 'approved' && (
            <Alert color="yellow" icon={<ClipboardCheck size={20} />}>
              {t('review.loses_approval')}
            </Alert>
          )}
          <SubmitBar
            draft={draft}
            state={state}
            chosen={chosen}
            timeError={problems.byPath.get('wall')}
            asksForApproval={needsApproval && values.when !== 'draft'}
            isChange={isChange}
            cancel={cancel}
            onSubmitAnother={submitAndContinue}
          />
        </Stack>
        <div className={classes.side}>
          <PostPreview
            accounts={chosen.map((account) => ({ account, texts: textsFor(values, account.id) }))}
            networks={networks}
          />
        </div>
      </div>
      <UnsavedChangesGuard when={draft.isUnsaved} save={draft.saveBeforeLeaving} />
    </form>
  )
}

type Form = RefObject<HTMLFormElement | null>

/** Submits the post, once or to begin another one after it. Shows what keeps it from being submitted. */
function useSubmit({
  draft,
  element,
  onConflict,
  onSaved,
}: Pick<Props, 'draft' | 'onConflict' | 'onSaved'> & { element: Form }) {
  const { t } = useTranslation()
  const wantsAnother = useRef(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const another = wantsAnother.current
    wantsAnother.current = false
    const blockedBy = draft.blockedBy()
    if (blockedBy === 'conflict') onConflict()
    if (blockedBy === 'uploads') {
      focusAndShow(element.current?.querySelector('[aria-busy="true"]'))
      notifications.show({ message: t('compose.uploading') })
    }
    const post = await draft.submit()
    // The user may have left the page since.
    if (post && element.current) onSaved(post, another)
  }
  const submitAndContinue = () => {
    wantsAnother.current = true
    element.current?.requestSubmit()
  }
  return { submit, submitAndContinue }
}

/** The tab that is shown: after a refusal, the first one with a problem, whose field gets the focus. */
function useTabOfRefusal(error: unknown, problems: Map<string, unknown>, element: Form) {
  const [tab, setTab] = useState(EVERY_ACCOUNT)
  /** The refusal whose tab is shown. */
  const [refusal, setRefusal] = useState<unknown>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal
  useEffect(() => {
    const tabs = [...problems.keys()].map(tabOf)
    if (tabs[0] && !tabs.includes(EVERY_ACCOUNT)) setTab(tabs[0])
    setRefusal(error)
  }, [error])
  useEffect(() => {
    // Marked by the fields, and in the order in which they are shown.
    if (refusal)
      focusAndShow(element.current?.querySelector('[aria-invalid="true"], [data-invalid] input, [role="alert"]'))
  }, [refusal, element])
  return { tab, setTab }
}

type AccountsFieldProps = { form: PostFields; accounts: PostDestination[]; error: string | undefined }

function AccountsField({ form: { values, edit }, accounts, error }: AccountsFieldProps) {
  const { t } = useTranslation()
  return (
    <Checkbox.Group
      label={t('compose.accounts')}
      value={values.accounts}
      onChange={(ids) => edit({ accounts: ids })}
      error={error}
      data-invalid={error ? true : undefined}
    >
      <Stack gap="xs" mt={6}>
        <GroupButtons accounts={accounts} chosen={values.accounts} onChange={(ids) => edit({ accounts: ids })} />
        <Group gap="xs">
          {accounts.map((account) => (
            <AccountChip key={account.id} account={account} checked={values.accounts.includes(account.id)} />
          ))}
        </Group>
      </Stack>
    </Checkbox.Group>
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
