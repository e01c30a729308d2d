import { ActionIcon, Button, Card, Group, MultiSelect, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { membersQuery } from '../../workspaces/members/member-queries'
import { useWorkspace } from '../../workspaces/queries'
import type { ApprovalPolicies } from './queries'

type Step = ApprovalPolicies['steps'][number]

const MAX_STEPS = 5
const roles = ['editor', 'admin', 'owner'] as const

/** Steps of a policy in their order, each with the role or the people who approve. */
export function PolicySteps({ steps, onChange }: { steps: Step[]; onChange: (steps: Step[]) => void }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const members = useQuery(membersQuery(slug)).data ?? []
  const approvers = members.filter((member) => roles.some((role) => role === member.role))
  const set = (index: number, change: Partial<Step>) =>
    onChange(steps.map((step, at) => (at === index ? { ...step, ...change } : step)))
  return (
    <Stack gap="sm">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are their places
        <Card key={index} withBorder padding="sm">
          <Group justify="space-between" mb={4}>
            <Text fw={600}>{t('approval.step', { step: index + 1 })}</Text>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('approval.remove_step', { step: index + 1 })}
              disabled={steps.length === 1}
              onClick={() => onChange(steps.filter((_, at) => at !== index))}
            >
              <X size={16} />
            </ActionIcon>
          </Group>
          <Stack gap="xs">
            {step.kind === 'members' && (
              <Select
                label={t('approval.need')}
                allowDeselect={false}
                data={(['any', 'all'] as const).map((value) => ({ value, label: t(`approval.need_${value}`) }))}
                value={step.need}
                onChange={(value) => set(index, { need: value === 'all' ? 'all' : 'any' })}
              />
            )}
            <Select
              label={t('approval.people')}
              allowDeselect={false}
              data={[
                ...roles.map((role) => ({ value: role as string, label: t(`approval.role_${role}`) })),
                { value: 'people', label: t('approval.role_people') },
                // Only the last step can be that of the client.
                ...(index === steps.length - 1 ? [{ value: 'client', label: t('approval.role_client') }] : []),
              ]}
              value={step.kind === 'client' ? 'client' : (step.role ?? 'people')}
              onChange={(value) =>
                set(index, {
                  kind: value === 'client' ? 'client' : 'members',
                  need: value === 'client' ? 'any' : step.need,
                  role: roles.find((role) => role === value) ?? null,
                  user_ids: [],
                })
              }
            />
            {step.kind === 'members' && step.role === null && (
              <MultiSelect
                label={t('approval.names')}
                searchable
                data={approvers.map(({ id, name }) => ({ value: id, label: name }))}
                value={step.user_ids}
                onChange={(user_ids) => set(index, { user_ids })}
                maxValues={20}
              />
            )}
          </Stack>
        </Card>
      ))}
      {steps.length < MAX_STEPS && steps.at(-1)?.kind !== 'client' && (
        <Group>
          <Button
            variant="default"
            leftSection={<Plus size={16} />}
            onClick={() => onChange([...steps, { kind: 'members', need: 'any', role: 'admin', user_ids: [] }])}
          >
            {t('approval.add_step')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
