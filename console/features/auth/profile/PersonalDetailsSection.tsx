import { Alert, Button, Group, Select, Stack, Switch } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCode, queryClient } from '../../../api'
import { type Language, languageOf, languages, localeFor } from '../../../i18n'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { UnsavedChangesGuard } from '../../../ui/forms/UnsavedChangesGuard'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { ZoneField } from '../../workspaces/fields'
import { NameField } from '../fields'
import { changeMe, meQuery, readMe, type Self, useMe } from '../queries'
import classes from './Profile.module.css'
import { ProfileSection } from './ProfileSection'

const valuesOf = ({ name, locale, timezone, mail_post_failures }: Self) => ({
  name,
  language: languageOf(locale),
  timezone,
  mail_post_failures,
})

/** Name, language and time zone. Saves only if the profile is still the version shown. */
export function PersonalDetailsSection() {
  const { t } = useTranslation()
  const me = useMe()
  /** The version the form started with. */
  const [shown, setShown] = useState(me)
  const [conflict, setConflict] = useState(false)
  const form = useForm({ initialValues: valuesOf(me) })
  const show = (now: Self) => {
    setShown(now)
    form.setInitialValues(valuesOf(now))
    form.setValues(valuesOf(now))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: keeps what the user is typing
  useEffect(() => {
    if (me.etag !== shown.etag && !form.isDirty()) show(me)
  }, [me])
  const save = useFormSubmit(form, {
    mutationFn: ({ language, ...rest }) => {
      const locale = language === languageOf(shown.locale) ? shown.locale : localeFor(language)
      return changeMe({ ...rest, locale }, shown.etag)
    },
    onSuccess: (changed) => {
      setConflict(false)
      show(changed)
      queryClient.setQueryData(meQuery.queryKey, changed)
      notifications.show({ message: t('profile.saved') })
    },
    onError: async (error) => {
      if (!isCode(error, 'version_conflict')) return
      const now = await readMe()
      queryClient.setQueryData(meQuery.queryKey, now)
      show(now)
      setConflict(true)
    },
  })
  return (
    <ProfileSection title={t('profile.person')} about={t('profile.person_about')}>
      <form onSubmit={save.onSubmit} noValidate className={classes.field}>
        <Stack>
          {conflict ? (
            <Alert color="yellow" title={t('profile.conflict')} role="alert">
              {t('profile.conflict_detail')}
            </Alert>
          ) : (
            save.problem && <ProblemAlert error={save.problem} />
          )}
          <NameField {...form.getInputProps('name')} />
          <Select
            label={t('account_menu.language')}
            data={(Object.keys(languages) as Language[]).map((value) => ({ value, label: languages[value] }))}
            allowDeselect={false}
            {...form.getInputProps('language')}
          />
          <ZoneField description={t('profile.timezone_about')} {...form.getInputProps('timezone')} />
          <Switch
            label={t('profile.mail_post_failures')}
            description={t('profile.mail_post_failures_about')}
            {...form.getInputProps('mail_post_failures', { type: 'checkbox' })}
          />
          <Group>
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              {t('profile.save')}
            </Button>
          </Group>
        </Stack>
        <UnsavedChangesGuard when={() => form.isDirty()} />
      </form>
    </ProfileSection>
  )
}
