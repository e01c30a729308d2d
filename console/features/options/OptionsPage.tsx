import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { PlugZap, Send, Sparkles, TriangleAlert } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { UnsavedChangesGuard } from '../../ui/forms/UnsavedChangesGuard'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { useFormat } from '../../ui/text/format'
import { groups, missingOptions, optionName, optionValueText } from './labels'
import { OptionRow } from './OptionRow'
import classes from './options.module.css'
import { type Option, optionsQuery } from './queries'
import { TestAiDialog, TestBillingDialog, TestMailDialog } from './TestDialogs'

/** The options of this installation. Each is saved separately and applies at once. */
export function OptionsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.options'))
  const options = useQuery(optionsQuery)
  const drafts = useRef(new Set<string>())
  const onDraft = useCallback((key: string, is: boolean) => {
    if (is) drafts.current.add(key)
    else drafts.current.delete(key)
  }, [])
  return (
    <>
      <PageHeader title={t('pages.options')} about={t('admin.options.about_all')} />
      {options.error && <ProblemAlert error={options.error} onRetry={() => options.refetch()} />}
      {options.isPending && <LoadingSkeleton lines={4} height={160} />}
      {options.data && (
        <Stack gap="lg">
          {groups.map((group) => (
            <OptionGroup key={group} group={group} options={options.data} onDraft={onDraft} />
          ))}
        </Stack>
      )}
      <UnsavedChangesGuard when={() => drafts.current.size > 0} />
    </>
  )
}

function OptionGroup({
  group,
  options,
  onDraft,
}: {
  group: Option['group']
  options: Option[]
  onDraft: (key: string, is: boolean) => void
}) {
  const { t } = useTranslation()
  const [testing, setTesting] = useState(false)
  const own = options.filter((option) => option.group === group)
  if (own.length === 0) return null
  const id = `group-${group}`
  const close = () => setTesting(false)
  return (
    <Card component="section" aria-labelledby={id}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="md">
        <div>
          <Title order={2} size="h3" id={id}>
            {t(`admin.options.group.${group}`)}
          </Title>
          <Text c="dimmed" fz="sm" mt={2}>
            {t(`admin.options.group_about.${group}`)}
          </Text>
        </div>
        {group === 'mail' && (
          <Button variant="default" leftSection={<Send size={16} />} onClick={() => setTesting(true)}>
            {t('admin.options.test_mail')}
          </Button>
        )}
        {group === 'billing' && (
          <Button variant="default" leftSection={<PlugZap size={16} />} onClick={() => setTesting(true)}>
            {t('admin.options.test_billing')}
          </Button>
        )}
        {group === 'ai' && (
          <Button variant="default" leftSection={<Sparkles size={16} />} onClick={() => setTesting(true)}>
            {t('admin.options.test_ai')}
          </Button>
        )}
      </Group>
      {group === 'billing' && <MissingOptions options={options} />}
      <ul className={classes.list}>
        {own.map((option) => (
          <OptionRow key={option.key} option={option} options={options} onDraft={onDraft} />
        ))}
      </ul>
      {group === 'mail' && <TestMailDialog opened={testing} onClose={close} />}
      {group === 'billing' && <TestBillingDialog opened={testing} onClose={close} />}
      {group === 'ai' && <TestAiDialog opened={testing} onClose={close} />}
    </Card>
  )
}

function MissingOptions({ options }: { options: Option[] }) {
  const { t } = useTranslation()
  const { chosen, missing } = missingOptions(options)
  const format = useFormat()
  if (!chosen || missing.length === 0) return null
  const names = format.list(missing.map((option) => optionName(t, option)))
  return (
    <Alert color="yellow" icon={<TriangleAlert size={20} />} mb="md">
      {t('admin.options.missing_settings', { provider: optionValueText(t, chosen, chosen.value), names })}
    </Alert>
  )
}
