import { Button, Group, Select, Stack, Switch, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrap, workspaceApi } from '../../../api'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { FormSection } from '../../../ui/forms/FormSection'
import { accountsQuery } from '../../accounts/queries'
import { useWorkspace } from '../../workspaces/queries'
import { PolicySteps } from './PolicySteps'
import { type AccountPolicy, type ApprovalPolicies, approvalPoliciesQuery, reloadReviews } from './queries'

type Mode = AccountPolicy['mode']
type When = ApprovalPolicies['when_unapproved']

/** Edits the policy of the workspace, and those of single accounts. */
export function ApprovalSettings() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const policies = useQuery(approvalPoliciesQuery(slug))
  const accounts = useQuery(accountsQuery(slug))
  const [account, setAccount] = useState<string | null>(null)
  if (policies.error) return <ProblemAlert error={policies.error} onRetry={() => policies.refetch()} />
  if (!policies.data) return <LoadingSkeleton lines={2} height={120} />
  const own = policies.data.accounts.find(({ account_id }) => account_id === account)
  return (
    <FormSection title={t('approval.title')} about={t('approval.about')}>
      <PolicyForm key={slug} policy={policies.data} whenUnapproved={policies.data.when_unapproved} />
      <Select
        label={t('approval.of_account')}
        description={t('approval.of_account_about')}
        placeholder={t('approval.choose_account')}
        clearable
        data={accounts.data?.map(({ id, name, handle }) => ({ value: id, label: `${name} (${handle})` })) ?? []}
        value={account}
        onChange={setAccount}
      />
      {account && (
        <PolicyForm key={account} account={account} policy={own ?? { mode: 'inherit', own_posts: false, steps: [] }} />
      )}
    </FormSection>
  )
}

type Props = {
  account?: string
  policy: { mode: Mode; own_posts: boolean; steps: ApprovalPolicies['steps'] }
  whenUnapproved?: When
}

function PolicyForm({ account, policy, whenUnapproved }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const [mode, setMode] = useState<Mode>(policy.mode)
  const [ownPosts, setOwnPosts] = useState(policy.own_posts)
  const [steps, setSteps] = useState(policy.mode === 'steps' ? policy.steps : [])
  const [when, setWhen] = useState<When>(whenUnapproved ?? 'wait')
  const save = useMutation({
    mutationFn: () => {
      const api = workspaceApi(slug)
      const body = { own_posts: ownPosts, ...(mode === 'steps' && { steps }) }
      if (account) {
        const params = { path: { id: account } }
        return unwrap(api.PUT('/api/v1/accounts/{id}/approval-policy', { params, body: { mode, ...body } }))
      }
      if (mode === 'inherit') throw new Error('A workspace inherits from nothing')
      const whole = { mode, when_unapproved: when, ...body }
      return unwrap(api.PUT('/api/v1/workspace/approval-policy', { body: whole }))
    },
    onSuccess: (saved) => {
      queryClient.setQueryData(approvalPoliciesQuery(slug).queryKey, saved)
      notifications.show({ message: t('approval.saved') })
      void reloadReviews(slug)
    },
  })
  const modes = account ? (['inherit', 'none', 'one', 'steps'] as const) : (['none', 'one', 'steps'] as const)
  const asks = mode === 'one' || mode === 'steps'
  return (
    <Stack gap="sm" component="fieldset" style={{ border: 0, padding: 0, margin: 0 }}>
      <Select
        label={t(account ? 'approval.mode_of_account' : 'approval.mode')}
        allowDeselect={false}
        data={modes.map((value) => ({ value, label: t(`approval.mode_${value}`) }))}
        value={mode}
        onChange={(value) => {
          const chosen = modes.find((one) => one === value)
          if (!chosen) return
          setMode(chosen)
          if (chosen === 'steps' && steps.length === 0)
            setSteps([{ kind: 'members', need: 'any', role: 'editor', user_ids: [] }])
        }}
      />
      {mode === 'steps' && <PolicySteps steps={steps} onChange={setSteps} />}
      {asks && (
        <Switch
          label={t('approval.own_posts')}
          checked={ownPosts}
          onChange={({ currentTarget }) => setOwnPosts(currentTarget.checked)}
        />
      )}
      {whenUnapproved && asks && (
        <Select
          label={t('approval.when_unapproved')}
          allowDeselect={false}
          data={(['wait', 'next_slot', 'expire'] as const).map((value) => ({
            value,
            label: t(`approval.when_${value}`),
          }))}
          value={when}
          onChange={(value) => value && setWhen(value as When)}
        />
      )}
      {asks && (
        <Text fz="sm" c="dimmed">
          {t('approval.scheduled_about')}
        </Text>
      )}
      {save.error && <ProblemAlert error={save.error} />}
      <Group>
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          {t('approval.save')}
        </Button>
      </Group>
    </Stack>
  )
}
