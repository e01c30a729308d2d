import { Badge, Button, Card, Group, Select, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Plus, TriangleAlert, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { NoMatches } from '../../ui/feedback/NoMatches'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { SearchField } from '../../ui/fields/SearchField'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { foldCase } from '../../ui/navigation/search-params'
import { WithGuide } from '../../ui/navigation/WithGuide'
import { DEFAULT, languageName, mailDescription, mailName } from './labels'
import classes from './mail.module.css'
import { type Template, type TemplateKey, templateKeysQuery, templatesQuery } from './queries'
import type { TemplateFilters } from './search-params'

const route = getRouteApi('/signed-in/shell/admin/email-templates')

/** Filters mails without a template. */
const BUILT_IN = 'own'

/** A mail with its templates. `known`: its description, if Meydan writes it. */
type MailType = { key: string; known: TemplateKey | undefined; stored: Template[] }

const byLocale = (a: Template, b: Template) =>
  Number(b.locale === DEFAULT) - Number(a.locale === DEFAULT) || a.locale.localeCompare(b.locale)

/** Every mail that Meydan writes, with or without a stored template, then the operator's own. */
function mailTypesOf(keys: TemplateKey[], templates: Template[]): MailType[] {
  const own = new Set(templates.map(({ key }) => key).filter((key) => !keys.some((known) => known.key === key)))
  return [
    ...keys.map((known) => ({ key: known.key, known })),
    ...[...own].sort().map((key) => ({ key, known: undefined })),
  ].map((entry) => ({ ...entry, stored: templates.filter(({ key }) => key === entry.key).sort(byLocale) }))
}

/** The mail texts of this installation. */
export function TemplatesPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.email_templates'))
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const keys = useQuery(templateKeysQuery)
  const templates = useQuery(templatesQuery)
  const { search, locale } = filters
  const filtered = Boolean(search || locale)
  const filter = (changed: { [Key in keyof TemplateFilters]: TemplateFilters[Key] | undefined }) =>
    void navigate({ search: { ...filters, ...changed } as TemplateFilters, replace: true, resetScroll: false })
  const clear = () => void navigate({ search: {}, replace: true, resetScroll: false })
  const error = keys.error ?? templates.error
  const known = keys.data && templates.data
  const entries = known ? mailTypesOf(keys.data, templates.data) : []
  const locales = [...new Set((templates.data ?? []).map((template) => template.locale))].sort()
  const fits = ({ key, known: standard, stored }: MailType) => {
    if (locale === BUILT_IN && stored.length > 0) return false
    if (locale && locale !== BUILT_IN && !stored.some((template) => template.locale === locale)) return false
    if (!search) return true
    const words = [
      key,
      mailName(t, key),
      standard && mailDescription(t, standard).text,
      ...stored.flatMap(({ subject, description, locale: tag }) => [subject, description, tag, languageName(t, tag)]),
    ]
    return words.some((word) => word && foldCase(word).includes(foldCase(search)))
  }
  const shown = entries.filter(fits)
  const standard = shown.filter((entry) => entry.known)
  const own = shown.filter((entry) => !entry.known)
  return (
    <>
      <PageHeader
        title={t('pages.email_templates')}
        about={<WithGuide name="email-templates">{t('admin.templates.about')}</WithGuide>}
      >
        <ButtonLink to="/admin/email-templates/new" search={{}} leftSection={<Plus size={17} />}>
          {t('admin.templates.add')}
        </ButtonLink>
      </PageHeader>
      <Group mb="md" gap="sm" role="search" aria-label={t('admin.templates.filters')}>
        <SearchField
          label={t('admin.templates.search')}
          value={search ?? ''}
          maxLength={100}
          onChange={(text) => filter({ search: text })}
        />
        <Select
          aria-label={t('admin.templates.by_language')}
          placeholder={t('admin.templates.any_language')}
          clearable
          w={{ base: '100%', xs: 240 }}
          data={[
            ...locales.map((value) => ({ value, label: languageName(t, value) ?? value })),
            { value: BUILT_IN, label: t('admin.templates.untouched') },
            ...(locale && locale !== BUILT_IN && !locales.includes(locale) ? [locale] : []),
          ]}
          value={locale ?? null}
          onChange={(value) => filter({ locale: value ?? undefined })}
        />
        {filtered && (
          <Button variant="subtle" size="md" leftSection={<X size={16} />} onClick={clear}>
            {t('posts.clear')}
          </Button>
        )}
      </Group>
      {error && (
        <ProblemAlert
          error={error}
          onRetry={() => {
            void keys.refetch()
            void templates.refetch()
          }}
        />
      )}
      {!error && !known && <LoadingSkeleton lines={5} />}
      {known && shown.length === 0 && (
        <Card padding={0}>
          <NoMatches title={t('admin.templates.none_found')} onClear={clear}>
            {t('admin.templates.none_found_detail')}
          </NoMatches>
        </Card>
      )}
      <Stack gap="xl">
        {standard.length > 0 && <MailTypeList id="standard" title={t('admin.templates.standard')} entries={standard} />}
        {own.length > 0 && (
          <MailTypeList
            id="own"
            title={t('admin.templates.own')}
            about={t('admin.templates.own_about')}
            entries={own}
          />
        )}
      </Stack>
    </>
  )
}

function MailTypeList({
  id,
  title,
  about,
  entries,
}: {
  id: string
  title: string
  about?: string
  entries: MailType[]
}) {
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h3" id={id} mb={about ? 4 : 'sm'}>
        {title}
      </Title>
      {about && (
        <Text c="dimmed" fz="sm" mb="sm">
          {about}
        </Text>
      )}
      <Card padding={0}>
        <ul className={classes.list} aria-labelledby={id}>
          {entries.map((entry) => (
            <MailTypeRow key={entry.key} entry={entry} />
          ))}
        </ul>
      </Card>
    </section>
  )
}

function MailTypeRow({ entry: { key, known, stored } }: { entry: MailType }) {
  const { t } = useTranslation()
  const about = known && mailDescription(t, known)
  const name = mailName(t, key)
  return (
    <li className={classes.row} aria-label={name}>
      <div>
        <Text fw={650} className="text">
          {name}
        </Text>
        {about && (
          <Text fz="sm" c="dimmed" lang={about.lang}>
            {about.text}
          </Text>
        )}
        {name !== key && <div className={classes.key}>{key}</div>}
      </div>
      {stored.length > 0 ? (
        <ul className={classes.chips} aria-label={t('admin.templates.stored_of', { name })}>
          {stored.map(({ id, locale, warnings, subject }) => (
            <li key={id}>
              <Link
                to="/admin/email-templates/$template"
                params={{ template: id }}
                className={classes.chip}
                title={subject}
              >
                {languageName(t, locale) ?? locale}
                {warnings.length > 0 && (
                  <TriangleAlert size={14} role="img" aria-label={t('admin.templates.has_warnings')} />
                )}
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <div>
          <Badge variant="light" color="gray">
            {t('admin.templates.built_in')}
          </Badge>
        </div>
      )}
      <div>
        <ButtonLink
          to="/admin/email-templates/new"
          search={{ key }}
          variant="default"
          size="sm"
          aria-label={t(stored.length > 0 ? 'admin.templates.another_of' : 'admin.templates.rewrite_of', { name })}
        >
          {t(stored.length > 0 ? 'admin.templates.another' : 'admin.templates.rewrite')}
        </ButtonLink>
      </div>
    </li>
  )
}
